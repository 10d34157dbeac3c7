#pragma once

#include "study/tasks/task.hpp"

namespace alembert::study {

[[nodiscard]] Task reduce_task();

}  // namespace alembert::study
