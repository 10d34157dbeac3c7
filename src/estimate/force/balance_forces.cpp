#include <fmt/format.h>

#include "alembert/core/check.hpp"
#include "alembert/estimate/force/force_balance.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::VectorXd;
using model::planar::Mechanism;
using model::planar::MechanismState;

// The mechanism at a row of the path; false if it cannot be there.
bool take_row(const Mechanism& mechanism, const model::planar::CoordinatePath& path, Index k,
              MechanismState& state) {
  const auto n = static_cast<std::size_t>(mechanism.coordinates());
  const VectorXd z = path.z.row(k);
  const VectorXd zd = path.zd.row(k);
  const VectorXd zdd = path.zdd.row(k);
  if (mechanism.solve_position({z.data(), n}, state) != model::planar::StepStatus::Success) {
    return false;
  }
  mechanism.solve_velocity({zd.data(), n}, state);
  mechanism.solve_acceleration({zdd.data(), n}, state);
  return true;
}

}  // namespace

bool has_force_cells(const Mechanism& mechanism) {
  for (int s = 0; s < mechanism.sensors(); ++s) {
    if (mechanism.force_read_by(s) >= 0) return true;
  }
  return false;
}

BalancedForces balance_forces(const Mechanism& mechanism, const Eigen::Ref<const VectorXd>& times,
                              const model::planar::CoordinatePath& path,
                              const Eigen::Ref<const Eigen::MatrixXd>& unknown,
                              const Eigen::Ref<const VectorXd>& lengths) {
  ForceBalance balance(mechanism);
  check::shape("balance_forces", "path.z", path.z, times.size(), mechanism.coordinates());
  check::shape("balance_forces", "unknown", unknown, times.size(), balance.unknown());
  const std::vector<model::planar::Force>& forces = mechanism.description().forces;
  BalancedForces found;
  found.forces.resize(times.size(), static_cast<Index>(forces.size()));
  MechanismState state = mechanism.make_state();
  if (lengths.size() > 0) state.p = lengths;
  const model::planar::Assembly assembly = mechanism.assemble(path.z.row(0).transpose(), state);
  found.status = assembly.status;
  found.message = assembly.message;
  for (Index k = 0; k < times.size() && found.ok(); ++k) {
    const VectorXd acting = unknown.row(k);
    const bool reached = take_row(mechanism, path, k, state);
    if (!reached || !balance.solve(mechanism, state,
                                   {acting.data(), static_cast<std::size_t>(acting.size())})) {
      found.status = reached ? Status::NotIdentifiable : Status::NotConverged;
      found.message = fmt::format("at {:.6g} s {}", times(k),
                                  reached ? "the measured forces cannot hold the mechanism"
                                          : "the mechanism cannot be there");
      break;
    }
    for (std::size_t i = 0; i < forces.size(); ++i) {
      found.forces(k, static_cast<Index>(i)) = balance.value(static_cast<int>(i));
    }
  }
  return found;
}

}  // namespace alembert::estimate
