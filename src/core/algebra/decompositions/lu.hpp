#pragma once

// Compiled once: LU factors with partial and with full pivoting. See
// core/algebra/decompositions.hpp.

#include <Eigen/LU>

#ifndef ALEMBERT_LU
#define ALEMBERT_LU extern template
#endif

namespace Eigen {

ALEMBERT_LU void PartialPivLU<MatrixXd>::compute();
ALEMBERT_LU void PartialPivLU<MatrixXcd>::compute();
ALEMBERT_LU void FullPivLU<MatrixXd>::computeInPlace();
ALEMBERT_LU void FullPivLU<MatrixXd>::_solve_impl(const MatrixXd&, MatrixXd&) const;
ALEMBERT_LU void FullPivLU<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;

namespace internal {

ALEMBERT_LU double rcond_estimate_helper(double, const PartialPivLU<MatrixXd>&);
ALEMBERT_LU double rcond_estimate_helper(double, const PartialPivLU<MatrixXcd>&);

}  // namespace internal

}  // namespace Eigen
