#pragma once

#include "study/tasks/task.hpp"

namespace alembert::study {

[[nodiscard]] Task observe_task();

}  // namespace alembert::study
