#pragma once

#include "alembert/study/detail/keys.hpp"

namespace alembert::study {

/// [identify], [sensors] and [truth] of a linear model.
[[nodiscard]] const TableSpec& identify_table();
[[nodiscard]] const TableSpec& output_sensors_table();
[[nodiscard]] const TableSpec& truth_table();

}  // namespace alembert::study
