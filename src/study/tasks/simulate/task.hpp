#pragma once

#include "study/tasks/task.hpp"

namespace alembert::study {

[[nodiscard]] Task simulate_task();

}  // namespace alembert::study
