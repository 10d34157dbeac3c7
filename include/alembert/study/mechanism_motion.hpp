#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/model/planar/move_mechanism.hpp"

/// A mechanism whose coordinates move as a study says.
namespace alembert::study {

/// How one coordinate moves.
struct CoordinateMotion {
  std::string coordinate;  ///< "angle(crank)"
  std::string words;       ///< the formula as written, or where its curve comes from
  model::planar::CoordinateLaw law;
};

/// How an unknown force of a mechanism acts while it moves.
struct UnknownForce {
  std::string name;
  std::string words;  ///< the formula as written
  model::TimeFormula law;
};

/// A mechanism and its motion.
struct MovedMechanism {
  std::shared_ptr<const model::planar::Mechanism> mechanism;  // constant, shared with results
  std::vector<CoordinateMotion> motion;                       ///< one for each coordinate
  /// One for each unknown force, where force cells are to read the others; else empty.
  std::vector<UnknownForce> forces;
  Eigen::VectorXd lengths;  ///< how much longer the parameters of the mechanism are than given, m
  Place place;              ///< of [simulate.motion], for messages
  model::planar::Assemblies assemblies = {};  ///< at the first sample

  /// The laws of the coordinates, in their order.
  [[nodiscard]] std::vector<model::planar::CoordinateLaw> laws() const;
};

}  // namespace alembert::study
