#include "alembert/model/planar/equilibrium.hpp"

#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::model::planar {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr int kMostRestSteps = 100;
constexpr int kMostStepHalvings = 30;
// Rounding of sums of loads; the search ends there.
constexpr double kBalanced = 1e-12;

std::span<const double> span_of(const VectorXd& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}

// A mechanism at rest, with the balance and its derivatives.
struct AtRest {
  const Mechanism& mechanism;
  std::span<const double> forces;
  MechanismState state;
  ReducedDynamics dynamics;

  bool take(const VectorXd& z) {
    if (mechanism.solve_position(span_of(z), state) != StepStatus::Success) return false;
    const VectorXd zero = VectorXd::Zero(z.size());
    mechanism.solve_velocity(span_of(zero), state);
    mechanism.inverse_dynamics(forces, state, dynamics);
    return dynamics.tau.allFinite();
  }
  void differentiate() {
    mechanism.reduced_dynamics(state, dynamics);
    mechanism.differentiate(state);
    mechanism.differentiate_dynamics(forces, state, dynamics);
  }
  [[nodiscard]] bool balanced() const {
    return dynamics.tau.lpNorm<Eigen::Infinity>() <=
           kBalanced * (1.0 + dynamics.load.lpNorm<Eigen::Infinity>());
  }
};

AtRest assembled_at(const char* name, const Mechanism& mechanism, const VectorXd& z,
                    std::span<const double> forces, Assembly& assembly) {
  check::size(name, "coordinates", z.size(), mechanism.coordinates());
  const std::size_t count = mechanism.description().forces.size();
  if (!forces.empty()) {
    check::size(name, "forces", static_cast<long long>(forces.size()),
                static_cast<long long>(count));
  }
  AtRest rest{mechanism, forces, mechanism.make_state(), mechanism.make_dynamics()};
  assembly = mechanism.assemble(z, rest.state);
  return rest;
}

// z + s step with the longest s = 1, ½, ... that lowers |τ|; false if none does.
bool lower(const VectorXd& step, AtRest& rest, VectorXd& z) {
  const double before = rest.dynamics.tau.norm();
  const VectorXd from = z;
  double s = 1.0;
  for (int k = 0; k < kMostStepHalvings; ++k, s *= 0.5) {
    z = from + s * step;
    if (rest.take(z) && rest.dynamics.tau.norm() < before) return true;
  }
  z = from;
  (void)rest.take(z);
  return false;
}

}  // namespace

Equilibrium find_equilibrium(const Mechanism& mechanism, const Eigen::Ref<const VectorXd>& start,
                             std::span<const double> forces) {
  Equilibrium found;
  found.z = start;
  Assembly assembly;
  AtRest rest = assembled_at("find_equilibrium", mechanism, found.z, forces, assembly);
  if (!assembly.ok() || !rest.take(found.z)) {
    found.status = assembly.ok() ? Status::NotFinite : assembly.status;
    found.message = assembly.ok() ? "the forces are not finite at the start" : assembly.message;
    return found;
  }
  while (!rest.balanced() && found.iterations < kMostRestSteps) {
    rest.differentiate();
    const Eigen::FullPivLU<Eigen::MatrixXd> slope(rest.dynamics.tau_z);
    const VectorXd step = slope.solve(-rest.dynamics.tau);
    if (!slope.isInvertible() || !lower(step, rest, found.z)) break;
    ++found.iterations;
  }
  found.residual = rest.dynamics.tau.lpNorm<Eigen::Infinity>();
  rest.differentiate();
  if (!rest.balanced()) {
    found.status = Status::NotConverged;
    found.message =
        "no rest position was reached from the start: begin nearer to it, or look "
        "whether springs and gravity hold every coordinate";
    return found;
  }
  const Eigen::MatrixXd& K = rest.dynamics.tau_z;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> valley(0.5 * (K + K.transpose()));
  found.stable = valley.eigenvalues()(0) > 0.0;
  return found;
}

SecondOrder linearise(const Mechanism& mechanism, const Eigen::Ref<const VectorXd>& z,
                      std::span<const double> forces) {
  Assembly assembly;
  const VectorXd at = z;
  AtRest rest = assembled_at("linearise", mechanism, at, forces, assembly);
  if (!assembly.ok() || !rest.take(at)) {
    throw InvalidInput({.function = "linearise",
                        .rule = assembly.ok() ? "needs finite forces" : assembly.message});
  }
  rest.differentiate();
  const auto& list = mechanism.description().forces;
  Eigen::MatrixXd B(mechanism.coordinates(), static_cast<Index>(list.size()));
  Index known = 0;
  Index unknown = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    B.col(static_cast<Index>(i)) =
        list[i].known ? rest.dynamics.B1.col(known++) : rest.dynamics.B2.col(unknown++);
  }
  return {rest.dynamics.M, rest.dynamics.tau_zd, rest.dynamics.tau_z, B};
}

}  // namespace alembert::model::planar
