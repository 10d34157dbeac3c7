#pragma once

// Compiled once: eigenvalues of real matrices. See core/algebra/decompositions.hpp.

#include <Eigen/Eigenvalues>

#ifndef ALEMBERT_EIGEN
#define ALEMBERT_EIGEN extern template
#endif

namespace Eigen {

ALEMBERT_EIGEN EigenSolver<MatrixXd>& EigenSolver<MatrixXd>::compute(const EigenBase<MatrixXd>&,
                                                                     bool);

}  // namespace Eigen
