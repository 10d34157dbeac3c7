#pragma once

// Compiled once: eigenvalues of complex matrices. See core/algebra/decompositions.hpp.

#include <Eigen/Eigenvalues>

#ifndef ALEMBERT_COMPLEX_EIGEN
#define ALEMBERT_COMPLEX_EIGEN extern template
#endif

namespace Eigen {

ALEMBERT_COMPLEX_EIGEN ComplexEigenSolver<MatrixXcd>& ComplexEigenSolver<MatrixXcd>::compute(
    const EigenBase<MatrixXcd>&, bool);

}  // namespace Eigen
