#pragma once

#include "alembert/study/keys.hpp"

/// The tables of a study; each file tables_*.cpp describes one part.
namespace alembert::study {

[[nodiscard]] const TableSpec& model_table();
[[nodiscard]] const TableSpec& data_table();
[[nodiscard]] const TableSpec& simulate_table();
[[nodiscard]] const TableSpec& input_table();
[[nodiscard]] const TableSpec& sensor_table();

}  // namespace alembert::study
