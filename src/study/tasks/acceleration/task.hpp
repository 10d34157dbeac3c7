#pragma once

#include "study/tasks/task.hpp"

namespace alembert::study {

[[nodiscard]] Task acceleration_task();

}  // namespace alembert::study
