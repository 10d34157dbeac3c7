#include "alembert/reduce/detail/shifted_solver.hpp"

#include <fmt/format.h>

#include "alembert/core/error.hpp"
#include "reduce/factor/shifted.hpp"

namespace alembert::reduce {

ShiftedSolver::ShiftedSolver(const model::SparseMatrix& K, const model::SparseMatrix& M,
                             double shift)
    : factors_(std::make_unique<ShiftedStructure>(K, M)) {
  if (factors_->factor(shift)) return;
  throw InvalidInput({.function = "ShiftedSolver",
                      .argument = "K - s M",
                      .rule = "must not be singular",
                      .value = fmt::format("s = {:g}", shift)});
}

ShiftedSolver::~ShiftedSolver() = default;

Eigen::MatrixXd ShiftedSolver::solve(const Eigen::MatrixXd& B) const { return factors_->solve(B); }

}  // namespace alembert::reduce
