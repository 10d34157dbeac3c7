#pragma once

#include "alembert/study/keys.hpp"

/// The tables of a study; each file tables_*.cpp describes one part.
namespace alembert::study {

[[nodiscard]] const TableSpec& model_table();
[[nodiscard]] const TableSpec& data_table();
[[nodiscard]] const TableSpec& data_inputs_table();
[[nodiscard]] const TableSpec& simulate_table();
[[nodiscard]] const TableSpec& input_table();
[[nodiscard]] const TableSpec& sensor_table();
[[nodiscard]] const TableSpec& matrix_table();
[[nodiscard]] const TableSpec& damping_table();
[[nodiscard]] const TableSpec& fixed_table();
[[nodiscard]] const TableSpec& tied_table();
[[nodiscard]] const TableSpec& elements_table();
[[nodiscard]] const TableSpec& output_sensors_table();
[[nodiscard]] const TableSpec& identify_table();
[[nodiscard]] const TableSpec& truth_table();
[[nodiscard]] const TableSpec& monte_carlo_table();

}  // namespace alembert::study
