#pragma once

#include "study/tasks/task.hpp"

namespace alembert::study {

[[nodiscard]] Task state_space_task();

}  // namespace alembert::study
