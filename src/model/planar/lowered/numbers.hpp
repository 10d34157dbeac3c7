#pragma once

// The numbers of a mechanism as terms: constants, and those that have a name and may change.

#include <array>
#include <string>
#include <vector>

#include "model/planar/functions.hpp"
#include "model/planar/lowered/term.hpp"

namespace alembert::model::planar {

/// Positions of the points in their bodies.
struct TermPoints {
  const LayoutPoint* points = nullptr;
  std::vector<std::array<Term, 2>> at;
};

template <typename Scalar>
inline Scalar point_entry(const TermPoints& table, int point, int axis) {
  return table.at[static_cast<std::size_t>(point)][static_cast<std::size_t>(axis)];
}

struct TermBody {
  Term mass, inertia;
  std::array<Term, 2> centre;
};

/// A passive force; `rubs` where it has friction.
struct TermPassive {
  Term stiffness, free, preload, damping, coulomb, breakaway, stribeck_rate, smooth_rate;
  bool rubs = false;
};

/// All numbers that a lowered mechanism is made of.
struct TermNumbers {
  TermPoints points;
  std::vector<TermBody> bodies;  ///< in the order of q
  std::vector<TermPassive> passive;
  std::vector<Term> gains;  ///< of the forces
};

/// The numbers of a description; those named become Parameter leaves, in their order.
/// @param lengths of the geometry parameters that are not named.
/// @throws InvalidInput for a name that is no number of the mechanism.
[[nodiscard]] TermNumbers make_numbers(const MechanismDescription& description,
                                       const Layout& layout, const Eigen::VectorXd& lengths,
                                       const std::vector<std::string>& names,
                                       equations::Graph& graph);

/// The values that the description gives to named numbers.
[[nodiscard]] std::vector<double> given_values(const MechanismDescription& description,
                                               const Layout& layout, const Eigen::VectorXd& lengths,
                                               const std::vector<std::string>& names);

}  // namespace alembert::model::planar
