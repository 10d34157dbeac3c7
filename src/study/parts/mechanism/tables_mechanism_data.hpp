#pragma once

#include "alembert/study/detail/keys.hpp"

namespace alembert::study {

/// [data] of a mechanism: its sensors.
[[nodiscard]] const TableSpec& mechanism_data_table();

}  // namespace alembert::study
