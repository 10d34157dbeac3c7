#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/model/planar/mechanism.hpp"

namespace alembert::estimate {

/// Whether a set of sensors fixes the coordinates, over many positions.
struct SensorSetReport {
  std::vector<int> sensors;  ///< those of the set
  int lowest_rank = 0;       ///< of S over all positions; n is needed
  double largest = 0.0;      ///< singular value of S over all positions
  /// Largest singular value of S anywhere over the smallest at the worst position, rows in
  /// standard deviations, lengths among the coordinates in sizes of the mechanism
  /// (Mechanism::size()); infinite if that is zero.
  double worst_condition = 0.0;
  Eigen::VectorXd worst_at;               ///< z there
  std::vector<Eigen::VectorXd> singular;  ///< positions where S has not full rank
  /// What is not seen at worst_at: the motion of the coordinates (rad or sizes), unit length.
  Eigen::VectorXd unseen;
};

/// A sensor, or two together, with which z is fixed at all places, and the worst condition then.
struct SensorSuggestion {
  model::planar::Sensor sensor;
  double worst_condition = 0.0;
  std::optional<model::planar::Sensor> second = std::nullopt;
};

/// Report on the sensors of a mechanism over a workspace.
struct [[nodiscard]] ObservabilityReport : Outcome {
  int coordinates = 0;
  int positions = 0;                     ///< tried, those between neighbours not counted
  int unreachable = 0;                   ///< of these, where the mechanism cannot be
  SensorSetReport position_sensors;      ///< encoders, lengths: they must fix z
  SensorSetReport rate_sensors;          ///< gyroscopes: inputs of the velocity form
  SensorSetReport acceleration_sensors;  ///< accelerometers: inputs of the acceleration form
  /// Position sensors and accelerometers with the mechanism at rest: the latter see through gravity
  /// how their bodies lie. S is the derivative of the readings by z there.
  SensorSetReport at_rest;
  bool input_form_velocity = false;  ///< possible, but for the singular positions listed
  bool input_form_acceleration = false;
  /// z is fixed at all places by the position sensors, or with what accelerometers see at rest.
  bool output_form = false;
  /// Sensors to add when z is not fixed, best first; empty when it is, and when neither one sensor
  /// nor two are enough.
  std::vector<SensorSuggestion> suggestions;
};

/// Where to look: a grid over a box of coordinates, or a list of places.
struct ObservabilityOptions {
  Eigen::VectorXd lower = {}, upper = {};  ///< n each
  /// Per coordinate, >= 2; the grid has points^n <= 1e5 places. 0: 37, fewer for several
  /// coordinates, and from 8 coordinates on a lattice of 25 to 1600 places in place of a grid.
  int points = 0;
  double largest_condition = 1e6;  ///< beyond this S counts as rank-deficient
  /// Places x n: these are looked at in place of the box, which then only bounds what is between.
  Eigen::MatrixXd places = {};
};

/// Ranks and conditions of S over a workspace, and what is missing.
///
/// From the places where the least singular value of S is smallest its minimum is sought between
/// them: along the line for one coordinate, which finds dead centres that fall between places; by
/// steepest descent for several, which may miss some. A full rank is a statement on the places
/// tried, not a proof for the whole workspace.
///
/// z, z', z'' follow from the position sensors alone where these have rank n: derivatives in time
/// come with the motion model. Rates and accelerations sharpen them.
/// @param start an assembled state, from which the grid is reached.
/// @throws InvalidInput for wrong sizes, empty ranges, or a state that is not assembled.
[[nodiscard]] ObservabilityReport examine_sensors(const model::planar::Mechanism& mechanism,
                                                  const model::planar::MechanismState& start,
                                                  const ObservabilityOptions& options);

}  // namespace alembert::estimate
