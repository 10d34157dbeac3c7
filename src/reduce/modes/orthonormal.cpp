#include "reduce/modes/orthonormal.hpp"

#include <algorithm>
#include <cmath>

#include "core/algebra/blas.hpp"
#include "core/algebra/lapack.hpp"

namespace alembert::reduce {

Eigen::MatrixXd sparse_times(const model::SparseMatrix& symmetric, const Eigen::MatrixXd& block) {
  // Row by row of the transposed block all columns lie together, which takes half of the time.
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const RowMajor rows = block;
  RowMajor result = RowMajor::Zero(block.rows(), block.cols());
  for (Eigen::Index c = 0; c < symmetric.outerSize(); ++c) {
    for (model::SparseMatrix::InnerIterator entry(symmetric, c); entry; ++entry) {
      result.row(c) += entry.value() * rows.row(entry.row());
    }
  }
  return result;
}

Eigen::MatrixXd take_out(const Eigen::Ref<const Eigen::MatrixXd>& Q, const Eigen::MatrixXd& mass_B,
                         Eigen::MatrixXd& B) {
  Eigen::MatrixXd shares = Eigen::MatrixXd::Zero(Q.cols(), B.cols());
  if (Q.cols() == 0) return shares;
  add_transposed_product(Q, mass_B, shares);
  add_outer_product(Q, -shares.transpose(), B);
  return shares;
}

OrthonormalBlock orthonormal_block(Eigen::MatrixXd block, const model::SparseMatrix& M) {
  constexpr int kMostPasses = 5;
  constexpr double kOrthonormal = 1e-14;
  constexpr double kClamp = 1e-15;
  const Eigen::Index b = block.cols();
  OrthonormalBlock made{std::move(block), {}, Eigen::MatrixXd::Identity(b, b)};
  made.mass_columns = sparse_times(M, made.columns);
  for (int pass = 0; pass < kMostPasses; ++pass) {
    Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(b, b);
    add_transposed_product(made.columns, made.mass_columns, gram);
    const double tiny = 1e-300;
    const Eigen::VectorXd scale = gram.diagonal().cwiseMax(tiny).cwiseSqrt();
    const Eigen::VectorXd inverse = scale.cwiseInverse();
    const EigenParts parts = eigen_parts(inverse.asDiagonal() * gram * inverse.asDiagonal());
    const Eigen::VectorXd root = parts.values.cwiseMax(kClamp * parts.values(b - 1)).cwiseSqrt();
    // V ← V D⁻¹ U S^(-1/2), R ← S^(1/2) Uᵀ D R
    const Eigen::MatrixXd turn =
        inverse.asDiagonal() * parts.vectors * root.cwiseInverse().asDiagonal();
    made.columns = product(made.columns, turn);
    made.R = root.asDiagonal() * parts.vectors.transpose() * scale.asDiagonal() * made.R;
    made.mass_columns = sparse_times(M, made.columns);
    const bool was = (parts.values.array() - 1.0).abs().maxCoeff() <= kOrthonormal * 64.0 &&
                     (scale.array() - 1.0).abs().maxCoeff() <= kOrthonormal * 64.0;
    if (was) break;
  }
  return made;
}

}  // namespace alembert::reduce
