#pragma once

#include "alembert/study/detail/keys.hpp"

namespace alembert::study {

/// [data] of linear models, and [data.inputs], which equations share.
[[nodiscard]] const TableSpec& data_table();
[[nodiscard]] const TableSpec& data_inputs_table();

/// Keys that the tables of data share.
[[nodiscard]] std::vector<KeySpec> data_file_keys();   ///< file, files, time, step, dataset
[[nodiscard]] std::vector<KeySpec> file_time_keys();   ///< time, step, dataset
[[nodiscard]] KeySpec own_file_key();                  ///< a file that must be given
[[nodiscard]] std::vector<KeySpec> read_limit_keys();  ///< memory, external
[[nodiscard]] KeySpec dataset_key();
[[nodiscard]] KeySpec measured_outputs_key(const std::string& help, const TableSpec& table);
[[nodiscard]] KeySpec validation_key(const TableSpec& table);
[[nodiscard]] KeySpec detrend_key();
[[nodiscard]] KeySpec fraction_key();

}  // namespace alembert::study
