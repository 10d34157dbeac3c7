#pragma once

// Compiled once: singular values of real matrices. See core/algebra/decompositions.hpp.

#include <Eigen/SVD>

#ifndef ALEMBERT_SVD
#define ALEMBERT_SVD extern template
#endif

namespace Eigen {

ALEMBERT_SVD JacobiSVD<MatrixXd>& JacobiSVD<MatrixXd>::compute(const MatrixXd&, unsigned);

}  // namespace Eigen
