#pragma once

#include "alembert/study/detail/keys.hpp"

namespace alembert::study {

inline constexpr const char* kForEquations = "equations";

/// [data] and [model] of a model that is given as equations.
[[nodiscard]] const TableSpec& equation_data_table();
[[nodiscard]] const TableSpec& equation_model_table();

}  // namespace alembert::study
