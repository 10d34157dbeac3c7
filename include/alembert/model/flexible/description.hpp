#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/model/planar/description.hpp"

/// Planar mechanisms with flexible links. See docs/theory/flexible.md.
namespace alembert::model::flexible {

/// Cross-section and material of a straight beam.
struct BeamSection {
  double area = 0.0;           ///< A, m², > 0
  double second_moment = 0.0;  ///< I about the axis normal to the plane, m⁴, > 0
  double modulus = 0.0;        ///< Young's modulus E, N/m², > 0
  double density = 0.0;        ///< ρ, kg/m³, > 0
};

/// A solid round section: A = π d²/4, I = π d⁴/64.
/// @param mass_per_length kg/m. @throws InvalidInput unless all are positive.
[[nodiscard]] BeamSection round_section(double diameter, double modulus, double mass_per_length);
/// A rectangle with its height in the plane: A = b h, I = b h³/12.
/// @throws InvalidInput unless all are positive.
[[nodiscard]] BeamSection rectangular_section(double width, double height, double modulus,
                                              double density);

/// A mass and a moment of inertia at a point of a flexible body: a joint, a motor.
struct Lump {
  std::string point = {};  ///< a named point of the body
  double mass = 0.0;       ///< kg, >= 0
  double inertia = 0.0;    ///< kg m², >= 0
};

/// A body of the mechanism that bends and stretches along the x axis of its frame, from its first
/// named point to its last. All its points lie on this axis, and each is a node.
struct FlexibleBody {
  std::string name = {};
  BeamSection section = {};
  /// Elements, at least one for each span between named points; spans are parted evenly.
  int elements = 1;
  std::vector<Lump> lumps = {};
};

/// Which terms the equations of motion keep.
enum class FlexibleEquations {
  Published,  ///< [MultibodyThesis, eq. (4.23)]: without terms of the order of u w² and u q''
  Complete,   ///< all that Lagrange's equations of the same kinematics have: energy is conserved
};
constexpr auto enum_names(FlexibleEquations) {
  return std::to_array<EnumName<FlexibleEquations>>(
      {{FlexibleEquations::Published, "published"}, {FlexibleEquations::Complete, "complete"}});
}

/// A mechanism some bodies of which are flexible.
///
/// Joints: revolute and fixed ones, and prismatic ones between the ground and a rigid body. A rigid
/// body has its centre of mass and all its joints at one point: a slider, a hub. Forces: torques
/// and point forces; "body" alone means the first point of the body. Passive: springs and dampers
/// (length and angle) without friction. Sensors are not read.
struct FlexibleDescription {
  planar::MechanismDescription mechanism = {};
  std::vector<FlexibleBody> bodies = {};
  double mass_damping = 0.0;       ///< α of C = α M + β K, 1/s, >= 0
  double stiffness_damping = 0.0;  ///< β, s, >= 0
  FlexibleEquations equations = FlexibleEquations::Complete;
  /// Complete form: tension stiffens a beam against bending, as in fast rotation.
  bool geometric_stiffening = false;
};

}  // namespace alembert::model::flexible
