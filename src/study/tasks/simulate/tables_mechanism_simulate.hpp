#pragma once

#include "alembert/study/detail/keys.hpp"

namespace alembert::study {

/// [simulate] of a mechanism.
[[nodiscard]] const TableSpec& mechanism_simulate_table();

}  // namespace alembert::study
