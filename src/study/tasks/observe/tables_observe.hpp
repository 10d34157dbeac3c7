#pragma once

#include "study/tasks/observe/observe_part_keys.hpp"

namespace alembert::study {

/// The keys of [observe] itself.
[[nodiscard]] const ObserveKeys& observe_keys();

/// [observe].
[[nodiscard]] const TableSpec& observe_table();

}  // namespace alembert::study
