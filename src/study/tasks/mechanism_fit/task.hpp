#pragma once

#include "study/tasks/task.hpp"

namespace alembert::study {

/// [identify] on a [mechanism].
[[nodiscard]] Task mechanism_fit_task();

}  // namespace alembert::study
