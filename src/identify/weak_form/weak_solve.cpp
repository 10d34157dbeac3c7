#include "identify/weak_form/weak_solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "alembert/core/random.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// The slower pivoted factorisation is asked where a reciprocal condition number comes this near to
// the rounding at which it calls a column dependent.
constexpr double kNearSingular = 10.0;

constexpr Index kMostLanczosSteps = 300;
constexpr Index kStepsBetweenChecks = 10;
constexpr double kSettledVector = 1e-9;  // residual relative to the eigenvalue

// The vector of the largest eigenvalue of a symmetric operator: Lanczos with every vector kept
// orthogonal to all before it, exact after as many steps as the operator has rows.
VectorXd largest_eigenvector(const std::function<VectorXd(const VectorXd&)>& apply, Index size) {
  const Index most = std::min(size, kMostLanczosSteps);
  MatrixXd V(size, most);
  VectorXd diagonal(most), beside(most);
  V.col(0) = RandomStream(1).normal_vector(size).normalized();
  for (Index k = 0;; ++k) {
    VectorXd next = apply(V.col(k));
    diagonal(k) = V.col(k).dot(next);
    for (int twice = 0; twice < 2; ++twice) {
      const VectorXd parts = V.leftCols(k + 1).transpose() * next;
      next.noalias() -= V.leftCols(k + 1) * parts;
    }
    beside(k) = next.norm();
    const bool last = k + 1 == most || !(beside(k) > 0.0);
    if (last || (k + 1) % kStepsBetweenChecks == 0) {
      Eigen::SelfAdjointEigenSolver<MatrixXd> solver;
      solver.computeFromTridiagonal(diagonal.head(k + 1), beside.head(k));
      const double residual = beside(k) * std::abs(solver.eigenvectors()(k, k));
      if (last || residual <= kSettledVector * std::abs(solver.eigenvalues()(k))) {
        return V.leftCols(k + 1) * solver.eigenvectors().col(k);
      }
    }
    V.col(k + 1) = next / beside(k);
  }
}

}  // namespace

Outcome solve_weak_system(const WeakSystem& system, const Eigen::Ref<const VectorXd>& d,
                          const std::vector<std::string>& names, VectorXd& theta) {
  const MatrixXd scaled = dense::scaled(system.A, d);
  if (!scaled.allFinite() || !system.b.allFinite()) {
    return {Status::NotFinite, "the weak equations hold a NaN or infinity; check the records"};
  }
  const VectorXd right = d.cwiseProduct(system.b);
  const Eigen::PartialPivLU<MatrixXd> quick(scaled);
  const double rounding =
      static_cast<double>(scaled.cols()) * std::numeric_limits<double>::epsilon();
  if (quick.rcond() > kNearSingular * rounding) {
    theta = d.cwiseProduct(quick.solve(right));
    return {};
  }
  const Eigen::ColPivHouseholderQR<MatrixXd> factor(scaled);
  if (factor.rank() < scaled.cols()) {
    const Index lost = factor.colsPermutation().indices()(factor.rank());
    return {Status::NotIdentifiable,
            fmt::format("the weak equations cannot tell the unknowns apart (rank {} of {}, {} "
                        "first); excite more coordinates or take a longer record",
                        factor.rank(), scaled.cols(), names[static_cast<std::size_t>(lost)])};
  }
  theta = d.cwiseProduct(factor.solve(right));
  return {};
}

bool solve_weak_pencil(const WeakPencil& pencil, VectorXd& theta) {
  // R is brought to unit diagonal, and 1/κ is the largest eigenvalue of R^-1/2 N R^-1/2.
  const VectorXd d = pencil.residual.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const Eigen::LLT<MatrixXd> factor(dense::scaled(pencil.residual, d));
  if (factor.info() != Eigen::Success) return false;
  const MatrixXd N = dense::scaled(pencil.noise, d);
  const VectorXd vector = largest_eigenvector(
      [&](const VectorXd& x) -> VectorXd {
        return factor.matrixL().solve(N * VectorXd(factor.matrixU().solve(x)));
      },
      N.rows());
  const VectorXd x = d.cwiseProduct(factor.matrixU().solve(vector));
  const Index last = x.size() - 1;
  if (!x.allFinite() || x(last) == 0.0) return false;
  theta = x.head(last) / x(last);
  return true;
}

}  // namespace alembert::identify
