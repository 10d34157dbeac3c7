#pragma once

#include "study/tasks/task.hpp"

namespace alembert::study {

[[nodiscard]] Task output_error_task();

}  // namespace alembert::study
