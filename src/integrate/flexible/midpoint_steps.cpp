#include <cmath>
#include <limits>

#include "integrate/flexible/flexible_system.hpp"

namespace alembert::integrate {
namespace {

using Eigen::Index;

constexpr int kMostCorrections = 30;
// Of the size of the velocities: what is left of the iteration must not show in the energy. Where
// long steps meet stiff elements rounding is more, and the iteration ends where it gains no more.
constexpr double kSmallCorrection = 1e-12;
constexpr double kLargestRounding = 1e-8;

}  // namespace

MidpointSteps::MidpointSteps(const model::flexible::FlexibleMechanism& mechanism,
                             FlexibleSystem& system)
    : mechanism_(mechanism), system_(system) {
  const auto states = static_cast<Index>(system.states());
  middle_ = slope_ = Eigen::VectorXd::Zero(states);
  residual_ = correction_ = Eigen::VectorXd::Zero(mechanism.unknowns());
}

void MidpointSteps::factor(double h) {
  const Index ne = mechanism_.elastic();
  const model::flexible::FlexibleMatrices nodes = mechanism_.matrices(system_.state());
  const model::flexible::FlexibleDescription& description = mechanism_.description();
  mass_ = mechanism_.mass(system_.state());
  // M and the stiff part of the forces: h²/4 K + h/2 (α M + β K) of the displacements
  Eigen::MatrixXd newton = mass_;
  newton.topLeftCorner(ne, ne) +=
      (0.25 * h * h + 0.5 * h * description.stiffness_damping) * nodes.K.topLeftCorner(ne, ne) +
      0.5 * h * description.mass_damping * nodes.M.topLeftCorner(ne, ne);
  factors_.compute(newton);
  factored_step_ = h;
}

// The unknown is the velocity v in the middle: with positions x + h/2 v the residual
// r = v − v_0 − h/2 x''(x + h/2 v, v) changes by (I + h/2 M⁻¹D + h²/4 M⁻¹K) dv.
void MidpointSteps::correct(double h) {
  const Index n = mechanism_.unknowns();
  correction_.noalias() = mass_ * residual_;
  factors_.solveInPlace(correction_);
  middle_.segment(n, n) -= correction_;
  middle_.head(n) -= 0.5 * h * correction_;
}

bool MidpointSteps::iterate(double t, double h, const Eigen::VectorXd& x) {
  const Index n = mechanism_.unknowns();
  middle_ = x;
  middle_.head(n) += 0.5 * h * x.segment(n, n);
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < kMostCorrections; ++iteration) {
    system_.derivative(t + 0.5 * h, middle_.data(), nullptr, slope_.data());
    residual_ = middle_.segment(n, n) - x.segment(n, n) - 0.5 * h * slope_.segment(n, n);
    const double size =
        middle_.segment(n, n).cwiseAbs().maxCoeff() + x.segment(n, n).cwiseAbs().maxCoeff();
    const double error = residual_.cwiseAbs().maxCoeff();
    if (!std::isfinite(error)) return false;
    const bool slow = error > 0.3 * last;
    if (error <= kSmallCorrection * size || (slow && error <= kLargestRounding * size)) return true;
    if (slow) factor(h);
    last = error;
    correct(h);
  }
  return false;
}

bool MidpointSteps::step(double t, double h, Eigen::VectorXd& x) {
  bool reached = h == factored_step_ && iterate(t, h, x);
  if (!reached) {
    if (!system_.move(t, x.data())) return false;
    factor(h);
    reached = iterate(t, h, x);
  }
  if (reached) x += h * slope_;
  return reached;
}

}  // namespace alembert::integrate
