#pragma once

#include <Eigen/Core>

#include "alembert/core/enum_names.hpp"

/// Matrices of finite elements in the axes of the mesh. Masses are consistent with the shape
/// functions unless an element says otherwise.
namespace alembert::model {

/// Linear, isotropic, elastic.
struct Material {
  double density = 7850.0;  ///< kg/m³
  double young = 210e9;     ///< Young's modulus E, Pa
  double poisson = 0.3;     ///< Poisson's ratio, in (-1, 0.5)
};

/// What a thin (stress) or a thick (strain) plate does across its plane.
enum class PlaneState {
  Stress,  ///< no stress across the plane
  Strain   ///< no strain across the plane
};
constexpr auto enum_names(PlaneState) {
  return std::to_array<EnumName<PlaneState>>(
      {{PlaneState::Stress, "plane-stress"}, {PlaneState::Strain, "plane-strain"}});
}

/// M and K of an element. Rows go node by node, the directions of a node together.
struct ElementMatrices {
  Eigen::MatrixXd mass;
  Eigen::MatrixXd stiffness;
};

/// Quadrilateral with four nodes, bilinear, 2 x 2 Gauss points. Directions x, y.
/// @param places 4 x 2, corners counter-clockwise, m.
/// @throws InvalidInput if the element is inverted or flat at a Gauss point, or a number is not
///   allowed.
[[nodiscard]] ElementMatrices quad4(const Eigen::Ref<const Eigen::MatrixXd>& places,
                                    const Material& material, double thickness, PlaneState state);

/// Brick with eight nodes, trilinear, 2 x 2 x 2 Gauss points. Directions x, y, z.
///
/// With incompatible modes Σ_k (1 - ξ_k²) a_k added to the displacement, gradients with the
/// Jacobian of the centre times det J0 / det J, so that the patch test holds; the nine unknowns a
/// are condensed. The mass is that of the nodes alone.
/// @param places 8 x 3: the corners of the face ζ = -1 counter-clockwise, then those above them, m.
/// @throws InvalidInput as quad4().
[[nodiscard]] ElementMatrices hex8(const Eigen::Ref<const Eigen::MatrixXd>& places,
                                   const Material& material, bool incompatible_modes = true);

/// Tetrahedron with four nodes, constant strain: stiff in bending, better taken with ten nodes.
/// Directions x, y, z.
/// @param places 4 x 3: three corners counter-clockwise as seen from the fourth's far side, so that
///   the fourth lies above them, m.
/// @throws InvalidInput as quad4().
[[nodiscard]] ElementMatrices tet4(const Eigen::Ref<const Eigen::MatrixXd>& places,
                                   const Material& material);

/// Tetrahedron with ten nodes, quadratic; edges may be curved. Stiffness by four points, mass by
/// 64, which is exact for straight edges. Directions x, y, z.
/// @param places 10 x 3: the corners as of tet4(), then the middles of the edges 1-2, 2-3, 3-1,
/// 1-4,
///   2-4, 3-4, m.
/// @throws InvalidInput as quad4().
[[nodiscard]] ElementMatrices tet10(const Eigen::Ref<const Eigen::MatrixXd>& places,
                                    const Material& material);

/// Section of a beam.
struct BeamSection {
  double area = 0.0;     ///< A, m²
  double inertia = 0.0;  ///< second moment I of area for bending in the plane, m⁴
};

/// Euler-Bernoulli beam in the x-y plane, directions x, y, rz at each end: cubic bending, linear
/// axial motion.
/// @param places 2 x 2, the ends, m.
/// @throws InvalidInput if the ends coincide or a number is not allowed.
[[nodiscard]] ElementMatrices plane_beam(const Eigen::Ref<const Eigen::MatrixXd>& places,
                                         const Material& material, const BeamSection& section);

/// Section of a beam in space, with its principal axes. Local x is along the beam, local y lies in
/// the plane of x and `up`.
struct SpaceSection {
  double area = 0.0;       ///< A, m²
  double inertia_y = 0.0;  ///< second moment of area about local y, for bending in x-z, m⁴
  double inertia_z = 0.0;  ///< about local z, for bending in x-y, m⁴
  double torsion = 0.0;    ///< torsion constant J, m⁴
  double shear_y = 0.0;  ///< shear area for forces along local y, m²; 0: no shear (Euler-Bernoulli)
  double shear_z = 0.0;                          ///< along local z
  Eigen::Vector3d up = Eigen::Vector3d::Zero();  ///< zero: the y axis of the mesh, or x along it
};

/// Beam in space, directions x, y, z, rx, ry, rz at each end: axial, torsion, bending in two
/// planes. With shear areas it is Timoshenko's, with shape functions that are exact for loads at
/// the ends; the mass has the rotation of the sections.
/// @param places 2 x 3, the ends, m.
/// @throws InvalidInput if the ends coincide, `up` is along the beam, or a number is not allowed.
[[nodiscard]] ElementMatrices space_beam(const Eigen::Ref<const Eigen::MatrixXd>& places,
                                         const Material& material, const SpaceSection& section);

/// Bar between two points of the plane or of space: axial stiffness, mass in all directions.
/// @param places 2 x 2 or 2 x 3, the ends, m.
[[nodiscard]] ElementMatrices bar(const Eigen::Ref<const Eigen::MatrixXd>& places,
                                  const Material& material, double area);

}  // namespace alembert::model
