#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/model/planar/mechanism.hpp"

namespace alembert::estimate {

/// Whether a set of sensors fixes the coordinates, over many positions.
struct SensorSetReport {
  std::vector<int> sensors;  ///< those of the set
  int lowest_rank = 0;       ///< of S over all positions; n is needed
  /// Largest singular value of S anywhere over the smallest at the worst position, rows in
  /// standard deviations; infinite if that is zero.
  double worst_condition = 0.0;
  Eigen::VectorXd worst_at;               ///< z there
  std::vector<Eigen::VectorXd> singular;  ///< positions where S has not full rank
  /// What is not seen at worst_at: the motion of the coordinates, unit length.
  Eigen::VectorXd unseen;
};

/// A sensor that would help, and the worst condition of the positions with it.
struct SensorSuggestion {
  model::planar::Sensor sensor;
  double worst_condition = 0.0;
};

/// Report on the sensors of a mechanism over a workspace.
struct [[nodiscard]] ObservabilityReport : Outcome {
  int coordinates = 0;
  int positions = 0;                     ///< tried
  int unreachable = 0;                   ///< of these, where the mechanism cannot be
  SensorSetReport position_sensors;      ///< encoders, lengths: they must fix z
  SensorSetReport rate_sensors;          ///< gyroscopes: inputs of the velocity form
  SensorSetReport acceleration_sensors;  ///< accelerometers: inputs of the acceleration form
  bool input_form_velocity = false;      ///< possible, but for the singular positions listed
  bool input_form_acceleration = false;
  bool output_form = false;  ///< positions fix z everywhere
  /// Sensors to add when z is not fixed, best first; empty when it is.
  std::vector<SensorSuggestion> suggestions;
};

/// Where to look: a grid over a box of coordinates.
struct ObservabilityOptions {
  Eigen::VectorXd lower = {}, upper = {};  ///< n each
  int points = 37;                 ///< per coordinate, >= 2; the grid has points^n <= 1e5 places
  double largest_condition = 1e6;  ///< beyond this S counts as rank-deficient
};

/// Ranks and conditions of S over a grid of the workspace, and what is missing.
///
/// z, z', z'' follow from the position sensors alone where these have rank n: derivatives in time
/// come with the motion model. Rates and accelerations sharpen them.
/// @param start an assembled state, from which the grid is reached.
/// @throws InvalidInput for wrong sizes, empty ranges, or a state that is not assembled.
[[nodiscard]] ObservabilityReport examine_sensors(const model::planar::Mechanism& mechanism,
                                                  const model::planar::MechanismState& start,
                                                  const ObservabilityOptions& options);

}  // namespace alembert::estimate
