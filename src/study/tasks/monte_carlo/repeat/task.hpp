#pragma once

#include "study/tasks/task.hpp"

namespace alembert::study {

[[nodiscard]] Task repeat_task();

}  // namespace alembert::study
