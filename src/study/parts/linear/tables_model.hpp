#pragma once

#include "alembert/study/detail/keys.hpp"

namespace alembert::study {

/// [model] with matrices.
[[nodiscard]] const TableSpec& model_table();
/// A matrix that is a file or a diagonal, and damping by two factors.
[[nodiscard]] const TableSpec& matrix_table();
[[nodiscard]] const TableSpec& damping_table();

}  // namespace alembert::study
