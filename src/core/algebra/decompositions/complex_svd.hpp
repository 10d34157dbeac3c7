#pragma once

// Compiled once: singular values of complex matrices. See core/algebra/decompositions.hpp.

#include <Eigen/SVD>

#ifndef ALEMBERT_COMPLEX_SVD
#define ALEMBERT_COMPLEX_SVD extern template
#endif

namespace Eigen {

ALEMBERT_COMPLEX_SVD JacobiSVD<MatrixXcd>& JacobiSVD<MatrixXcd>::compute(const MatrixXcd&,
                                                                         unsigned);

}  // namespace Eigen
