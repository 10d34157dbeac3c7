#include "identify/partial/residue_model/levenberg.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"

namespace alembert::identify {

namespace {

constexpr double kFirstDamping = 1e-3;
constexpr double kSmallestDamping = 1e-12;
constexpr int kMaxRejections = 12;

// One step that lowers the cost, or false.
bool improve(const LevenbergCost& cost, const LevenbergSums& normal, double& damping,
             LevenbergResult& result) {
  const Eigen::VectorXd scale = normal.matrix.diagonal().unaryExpr(
      [](double square) { return square > 0.0 ? 1.0 / std::sqrt(square) : 1.0; });
  const Eigen::MatrixXd H = scale.asDiagonal() * normal.matrix * scale.asDiagonal();
  for (int rejections = 0; rejections <= kMaxRejections; ++rejections, damping *= 8.0) {
    Eigen::MatrixXd damped = H;
    damped.diagonal().array() += damping;
    const Eigen::LLT<Eigen::MatrixXd> factor(damped);
    if (factor.info() != Eigen::Success) continue;
    const Eigen::VectorXd change =
        scale.cwiseProduct(factor.solve(scale.cwiseProduct(normal.gradient)));
    Eigen::VectorXd theta = result.theta + change;
    const double value = cost(theta, nullptr);
    if (value < result.cost) {
      result.theta = std::move(theta);
      result.cost = value;
      damping = std::max(damping / 10.0, kSmallestDamping);
      return true;
    }
  }
  return false;
}

}  // namespace

void LevenbergSums::reset(Eigen::Index unknowns) {
  matrix.setZero(unknowns, unknowns);
  gradient.setZero(unknowns);
}

void LevenbergSums::finish() { matrix = dense::mirrored(matrix); }

LevenbergResult levenberg(const LevenbergCost& cost, Eigen::VectorXd start,
                          const LevenbergOptions& options) {
  LevenbergResult result;
  result.theta = std::move(start);
  LevenbergSums normal;
  double damping = kFirstDamping;
  result.cost = cost(result.theta, &normal);
  if (!std::isfinite(result.cost)) return result;
  while (result.iterations < options.max_iterations) {
    const double before = result.cost;
    ++result.iterations;
    if (!improve(cost, normal, damping, result)) break;
    if (before - result.cost < options.tolerance * before) break;
    (void)cost(result.theta, &normal);
  }
  return result;
}

}  // namespace alembert::identify
