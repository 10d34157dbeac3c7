#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/core/error.hpp"
#include "alembert/integrate/detail/scaled_system.hpp"
#include "core/algebra/blas.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"
#include "identify/refine/fit.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;

// Past this many samples without a value above this share of the first ones the free motion is
// over.
constexpr double kOver = 1e-12;
constexpr Index kStartBlock = 128;

// Free responses Cz Fᵏ to unit start states, block by block.
struct FreeMotion {
  Eigen::MatrixXd F, Cz;
};
FreeMotion free_motion(const Fit& fit, const model::SecondOrder& system) {
  const integrate::ScaledSystem form = integrate::scaled_system("refine", system, fit.step);
  const ScaledOutputs outputs = scaled_outputs(fit);
  return {rule_matrices(fit.rule, form.A, form.B).F, outputs.C0 + outputs.C2 * form.A};
}

// H = Σ rᵀ r, b = Σ rᵀ e over the weighted measured rows r of the free responses.
struct StartEquations {
  Eigen::MatrixXd H;
  Eigen::VectorXd b;
};
StartEquations start_equations(const FreeMotion& motion, const Eigen::MatrixXd& output,
                               const Eigen::MatrixXd& error, const Eigen::VectorXd& weights) {
  const Index size = motion.F.rows();
  const Index p = motion.Cz.rows();
  StartEquations equations{Eigen::MatrixXd::Zero(size, size), Eigen::VectorXd::Zero(size)};
  const Eigen::MatrixXd C = weights.asDiagonal() * motion.Cz;
  Eigen::MatrixXd response = C;  // C Fᵏ
  double largest = 0.0;
  for (Index first = 0; first < output.rows(); first += kStartBlock) {
    const Index count = std::min(kStartBlock, output.rows() - first);
    Eigen::MatrixXd rows(count * p, size);
    Eigen::VectorXd right(count * p);
    for (Index k = 0; k < count; ++k) {
      const auto here = output.row(first + k);
      for (Index i = 0; i < p; ++i) {
        const bool missing = std::isnan(here(i));
        rows.row(k * p + i) = missing ? Eigen::RowVectorXd::Zero(size).eval() : response.row(i);
        right(k * p + i) = missing ? 0.0 : weights(i) * error(first + k, i);
      }
      response = (response * motion.F).eval();
    }
    if (!rows.allFinite()) return {};
    add_gram(rows, equations.H);
    equations.b += rows.transpose() * right;
    const double size_here = rows.cwiseAbs().maxCoeff();
    largest = std::max(largest, size_here);
    if (size_here < kOver * largest) break;
  }
  equations.H = dense::mirrored(equations.H);
  return equations;
}

// The smallest solution of H x = b with H scaled to a unit diagonal.
Eigen::VectorXd least_solution(const StartEquations& equations) {
  const Eigen::VectorXd scale = equations.H.diagonal().unaryExpr(
      [](double square) { return square > 0.0 ? 1.0 / std::sqrt(square) : 0.0; });
  const Eigen::MatrixXd scaled = scale.asDiagonal() * equations.H * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(scaled);
  const double floor = 1e-13 * solver.eigenvalues().maxCoeff();
  Eigen::VectorXd part = solver.eigenvectors().transpose() * scale.cwiseProduct(equations.b);
  for (Index i = 0; i < part.size(); ++i) {
    part(i) = solver.eigenvalues()(i) > floor ? part(i) / solver.eigenvalues()(i) : 0.0;
  }
  return scale.cwiseProduct(solver.eigenvectors() * part);
}

}  // namespace

Eigen::MatrixXd fitted_start(const Fit& fit, const model::SecondOrder& system,
                             const Eigen::VectorXd& weights) {
  const Index experiments = static_cast<Index>(fit.data.size());
  Eigen::MatrixXd start = Eigen::MatrixXd::Zero(2 * fit.coordinates(), experiments);
  if (!fit.free_start) return start;
  const FreeMotion motion = free_motion(fit, system);
  // The second round removes what the squared condition number leaves of the first.
  for (int round = 0; round < 2; ++round) {
    const std::vector<Eigen::MatrixXd> errors = differences(fit, predicted(fit, system, start));
    if (errors.empty()) return start;
    for (Index e = 0; e < experiments; ++e) {
      const std::size_t index = static_cast<std::size_t>(e);
      const StartEquations equations =
          start_equations(motion, fit.data[index].output, errors[index], weights);
      if (equations.H.size() > 0) start.col(e) += least_solution(equations);
    }
  }
  return start;
}

}  // namespace alembert::identify
