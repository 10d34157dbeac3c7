#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/model/planar/move_mechanism.hpp"

/// A mechanism that moves as a study says, or by its masses and forces.
namespace alembert::study {

/// How one coordinate moves.
struct CoordinateMotion {
  std::string coordinate;  ///< "angle(crank)"
  std::string words;       ///< the formula as written, or where its curve comes from
  model::planar::CoordinateLaw law;
};

/// How a force of a mechanism acts while it moves.
struct ForceLaw {
  std::string name;
  std::string words;  ///< the formula as written
  model::TimeFormula law;
};

/// Where a mechanism is let go that moves by its masses and forces.
struct ReleasedMechanism {
  Eigen::VectorXd z;   ///< coordinates, rad or m
  Eigen::VectorXd zd;  ///< their rates
};

/// A mechanism and its motion.
struct MovedMechanism {
  std::shared_ptr<const model::planar::Mechanism> mechanism;  // constant, shared with results
  std::vector<CoordinateMotion> motion;                       ///< one for each, or `released`
  std::optional<ReleasedMechanism> released = {};             ///< in place of `motion`
  /// Released: one for each force. Else one for each unknown force, where force cells are to read
  /// the others, and none without cells.
  std::vector<ForceLaw> forces;
  Eigen::VectorXd lengths;  ///< how much longer the parameters of the mechanism are than given, m
  Place place;              ///< of [simulate.motion] or [simulate.start], for messages
  model::planar::Assemblies assemblies = {};  ///< at the first sample

  /// The laws of the coordinates, in their order.
  [[nodiscard]] std::vector<model::planar::CoordinateLaw> laws() const;
  /// Coordinates at the first sample.
  [[nodiscard]] Eigen::VectorXd first() const;
  /// Whether the forces are known along the motion.
  [[nodiscard]] bool has_forces() const;
};

}  // namespace alembert::study
