#include "alembert/estimate/sigma_points.hpp"

#include <fmt/format.h>

#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::estimate {

namespace {

/// Nodes and weights of the Gauss rule for exp(-x²/2)/√(2π), from the eigenvectors of its Jacobi
/// matrix [GolubWelsch1969], made exactly symmetric.
void hermite_rule(int order, Eigen::VectorXd& nodes, Eigen::VectorXd& weights) {
  Eigen::MatrixXd jacobi = Eigen::MatrixXd::Zero(order, order);
  for (int k = 1; k < order; ++k) jacobi(k, k - 1) = jacobi(k - 1, k) = std::sqrt(k);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(jacobi);
  const Eigen::VectorXd raw = solver.eigenvectors().row(0).cwiseAbs2();
  nodes = 0.5 * (solver.eigenvalues() - solver.eigenvalues().reverse());
  weights = 0.5 * (raw + raw.reverse());
  weights /= weights.sum();
}

}  // namespace

bool SigmaPoints::square_root_possible() const {
  return mean_weights.size() > 0 && mean_weights.size() == covariance_weights.size() &&
         mean_weights == covariance_weights && mean_weights.minCoeff() >= 0.0;
}

SigmaPoints spherical_simplex(int n, double central_weight) {
  check::at_least("spherical_simplex", "n", n, 1);
  check::in_range("spherical_simplex", "central_weight", central_weight, 0.0, 1.0);
  if (central_weight == 1.0) {
    throw InvalidInput({.function = "spherical_simplex",
                        .argument = "central_weight",
                        .rule = "must be below 1",
                        .value = "1"});
  }
  const double w1 = (1.0 - central_weight) / (n + 1);
  Eigen::MatrixXd points = Eigen::MatrixXd::Zero(n, n + 2);
  for (int j = 1; j <= n; ++j) {
    // -1/√(j(j+1)w₁) for points 1..j, j/√(j(j+1)w₁) for point j + 1; zero for later points
    const double unit = 1.0 / std::sqrt(j * (j + 1) * w1);
    points.row(j - 1).segment(1, j).setConstant(-unit);
    points(j - 1, j + 1) = j * unit;
  }
  SigmaPoints set;
  const int first = central_weight == 0.0 ? 1 : 0;
  set.points = points.rightCols(n + 2 - first);
  set.mean_weights = Eigen::VectorXd::Constant(n + 2 - first, w1);
  if (first == 0) set.mean_weights(0) = central_weight;
  set.covariance_weights = set.mean_weights;
  return set;
}

SigmaPoints unscented(int n, const UnscentedOptions& options) {
  check::at_least("unscented", "n", n, 1);
  check::positive("unscented", "alpha", options.alpha);
  check::finite("unscented", "beta", options.beta);
  check::positive("unscented", "n + kappa", n + options.kappa);
  const double square = options.alpha * options.alpha;
  const double spread = square * (n + options.kappa);  // n + λ
  SigmaPoints set;
  set.points = Eigen::MatrixXd::Zero(n, 2 * n + 1);
  for (int j = 0; j < n; ++j) {
    set.points(j, 1 + j) = std::sqrt(spread);
    set.points(j, 1 + n + j) = -std::sqrt(spread);
  }
  set.mean_weights = Eigen::VectorXd::Constant(2 * n + 1, 0.5 / spread);
  set.mean_weights(0) = (spread - n) / spread;
  set.covariance_weights = set.mean_weights;
  set.covariance_weights(0) += 1.0 - square + options.beta;
  return set;
}

SigmaPoints cubature(int n) {
  SigmaPoints set = unscented(n, {.alpha = 1.0, .beta = 0.0, .kappa = 0.0});
  set.points = set.points.rightCols(2 * n).eval();
  set.mean_weights = Eigen::VectorXd::Constant(2 * n, 0.5 / n);
  set.covariance_weights = set.mean_weights;
  return set;
}

SigmaPoints gauss_hermite(int n, int order) {
  check::at_least("gauss_hermite", "n", n, 1);
  check::in_range("gauss_hermite", "order", order, 2, 20);
  check::in_range("gauss_hermite", "order^n", std::pow(order, n), 1.0, 1e5);
  Eigen::VectorXd nodes, weights;
  hermite_rule(order, nodes, weights);
  const int count = static_cast<int>(std::lround(std::pow(order, n)));
  SigmaPoints set;
  set.points.resize(n, count);
  set.mean_weights.setOnes(count);
  for (int k = 0; k < count; ++k) {
    // k in base `order` names one node for each state.
    for (int i = 0, rest = k; i < n; ++i, rest /= order) {
      set.points(i, k) = nodes(rest % order);
      set.mean_weights(k) *= weights(rest % order);
    }
  }
  set.covariance_weights = set.mean_weights;
  return set;
}

Eigen::MatrixXd complement(const SigmaPoints& set) {
  check_square_root(set);
  const int n = set.states();
  const int count = set.count();
  const Eigen::VectorXd root = set.mean_weights.cwiseSqrt();
  // Orthonormal columns √w and √w χᵀ; the last columns of Q complete them.
  Eigen::MatrixXd basis(count, n + 1);
  basis.col(0) = root;
  basis.rightCols(n) = root.asDiagonal() * set.points.transpose();
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(basis);
  const Eigen::MatrixXd q = qr.householderQ() * Eigen::MatrixXd::Identity(count, count);
  return q.rightCols(count - n - 1).transpose() * root.asDiagonal();
}

void check_square_root(const SigmaPoints& set) {
  check::at_least("SquareRootSigmaPointFilter", "number of weights", set.covariance_weights.size(),
                  1);
  if (set.square_root_possible()) return;
  const double smallest = set.covariance_weights.minCoeff();
  if (smallest < 0.0) {
    throw InvalidInput({.function = "SquareRootSigmaPointFilter",
                        .argument = "weights",
                        .rule = "must not be negative",
                        .value = fmt::format("{} (no square-root form without a downdate; take the "
                                             "spherical simplex, or unscented with kappa >= 0)",
                                             smallest)});
  }
  throw InvalidInput({.function = "SquareRootSigmaPointFilter",
                      .argument = "mean and covariance weights",
                      .rule = "must be the same and not negative",
                      .value = "two sets (take unscented with alpha = 1 and beta = 0)"});
}

void check_points(const SigmaPoints& set, int states, int count) {
  check::size("SigmaPointFilter", "rows of the sigma points", set.states(), states);
  if (count >= 0) check::size("SigmaPointFilter", "number of sigma points", set.count(), count);
  check::size("SigmaPointFilter", "mean weights", set.mean_weights.size(), set.count());
  check::size("SigmaPointFilter", "covariance weights", set.covariance_weights.size(), set.count());
}

}  // namespace alembert::estimate
