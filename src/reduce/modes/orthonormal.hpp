#pragma once

#include <Eigen/Core>

#include "alembert/model/structure/structure.hpp"

namespace alembert::reduce {

/// A block with orthonormal columns in the inner product of M: block = columns · R.
struct OrthonormalBlock {
  Eigen::MatrixXd columns;       ///< V, Vᵀ M V = I
  Eigen::MatrixXd mass_columns;  ///< M V
  Eigen::MatrixXd R;
};

/// Makes the columns of a block orthonormal by the eigenvectors of their scaled Gram matrix,
/// repeated until they are. @pre no column is zero.
[[nodiscard]] OrthonormalBlock orthonormal_block(Eigen::MatrixXd block,
                                                 const model::SparseMatrix& M);

/// A dense block of columns times a sparse symmetric matrix.
[[nodiscard]] Eigen::MatrixXd sparse_times(const model::SparseMatrix& symmetric,
                                           const Eigen::MatrixXd& block);

/// B ← B - Q (Qᵀ M B) with M B given, for Q with orthonormal columns. Returns Qᵀ M B.
Eigen::MatrixXd take_out(const Eigen::Ref<const Eigen::MatrixXd>& Q, const Eigen::MatrixXd& mass_B,
                         Eigen::MatrixXd& B);

}  // namespace alembert::reduce
