#pragma once

// Compiled once: QR factors: plain, with column pivoting, complete. See
// core/algebra/decompositions.hpp.

#include <Eigen/QR>

#ifndef ALEMBERT_QR
#define ALEMBERT_QR extern template
#endif

namespace Eigen {

ALEMBERT_QR void HouseholderQR<MatrixXd>::computeInPlace();
ALEMBERT_QR void ColPivHouseholderQR<MatrixXd>::computeInPlace();
ALEMBERT_QR void ColPivHouseholderQR<MatrixXcd>::computeInPlace();
ALEMBERT_QR void CompleteOrthogonalDecomposition<MatrixXd>::computeInPlace();
ALEMBERT_QR void HouseholderQR<MatrixXd>::_solve_impl(const MatrixXd&, MatrixXd&) const;
ALEMBERT_QR void HouseholderQR<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
ALEMBERT_QR void ColPivHouseholderQR<MatrixXd>::_solve_impl(const MatrixXd&, MatrixXd&) const;
ALEMBERT_QR void ColPivHouseholderQR<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
ALEMBERT_QR void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(const MatrixXd&,
                                                                        MatrixXd&) const;
ALEMBERT_QR void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(const VectorXd&,
                                                                        VectorXd&) const;

}  // namespace Eigen
