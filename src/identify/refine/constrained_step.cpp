#include "identify/refine/constrained_step.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"
#include "identify/parametrisation/entry_index.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kCuttingRounds = 100;
constexpr int kMultiplierSweeps = 200;
constexpr double kSettledMultipliers = 1e-10;  // change relative to the largest
// Eigenvalues of a matrix with unit diagonal: below the first a condition is added, which asks for
// the second, so that the rounds end.
constexpr double kViolated = -1e-9;
constexpr double kAskedFor = 1e-7;

// Conditions aᵀ x >= r on the scaled step, one in each column.
struct Cuts {
  MatrixXd normals;
  VectorXd right;

  void add(const VectorXd& normal, double bound) {
    normals.conservativeResize(normal.size(), normals.cols() + 1);
    normals.col(normals.cols() - 1) = normal;
    right.conservativeResize(right.size() + 1);
    right(right.size() - 1) = bound;
  }

  // Conditions that hold by themselves are forgotten; if they are broken again, they come again.
  void keep(const VectorXd& multipliers) {
    std::vector<Index> active;
    for (Index i = 0; i < multipliers.size(); ++i) {
      if (multipliers(i) > 0.0) active.push_back(i);
    }
    normals = normals(Eigen::all, active).eval();
    right = right(active).eval();
  }
};

// ∂(vᵀ X v)/∂X by the half vector of X.
VectorXd square_form(const VectorXd& v) {
  const Index n = v.size();
  VectorXd weights(half_size(n));
  for (Index j = 0; j < n; ++j) {
    for (Index i = j; i < n; ++i) {
      weights(half_index(n, i, j)) = (i == j ? 1.0 : 2.0) * v(i) * v(j);
    }
  }
  return weights;
}

// The cuts of one matrix at the trial θ = θ0 + s x; `part` is its place in the stack.
void add_cuts(const MatrixXd& matrix, Index part, const Eigen::SparseMatrix<double>& jacobian,
              const VectorXd& scale, const VectorXd& x, Cuts& cuts) {
  const VectorXd unit = matrix.diagonal().unaryExpr(
      [](double entry) { return entry == 0.0 ? 1.0 : 1.0 / std::sqrt(std::abs(entry)); });
  const auto [values, vectors] = dense::symmetric_eigen(dense::scaled(matrix, unit));
  const Index half = half_size(matrix.rows());
  for (Index k = 0; k < matrix.rows() && values(k) < kViolated; ++k) {
    VectorXd stack = VectorXd::Zero(3 * half);
    stack.segment(part * half, half) = square_form(unit.cwiseProduct(vectors.col(k)));
    VectorXd normal = VectorXd::Zero(x.size());
    normal.head(jacobian.cols()) =
        scale.head(jacobian.cols()).cwiseProduct(jacobian.transpose() * stack);
    // aᵀ (x' - x) >= wanted - eigenvalue
    cuts.add(normal, normal.dot(x) + kAskedFor - values(k));
  }
}

// λ >= 0 of min ½ λᵀ G λ - λᵀ r, the dual of the nearest point, one multiplier after the other.
VectorXd multipliers(const MatrixXd& G, const VectorXd& r) {
  VectorXd lambda = VectorXd::Zero(r.size());
  for (int sweep = 0; sweep < kMultiplierSweeps; ++sweep) {
    double change = 0.0;
    for (Index i = 0; i < r.size(); ++i) {
      if (!(G(i, i) > 0.0)) continue;
      const double wanted = std::max(0.0, lambda(i) + (r(i) - G.row(i).dot(lambda)) / G(i, i));
      change = std::max(change, std::abs(wanted - lambda(i)));
      lambda(i) = wanted;
    }
    if (change <= kSettledMultipliers * lambda.maxCoeff()) break;
  }
  return lambda;
}

}  // namespace

VectorXd constrained_step(const Parametrisation& unknowns, const VectorXd& theta,
                          const Eigen::LLT<MatrixXd>& factor, const VectorXd& scale,
                          const VectorXd& step) {
  VectorXd x = step;
  Cuts cuts;
  for (int round = 0; round < kCuttingRounds; ++round) {
    const VectorXd trial = theta + scale.cwiseProduct(x).head(theta.size());
    const Matrices at = matrices(unknowns, trial);
    if (!at.D.allFinite() || !at.K.allFinite()) break;
    const Eigen::SparseMatrix<double> slope = jacobian(unknowns, trial);
    const Index before = cuts.right.size();
    add_cuts(at.D, 1, slope, scale, x, cuts);
    add_cuts(at.K, 2, slope, scale, x, cuts);
    if (cuts.right.size() == before) break;
    // x = x̂ + H⁻¹ A λ,  Aᵀ x >= r
    const MatrixXd spread = factor.solve(cuts.normals);
    const VectorXd lambda = multipliers(dense::transposed_times(cuts.normals, spread),
                                        cuts.right - cuts.normals.transpose() * step);
    x = step + spread * lambda;
    // Conditions that contradict each other have no finite multipliers.
    if (!x.allFinite()) return step;
    cuts.keep(lambda);
  }
  return x;
}

}  // namespace alembert::identify
