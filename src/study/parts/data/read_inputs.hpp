#pragma once

#include <optional>
#include <vector>

#include "alembert/study/detail/problem.hpp"
#include "alembert/study/inputs.hpp"
#include "study/parts/data/data_inputs.hpp"
#include "study/parts/data/sample_grid.hpp"

namespace alembert::study {

/// Reads [simulate.inputs]: one description for each input of the model. What the data file gives
/// comes from there. Problems are collected.
[[nodiscard]] std::vector<InputDescription> read_inputs(const TableReader& inputs,
                                                        const ModelInputs& model,
                                                        std::optional<DataInputs> data,
                                                        const SampleGrid& grid,
                                                        std::vector<Problem>& problems);

}  // namespace alembert::study
