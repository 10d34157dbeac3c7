#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/identify/mechanism/mechanism_parameters.hpp"
#include "alembert/model/planar/move_mechanism.hpp"

/// What torques and motion can tell of a mechanism: the equations of motion are linear in terms
/// such as masses and inertias, but only some combinations of them act.
namespace alembert::identify {

/// A term π_j of τ = Y(z, z', z'') π.
struct LinearTerm {
  std::string words;  ///< "mass of rod", "mass x centre.x of rod", "damping of hinge"
  std::string unit;   ///< in SI
  double value = 0.0;
};

/// Of each body m, m c_x, m c_y and the inertia J + m |c|² about the origin of its frame; of each
/// passive force stiffness, tension at s = free, damping and Coulomb friction with the rates that
/// it has.
[[nodiscard]] std::vector<LinearTerm> linear_terms(const MechanismValues& values);

/// Combinations of terms that act on the coordinates. All else has no effect by itself.
struct BaseParameters {
  std::vector<LinearTerm> terms;  ///< with the values of the description
  /// β = combinations π: a row for each base parameter, 1 for the term that leads it.
  Eigen::MatrixXd combinations = {};
  std::vector<int> leading = {};         ///< that term of each row
  std::vector<std::string> words = {};   ///< of each row: "inertia of rod + 0.25 mass of slider"
  std::vector<int> without_effect = {};  ///< terms that do nothing at all

  [[nodiscard]] Eigen::Index count() const noexcept { return combinations.rows(); }
};

/// The base parameters of a mechanism with its geometry, at the positions of a path, for any rates
/// and accelerations: the columns of Y that depend on those before them join these.
/// @param path positions; they follow each other as closely as a simulation needs it.
/// @throws InvalidInput if the mechanism cannot be assembled at the first position or cannot follow
///   the path.
[[nodiscard]] BaseParameters base_parameters(const MechanismValues& values,
                                             const model::planar::CoordinatePath& path);

/// Which of several parameters the forces and the motion cannot tell apart from the others.
struct ParameterDependence {
  std::string name;
  /// It acts as this combination of others; none: it has no effect.
  std::vector<std::string> others = {};
  std::string words = {};  ///< "a change of rod.mass moves the mechanism exactly as ..."
};

/// Looks for parameters whose effect on the motion under forces is a combination of that of those
/// before them: of the accelerations that the forces cause at the positions and rates of a path.
/// @param names as mechanism_parameters() has them; offsets of sensors are passed over.
/// @param columns u of each force along the path. @throws InvalidInput as base_parameters().
[[nodiscard]] std::vector<ParameterDependence> find_dependences(
    const MechanismValues& given, const std::vector<std::string>& names,
    const Eigen::VectorXd& values, const model::planar::CoordinatePath& path,
    const Eigen::MatrixXd& columns);

}  // namespace alembert::identify
