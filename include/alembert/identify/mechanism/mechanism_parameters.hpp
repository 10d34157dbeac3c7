#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/model/planar/mechanism.hpp"
#include "alembert/optimize/minimise.hpp"

/// The numbers of a rigid mechanism by name: what can be identified from torques and motion.
namespace alembert::identify {

/// A mechanism with the numbers that its description has no place for.
struct MechanismValues {
  model::planar::MechanismDescription description;
  Eigen::VectorXd gains;    ///< of each force: force = gain × column (a motor constant)
  Eigen::VectorXd lengths;  ///< p of each geometry parameter, m
};

/// The values of a description: gains 1, lengths as they are.
[[nodiscard]] MechanismValues values_of(const model::planar::MechanismDescription& description);

/// A number that may be a parameter.
struct MechanismParameter {
  std::string name;       ///< "arm.mass", "hinge.damping", "motor.gain", "encoder.offset", ...
  std::string unit;       ///< in SI
  double value = 0.0;     ///< that of the description
  bool positive = false;  ///< it cannot be below 0
};

/// All numbers of a mechanism that may be parameters:
///
///   BODY.mass, BODY.inertia (about the centre of mass), BODY.centre.x, BODY.centre.y
///   PASSIVE.stiffness, .free, .preload, .damping, .coulomb, .breakaway (where one is given),
///           .stribeck-rate, .smooth-rate
///   FORCE.gain, SENSOR.offset, and geometry parameters by their own name.
[[nodiscard]] std::vector<MechanismParameter> mechanism_parameters(
    const model::planar::MechanismDescription& description);

/// The number of a name. @throws InvalidInput that quotes the name, with the nearest one.
[[nodiscard]] MechanismParameter mechanism_parameter(
    const model::planar::MechanismDescription& description, const std::string& name);

/// The same mechanism with other numbers. @throws InvalidInput for an unknown name.
[[nodiscard]] MechanismValues with_parameters(const MechanismValues& given,
                                              const std::vector<std::string>& names,
                                              const Eigen::Ref<const Eigen::VectorXd>& values);

/// A parameter to search for: its guess is the number of the description, its lower bound 0 where
/// it cannot be negative.
[[nodiscard]] optimize::Parameter unknown_parameter(
    const model::planar::MechanismDescription& description, const std::string& name);

}  // namespace alembert::identify
