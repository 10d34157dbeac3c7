#pragma once

// Eigen's dense decompositions, compiled once. A file that factors a plain MatrixXd or MatrixXcd
// includes this header in place of <Eigen/LU>, <Eigen/Eigenvalues> and their like: the heavy
// members below are then taken from decompositions.cpp. Without it each file compiles its own copy
// of, say, the whole QR algorithm, and half of the time of a build goes into such copies.
// Factor a plain matrix: EigenSolver<MatrixXd>(a + b) is a different member and is compiled anew.

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

#ifndef ALEMBERT_DECOMPOSITION
#define ALEMBERT_DECOMPOSITION extern template
#endif

namespace Eigen {

ALEMBERT_DECOMPOSITION void PartialPivLU<MatrixXd>::compute();
ALEMBERT_DECOMPOSITION void PartialPivLU<MatrixXcd>::compute();
ALEMBERT_DECOMPOSITION void FullPivLU<MatrixXd>::computeInPlace();

ALEMBERT_DECOMPOSITION LLT<MatrixXd>& LLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);
ALEMBERT_DECOMPOSITION LLT<MatrixXcd>& LLT<MatrixXcd>::compute(const EigenBase<MatrixXcd>&);
ALEMBERT_DECOMPOSITION LDLT<MatrixXd>& LDLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);

ALEMBERT_DECOMPOSITION void HouseholderQR<MatrixXd>::computeInPlace();
ALEMBERT_DECOMPOSITION void ColPivHouseholderQR<MatrixXd>::computeInPlace();
ALEMBERT_DECOMPOSITION void ColPivHouseholderQR<MatrixXcd>::computeInPlace();
ALEMBERT_DECOMPOSITION void CompleteOrthogonalDecomposition<MatrixXd>::computeInPlace();

ALEMBERT_DECOMPOSITION JacobiSVD<MatrixXd>& JacobiSVD<MatrixXd>::compute(const MatrixXd&, unsigned);
ALEMBERT_DECOMPOSITION JacobiSVD<MatrixXcd>& JacobiSVD<MatrixXcd>::compute(const MatrixXcd&,
                                                                           unsigned);

ALEMBERT_DECOMPOSITION SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute(
    const EigenBase<MatrixXd>&, int);
ALEMBERT_DECOMPOSITION SelfAdjointEigenSolver<MatrixXcd>&
SelfAdjointEigenSolver<MatrixXcd>::compute(const EigenBase<MatrixXcd>&, int);
ALEMBERT_DECOMPOSITION GeneralizedSelfAdjointEigenSolver<MatrixXd>&
GeneralizedSelfAdjointEigenSolver<MatrixXd>::compute(const MatrixXd&, const MatrixXd&, int);
ALEMBERT_DECOMPOSITION EigenSolver<MatrixXd>& EigenSolver<MatrixXd>::compute(
    const EigenBase<MatrixXd>&, bool);
ALEMBERT_DECOMPOSITION ComplexEigenSolver<MatrixXcd>& ComplexEigenSolver<MatrixXcd>::compute(
    const EigenBase<MatrixXcd>&, bool);

// Solutions A x = b for a plain matrix or vector b.
#define ALEMBERT_SOLUTION(Factor)                                                              \
  ALEMBERT_DECOMPOSITION void Factor<MatrixXd>::_solve_impl(const MatrixXd&, MatrixXd&) const; \
  ALEMBERT_DECOMPOSITION void Factor<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const
ALEMBERT_SOLUTION(LLT);
ALEMBERT_SOLUTION(LDLT);
ALEMBERT_SOLUTION(HouseholderQR);
ALEMBERT_SOLUTION(ColPivHouseholderQR);
ALEMBERT_SOLUTION(CompleteOrthogonalDecomposition);
ALEMBERT_SOLUTION(FullPivLU);
#undef ALEMBERT_SOLUTION

namespace internal {

ALEMBERT_DECOMPOSITION double rcond_estimate_helper(double, const PartialPivLU<MatrixXd>&);
ALEMBERT_DECOMPOSITION double rcond_estimate_helper(double, const PartialPivLU<MatrixXcd>&);
ALEMBERT_DECOMPOSITION double rcond_estimate_helper(double, const LLT<MatrixXd>&);

}  // namespace internal

}  // namespace Eigen
