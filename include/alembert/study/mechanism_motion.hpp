#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/model/planar/mechanism.hpp"
#include "alembert/model/time_formula.hpp"
#include "alembert/signal/piecewise_polynomial.hpp"
#include "alembert/signal/record.hpp"

/// A mechanism whose coordinates move as a study says.
namespace alembert::study {

/// How one coordinate moves.
struct CoordinateMotion {
  std::string coordinate;  ///< "angle(crank)"
  std::string words;       ///< the formula as written, or where its curve comes from
  std::variant<model::TimeFormula, signal::PiecewisePolynomial> function;
};

/// A mechanism and its motion.
struct MovedMechanism {
  std::shared_ptr<const model::planar::Mechanism> mechanism;  // constant, shared with results
  std::vector<CoordinateMotion> motion;                       ///< one for each coordinate
  Eigen::VectorXd lengths;  ///< how much longer the parameters of the mechanism are than given, m
  Place place;              ///< of [simulate.motion], for messages
};

/// Coordinates, velocities and accelerations, and a name and unit for each.
[[nodiscard]] std::vector<signal::Channel> coordinate_channels(
    const model::planar::Mechanism& mechanism);

/// z, z' and z'' at the times in s: one row for each time, 3n columns.
[[nodiscard]] Eigen::MatrixXd sampled_motion(const MovedMechanism& moved,
                                             const Eigen::Ref<const Eigen::VectorXd>& times);

/// Moves the mechanism along the times: one row for each, with z, z', z'' and then what each sensor
/// would read without error, in SI units and without offset.
/// @throws StudyError at [simulate.motion] with the time of the first position that cannot be
///   reached, and the joint or body behind it.
[[nodiscard]] Eigen::MatrixXd move_mechanism(const MovedMechanism& moved,
                                             const Eigen::Ref<const Eigen::VectorXd>& times);

}  // namespace alembert::study
