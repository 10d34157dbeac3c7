#pragma once

// The places of a workspace where sensors are examined.

#include <Eigen/Core>
#include <vector>

#include "alembert/estimate/kinematic_observability.hpp"

namespace alembert::estimate {

/// Checks the options. @throws InvalidInput as examine_sensors().
void check_workspace(const model::planar::Mechanism& mechanism,
                     const ObservabilityOptions& options);

/// Places along each coordinate of the grid; 0 if a grid would have too few of them for its cost.
[[nodiscard]] int grid_points(const ObservabilityOptions& options, Eigen::Index coordinates);

/// The places of the options, a grid with neighbours one after the other, or a lattice.
[[nodiscard]] std::vector<Eigen::VectorXd> places_of(const ObservabilityOptions& options,
                                                     Eigen::Index coordinates);

/// Moves a mechanism about.
class Walker {
 public:
  Walker(const model::planar::Mechanism& mechanism, const model::planar::MechanismState& start)
      : mechanism_(mechanism), start_(start), state_(start) {}

  /// From where it is, else from the start.
  bool reach(const Eigen::VectorXd& z);
  [[nodiscard]] const model::planar::MechanismState& state() const { return state_; }
  /// The state with the derivatives of a mechanism at rest.
  [[nodiscard]] const model::planar::MechanismState& at_rest();

 private:
  const model::planar::Mechanism& mechanism_;
  const model::planar::MechanismState& start_;
  model::planar::MechanismState state_;
};

}  // namespace alembert::estimate
