#include "update/sequential/dense_model.hpp"

#include <cmath>
#include <numbers>

#include "core/algebra/decompositions.hpp"
#include "core/algebra/lapack.hpp"

namespace alembert::update {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd dense_sum(const MatrixXd& at, const std::vector<MatrixXd>& slopes,
                   const VectorXd& change) {
  MatrixXd sum = at;
  for (Index j = 0; j < change.size(); ++j) {
    if (change(j) != 0.0) sum += change(j) * slopes[static_cast<std::size_t>(j)];
  }
  return sum;
}

MatrixXd in_basis(const model::SparseMatrix& A, const MatrixXd& V) {
  if (V.size() == 0) return MatrixXd(A);
  if (A.nonZeros() == 0) return MatrixXd::Zero(V.cols(), V.cols());
  const MatrixXd product = V.transpose() * (A * V);
  return 0.5 * (product + product.transpose());
}

}  // namespace

MatrixXd DenseModel::stiffness(const VectorXd& p) const { return dense_sum(K, dK, p - point); }
MatrixXd DenseModel::mass(const VectorXd& p) const { return dense_sum(M, dM, p - point); }

DenseModel dense_model(const ParametricModel& model, const MeasuredModes& measured,
                       const MatrixXd& V) {
  DenseModel made{.K = in_basis(model.K, V),
                  .M = in_basis(model.M, V),
                  .dK = {},
                  .dM = {},
                  .point = model.point.size() > 0 ? model.point : model.nominal(),
                  .C = {}};
  for (std::size_t j = 0; j < model.dK.size(); ++j) {
    made.dK.push_back(in_basis(model.dK[j], V));
    made.dM.push_back(in_basis(model.dM[j], V));
  }
  if (measured.shapes.size() > 0) {
    made.C = V.size() == 0 ? MatrixXd(measured.sensors) : MatrixXd(measured.sensors * V);
  }
  return made;
}

DenseModes lowest_dense_modes(const MatrixXd& K, const MatrixXd& M, double shift, Index count) {
  const Index n = K.rows();
  // K + s M = L Lᵀ,  L⁻¹ M L⁻ᵀ y = ν y,  λ = 1/ν - s,  x = L⁻ᵀ y / √ν
  MatrixXd L = K + shift * M;
  if (!cholesky_in_place(L)) return {};
  MatrixXd half = M;
  solve_lower(L, half);
  MatrixXd C = half.transpose();
  solve_lower(L, C);
  const EigenParts parts = eigen_parts(std::move(C));
  const double least = 1e-13 * parts.values(n - 1);
  Index found = 0;
  while (found < std::min(n, count) && parts.values(n - 1 - found) > least) ++found;
  DenseModes modes{VectorXd(found), MatrixXd(n, found)};
  for (Index i = 0; i < found; ++i) {
    const double nu = parts.values(n - 1 - i);
    modes.eigenvalue(i) = 1.0 / nu - shift;
    modes.shapes.col(i) = parts.vectors.col(n - 1 - i) / std::sqrt(nu);
  }
  modes.shapes = L.triangularView<Eigen::Lower>().transpose().solve(modes.shapes).eval();
  return modes;
}

double hz_of(double eigenvalue) {
  return std::sqrt(std::max(eigenvalue, 0.0)) / (2.0 * std::numbers::pi);
}

VectorXd hz_of(const VectorXd& eigenvalues) {
  return eigenvalues.cwiseMax(0.0).cwiseSqrt() / (2.0 * std::numbers::pi);
}

}  // namespace alembert::update
