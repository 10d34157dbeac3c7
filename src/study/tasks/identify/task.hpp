#pragma once

#include "study/tasks/task.hpp"

namespace alembert::study {

[[nodiscard]] Task identify_task();

}  // namespace alembert::study
