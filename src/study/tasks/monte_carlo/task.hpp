#pragma once

#include "study/tasks/task.hpp"

namespace alembert::study {

[[nodiscard]] Task monte_carlo_task();

}  // namespace alembert::study
