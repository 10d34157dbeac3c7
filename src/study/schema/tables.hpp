#pragma once

#include "alembert/study/detail/keys.hpp"

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
[[nodiscard]] const TableSpec& simulate_inputs_table();

/// What tables for matrices and for equations share.
[[nodiscard]] KeySpec title_key();
[[nodiscard]] std::vector<KeySpec> joined(std::vector<KeySpec> first,
                                          const std::vector<KeySpec>& then);
[[nodiscard]] std::vector<KeySpec> data_file_keys();  ///< file, files, time, step, dataset
[[nodiscard]] std::vector<KeySpec> file_time_keys();  ///< time, step, dataset
[[nodiscard]] KeySpec own_file_key();                 ///< a file that must be given
[[nodiscard]] KeySpec dataset_key();
[[nodiscard]] KeySpec measured_outputs_key(const std::string& help, const TableSpec& table);
[[nodiscard]] KeySpec validation_key(const TableSpec& table);
[[nodiscard]] KeySpec detrend_key();
[[nodiscard]] KeySpec fraction_key();
[[nodiscard]] std::vector<KeySpec> simulate_time_keys();   ///< step, samples, duration
[[nodiscard]] std::vector<KeySpec> simulate_count_keys();  ///< seed, experiments, truth
[[nodiscard]] std::vector<KeySpec> sensor_error_keys();    ///< sigma, snr, bias, ..., delay
[[nodiscard]] std::vector<KeyRule> sensor_error_rules();

/// Tables for mechanisms; the root has both of their tasks.
inline constexpr const char* kForMechanisms = "mechanisms";
[[nodiscard]] const TableSpec& mechanism_root_table();
[[nodiscard]] const TableSpec& mechanism_table();
[[nodiscard]] const TableSpec& mechanism_data_table();
[[nodiscard]] const TableSpec& observe_table();
[[nodiscard]] const TableSpec& mechanism_simulate_table();

/// Tables for a model that is given as equations; the root has both of their tasks.
inline constexpr const char* kForEquations = "equations";
[[nodiscard]] const TableSpec& equation_root_table();
[[nodiscard]] const TableSpec& equation_data_table();
[[nodiscard]] const TableSpec& equation_model_table();
[[nodiscard]] const TableSpec& equation_simulate_table();
/// between, start, substeps, engine; `substeps` is the default as TOML text.
[[nodiscard]] std::vector<KeySpec> equation_simulation_keys(const std::string& substeps);

/// Whether [model] gives equations.
[[nodiscard]] bool has_equations(const Value& root);

/// The whole study for [identify] with method = "acceleration".
[[nodiscard]] const TableSpec& acceleration_root_table();

}  // namespace alembert::study
