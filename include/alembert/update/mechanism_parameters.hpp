#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/model/flexible/description.hpp"
#include "alembert/model/flexible/mechanism.hpp"
#include "alembert/update/measured_modes.hpp"
#include "alembert/update/parametric_model.hpp"

/// Physical parameters of flexible mechanisms, and what sensors on them measure.
namespace alembert::update {

/// What a parameter of a flexible mechanism is.
enum class MechanismQuantity {
  Density,      ///< of the named body, or of all: a factor on the numbers of the description
  Modulus,      ///< Young's modulus, likewise a factor
  LumpMass,     ///< mass of the lump "body.point", kg
  LumpInertia,  ///< moment of inertia of the lump "body.point", kg m²
  Spring,       ///< stiffness of the named passive force, N/m or N m/rad
};
constexpr auto enum_names(MechanismQuantity) {
  return std::to_array<EnumName<MechanismQuantity>>(
      {{MechanismQuantity::Density, "density"},
       {MechanismQuantity::Modulus, "modulus"},
       {MechanismQuantity::LumpMass, "lump-mass"},
       {MechanismQuantity::LumpInertia, "lump-inertia"},
       {MechanismQuantity::Spring, "spring"}});
}

/// A parameter of a flexible mechanism. `parameter.nominal` is taken from the description.
struct MechanismParameter {
  MechanismQuantity quantity = MechanismQuantity::Modulus;
  std::string of = {};  ///< "body", "body.point" or the name of a spring; "" all bodies
  ModelParameter parameter = {};
};

/// The value that a description has. @throws InvalidInput for a name that is not there.
[[nodiscard]] double value_of(const model::flexible::FlexibleDescription& description,
                              const MechanismParameter& parameter);
/// The description with other values, in the order of the parameters. Lumps that are not there yet
/// are added. @throws InvalidInput likewise.
[[nodiscard]] model::flexible::FlexibleDescription with_values(
    model::flexible::FlexibleDescription description,
    const std::vector<MechanismParameter>& parameters,
    const Eigen::Ref<const Eigen::VectorXd>& values);

/// Small motions (u, q) about rest with their slopes in the parameters. M and K are linear in all
/// parameters but springs of a mechanism whose rest position moves with them: there the slopes hold
/// at the nominal values, and update_mechanism() takes them anew.
/// @param start coordinates from which the rest position is sought.
/// @throws InvalidInput for unknown names, or if no position at rest is found.
[[nodiscard]] ParametricModel mechanism_model(
    const model::flexible::FlexibleDescription& description,
    const Eigen::Ref<const Eigen::VectorXd>& start,
    const std::vector<MechanismParameter>& parameters);

/// A sensor of a displacement of "body.point", along an axis or as an angle.
struct MechanismSensor {
  std::string point = {};
  /// Zero: the angle of the body there.
  Eigen::Vector2d axis = Eigen::Vector2d::UnitX();
  /// Whether the axis turns with the body, as that of a sensor glued on it does; else it is one of
  /// the ground, as that of a camera.
  bool on_body = true;
};

/// y = C (u, q): absolute motion r(q) + u of the points at a position, in the frame of each sensor.
/// @param x (u, q, 0, 0). @throws InvalidInput for an unknown point or wrong sizes.
[[nodiscard]] model::SparseMatrix mechanism_sensors(
    const model::flexible::FlexibleMechanism& mechanism, const Eigen::Ref<const Eigen::VectorXd>& x,
    const std::vector<MechanismSensor>& sensors);

}  // namespace alembert::update
