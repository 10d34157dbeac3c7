#include "identify/acceleration/fit/unit_dependence.hpp"

#include <cmath>

namespace alembert::identify {
namespace {

using Eigen::VectorXd;

constexpr double kUnitRatio = 9.80665;  // m/s² in a g
constexpr double kSameDegree = 0.01;

// Acceleration at x, v; NaN if it cannot be had.
double acceleration_at(const EquationOfMotion& equation, const VectorXd& parameters, double x,
                       double v) {
  const SimulatedMotion motion = simulate_motion(equation, parameters, x, v, 1e-6, 1);
  return motion.ok() && motion.acceleration.size() > 0 ? motion.acceleration(0) : std::nan("");
}

// What parameter i adds to the acceleration at x, v: it enters linearly, so any change will do.
double term_at(const EquationOfMotion& equation, const VectorXd& parameters, Eigen::Index i,
               double x, double v) {
  VectorXd more = parameters;
  more(i) += std::abs(parameters(i)) + 1.0;
  return acceleration_at(equation, more, x, v) - acceleration_at(equation, parameters, x, v);
}

}  // namespace

std::vector<UnitDependence> unit_dependence(const EquationOfMotion& equation,
                                            const RecordFit& record) {
  const VectorXd& parameters = record.parameters();
  if (!equation.setup.inputs.empty() || !parameters.allFinite()) return {};
  if (!record.motion.ok() || record.motion.displacement.size() == 0) return {};
  const double x = record.motion.displacement.cwiseAbs().maxCoeff();
  const double v = record.motion.velocity.cwiseAbs().maxCoeff();
  std::vector<UnitDependence> list;
  for (std::size_t i = 0; i < equation.parameters().size(); ++i) {
    if (!equation.linear[i]) continue;
    const auto k = static_cast<Eigen::Index>(i);
    // φ(s x, s v) = s^d φ(x, v), and p φ(x, v) = x'' makes p proportional to s^(1 - d).
    const double ratio = term_at(equation, parameters, k, kUnitRatio * x, kUnitRatio * v) /
                         term_at(equation, parameters, k, x, v);
    if (!(ratio > 0.0) || !std::isfinite(ratio)) continue;
    const double degree = std::log(ratio) / std::log(kUnitRatio);
    if (std::abs(degree - 1.0) < kSameDegree) continue;
    list.push_back({equation.parameters()[i], std::pow(kUnitRatio, 1.0 - degree)});
  }
  return list;
}

}  // namespace alembert::identify
