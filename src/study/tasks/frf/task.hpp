#pragma once

#include "study/tasks/task.hpp"

namespace alembert::study {

[[nodiscard]] Task frf_task();

}  // namespace alembert::study
