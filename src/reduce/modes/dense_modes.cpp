#include "reduce/modes/dense_modes.hpp"

#include <cmath>
#include <limits>

#include "core/algebra/blas.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/lapack.hpp"

namespace alembert::reduce {

EigenPairs dense_modes(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M, double shift) {
  const Eigen::Index n = K.rows();
  // K - s M = L Lᵀ,  L⁻¹ M L⁻ᵀ y = ν y,  λ = s + 1/ν,  x = L⁻ᵀ y / √ν
  Eigen::MatrixXd L = K - shift * M;
  if (!cholesky_in_place(L)) return {};
  Eigen::MatrixXd half = M;
  solve_lower(L, half);
  Eigen::MatrixXd C = half.transpose();
  solve_lower(L, C);
  const EigenParts parts = eigen_parts(std::move(C));
  // ν below rounding belongs to massless coordinates: no finite eigenvalue.
  const double least =
      4.0 * static_cast<double>(n) * std::numeric_limits<double>::epsilon() * parts.values(n - 1);
  Eigen::Index finite = 0;
  while (finite < n && parts.values(n - 1 - finite) > least) ++finite;
  EigenPairs pairs{Eigen::VectorXd(finite), Eigen::MatrixXd(n, finite)};
  for (Eigen::Index i = 0; i < finite; ++i) {
    const double nu = parts.values(n - 1 - i);
    pairs.values(i) = shift + 1.0 / nu;
    pairs.vectors.col(i) = parts.vectors.col(n - 1 - i) / std::sqrt(nu);
  }
  pairs.vectors = L.triangularView<Eigen::Lower>().transpose().solve(pairs.vectors);
  return pairs;
}

EigenPairs rayleigh_ritz(const Eigen::MatrixXd& X, const Eigen::MatrixXd& KX,
                         const Eigen::MatrixXd& MX) {
  const Eigen::Index m = X.cols();
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(m, m);
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(m, m);
  add_transposed_product(X, KX, k);
  add_transposed_product(X, MX, mass);
  Eigen::MatrixXd L = 0.5 * (mass + mass.transpose());
  if (!cholesky_in_place(L)) return {};
  Eigen::MatrixXd half = 0.5 * (k + k.transpose());
  solve_lower(L, half);
  Eigen::MatrixXd C = half.transpose();
  solve_lower(L, C);
  const EigenParts parts = eigen_parts(0.5 * (C + C.transpose()));
  const Eigen::MatrixXd turn = L.triangularView<Eigen::Lower>().transpose().solve(parts.vectors);
  return {parts.values, product(X, turn)};
}

}  // namespace alembert::reduce
