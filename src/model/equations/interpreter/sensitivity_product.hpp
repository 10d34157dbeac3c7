#pragma once

#include <cstddef>

#include "model/equations/interpreter/tape.hpp"

namespace alembert::model::equations {

/// D = J_x S + J_θ with `count` columns, for a tape that ran on the registers; rows of S are
/// `stride` numbers long. The operations are those of the generated C, in the same order.
void sensitivity_product(const Tape& tape, const double* registers, const int* column_of_parameter,
                         const double* s, std::size_t stride, std::size_t count, double* d);

}  // namespace alembert::model::equations
