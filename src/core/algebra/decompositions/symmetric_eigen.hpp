#pragma once

// Compiled once: eigenvalues of symmetric and Hermitian matrices and of pairs. See
// core/algebra/decompositions.hpp.

#include <Eigen/Eigenvalues>

#ifndef ALEMBERT_SYMMETRIC_EIGEN
#define ALEMBERT_SYMMETRIC_EIGEN extern template
#endif

namespace Eigen {

ALEMBERT_SYMMETRIC_EIGEN SelfAdjointEigenSolver<MatrixXd>&
SelfAdjointEigenSolver<MatrixXd>::compute(const EigenBase<MatrixXd>&, int);
ALEMBERT_SYMMETRIC_EIGEN SelfAdjointEigenSolver<MatrixXcd>&
SelfAdjointEigenSolver<MatrixXcd>::compute(const EigenBase<MatrixXcd>&, int);
ALEMBERT_SYMMETRIC_EIGEN GeneralizedSelfAdjointEigenSolver<MatrixXd>&
GeneralizedSelfAdjointEigenSolver<MatrixXd>::compute(const MatrixXd&, const MatrixXd&, int);

}  // namespace Eigen
