#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/reduce/substructure.hpp"

/// Structures made of small models: components that share interface coordinates, and fewer
/// coordinates for the interface itself.
namespace alembert::reduce {

/// A small model and where its masters belong.
struct Component {
  HybridBasis basis;
  /// For each master the number, from 0, of a coordinate of the assembly's interface. Masters of
  /// several components with the same number move together.
  std::vector<Eigen::Index> places;
};

/// M, K and D of several components in (interface, interior of the first, of the second, ...).
struct ComponentAssembly {
  Eigen::MatrixXd M, K, D;  ///< D is empty where no component has damping
  Eigen::Index interface = 0;
  /// For each component T with (its masters, its interior) = T x; its full motion is basis.H T x.
  std::vector<Eigen::MatrixXd> transformations;

  [[nodiscard]] Eigen::Index size() const { return M.rows(); }
};

/// Couples components at the coordinates that they share: x_c = T_c x, M = Σ T_cᵀ M_c T_c.
/// @throws InvalidInput unless each master has a place, no component uses a place twice, and each
///   place up to the highest is used.
[[nodiscard]] ComponentAssembly assemble(const std::vector<Component>& components);

/// Describes the interface by its lowest modes, all interior coordinates at rest:
///
///   K_bb φ = ω² M_bb φ,  x_b = Φ ζ
///
/// (characteristic constraint modes). M and K are those of the assembly in (ζ, interior).
/// @param modes how many are kept, from 1 to `interface`.
/// @throws InvalidInput for another number, or where the interface has coordinates without mass and
///   stiffness.
[[nodiscard]] ComponentAssembly reduce_interface(const ComponentAssembly& assembly,
                                                 Eigen::Index modes);

}  // namespace alembert::reduce
