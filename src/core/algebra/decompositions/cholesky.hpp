#pragma once

// Compiled once: Cholesky factors, plain and with pivoting. See core/algebra/decompositions.hpp.

#include <Eigen/Cholesky>

#ifndef ALEMBERT_CHOLESKY
#define ALEMBERT_CHOLESKY extern template
#endif

namespace Eigen {

ALEMBERT_CHOLESKY LLT<MatrixXd>& LLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);
ALEMBERT_CHOLESKY LLT<MatrixXcd>& LLT<MatrixXcd>::compute(const EigenBase<MatrixXcd>&);
ALEMBERT_CHOLESKY LDLT<MatrixXd>& LDLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);
ALEMBERT_CHOLESKY void LLT<MatrixXd>::_solve_impl(const MatrixXd&, MatrixXd&) const;
ALEMBERT_CHOLESKY void LLT<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
ALEMBERT_CHOLESKY void LDLT<MatrixXd>::_solve_impl(const MatrixXd&, MatrixXd&) const;
ALEMBERT_CHOLESKY void LDLT<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;

namespace internal {

ALEMBERT_CHOLESKY double rcond_estimate_helper(double, const LLT<MatrixXd>&);

}  // namespace internal

}  // namespace Eigen
