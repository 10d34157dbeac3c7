#include "alembert/estimate/force/force_balance.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/error.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using model::planar::Force;
using model::planar::Mechanism;
using model::planar::MechanismState;

[[noreturn]] void refuse_forces(const char* function, const std::string& what,
                                const std::string& rule, const std::string& value) {
  throw InvalidInput({.function = function, .argument = what, .rule = rule, .value = value});
}

int cells_of(const Mechanism& mechanism, int force) {
  int cells = 0;
  for (int s = 0; s < mechanism.sensors(); ++s) {
    cells += mechanism.force_read_by(s) == force ? 1 : 0;
  }
  return cells;
}

void check_cells(const char* function, const Mechanism& mechanism) {
  const std::vector<Force>& forces = mechanism.description().forces;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    if (!forces[i].known) continue;
    const int cells = cells_of(mechanism, static_cast<int>(i));
    if (cells == 1) continue;
    refuse_forces(function, fmt::format("force '{}'", forces[i].name),
                  cells == 0 ? "must have a sensor of kind force or torque, or be unknown"
                             : "must have one sensor",
                  cells == 0 ? "none" : fmt::format("{}", cells));
  }
}

void check_masses(const char* function, const Mechanism& mechanism) {
  const auto& bodies = mechanism.description().bodies;
  const bool some = std::any_of(bodies.begin(), bodies.end(), [](const auto& body) {
    return body.mass > 0.0 || body.inertia > 0.0;
  });
  if (!some) refuse_forces(function, "masses", "must be given where forces are sought", "none");
}

}  // namespace

void check_unknown_forces(const char* function, const Mechanism& mechanism) {
  check_cells(function, mechanism);
  const std::vector<Force>& forces = mechanism.description().forces;
  const auto unknown =
      std::count_if(forces.begin(), forces.end(), [](const Force& one) { return !one.known; });
  if (unknown > mechanism.coordinates()) {
    refuse_forces(function, "unknown forces",
                  fmt::format("must be at most as many as coordinates, {}: no record tells more "
                              "of them apart",
                              mechanism.coordinates()),
                  fmt::format("{}", unknown));
  }
  check_masses(function, mechanism);
}

ForceBalance::ForceBalance(const Mechanism& mechanism) {
  const std::vector<Force>& forces = mechanism.description().forces;
  int known = 0;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    rows_.push_back(forces[i].known ? known++ : -1);
    if (!forces[i].known) unknown_.push_back(static_cast<int>(i));
  }
  check_unknown_forces("ForceBalance", mechanism);
  if (known != mechanism.coordinates()) {
    refuse_forces("ForceBalance", "measured forces",
                  fmt::format("must be as many as coordinates, {}", mechanism.coordinates()),
                  fmt::format("{}", known));
  }
  forces_.resize(forces.size());
  dynamics_ = mechanism.make_dynamics();
  const Index n = mechanism.coordinates();
  lu_ = model::planar::SmallLu(mechanism.coordinates());
  by_z = by_zd = by_zdd = Eigen::MatrixXd::Zero(n, n);
  by_p = Eigen::MatrixXd::Zero(n, mechanism.parameters());
  by_unknown = Eigen::MatrixXd::Zero(n, unknown());
}

bool ForceBalance::solve(const Mechanism& mechanism, const MechanismState& state,
                         std::span<const double> unknown) noexcept {
  std::fill(forces_.begin(), forces_.end(), 0.0);
  for (std::size_t i = 0; i < unknown_.size(); ++i) {
    forces_[static_cast<std::size_t>(unknown_[i])] = unknown[i];
  }
  mechanism.reduced_dynamics(state, dynamics_);
  mechanism.inverse_dynamics(forces_, state, dynamics_);
  std::copy_n(dynamics_.B1.data(), dynamics_.B1.size(), lu_.data());
  if (!lu_.factor()) return false;
  // B1 F1 = M z'' + bias − B2 F2
  lu_.solve(dynamics_.tau.data());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i] >= 0) forces_[i] = dynamics_.tau(rows_[i]);
  }
  return true;
}

void ForceBalance::divide(Eigen::MatrixXd& columns) noexcept {
  for (Index j = 0; j < columns.cols(); ++j) lu_.solve(columns.data() + j * columns.rows());
}

// With all forces at their values τ is zero, and stays so: B1 dF1 = ∂τ/∂z dz + ... − B2 dF2.
void ForceBalance::differentiate(const Mechanism& mechanism, const MechanismState& state) noexcept {
  mechanism.differentiate_dynamics(forces_, state, dynamics_);
  by_z = dynamics_.tau_z;
  by_zd = dynamics_.tau_zd;
  by_zdd = dynamics_.M;
  by_p = dynamics_.tau_p;
  by_unknown = -dynamics_.B2;
  for (Eigen::MatrixXd* part : {&by_z, &by_zd, &by_zdd, &by_p, &by_unknown}) divide(*part);
}

}  // namespace alembert::estimate
