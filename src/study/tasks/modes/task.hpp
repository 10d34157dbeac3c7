#pragma once

#include "study/tasks/task.hpp"

namespace alembert::study {

[[nodiscard]] Task modes_task();

}  // namespace alembert::study
