#pragma once

#include "alembert/model/flexible/mechanism.hpp"
#include "model/flexible/layout.hpp"

namespace alembert::model::flexible {

/// S and S' q' of the unknowns from the rigid-link system of a state, which has a velocity.
void fill_sensitivities(const FlexibleLayout& layout, FlexibleState& state) noexcept;

/// Components of six displacements of an element in the world.
[[nodiscard]] inline Vector6 gathered(const Element& element, const Eigen::VectorXd& x) {
  Vector6 made;
  for (int i = 0; i < 6; ++i) {
    const NodeComponent& part = element.components[static_cast<std::size_t>(i)];
    made(i) = part.unknown < 0 ? 0.0 : part.factor * x(part.unknown);
  }
  return made;
}

/// Adds an element's six forces in the world to those of the unknowns.
inline void scatter(const Element& element, const Vector6& f, Eigen::VectorXd& x) {
  for (int i = 0; i < 6; ++i) {
    const NodeComponent& part = element.components[static_cast<std::size_t>(i)];
    if (part.unknown >= 0) x(part.unknown) += part.factor * f(i);
  }
}

/// Adds a force (x, y) and torque to a node.
inline void scatter(const Node& node, const Eigen::Vector3d& f, Eigen::VectorXd& x) {
  for (int i = 0; i < 3; ++i) {
    const NodeComponent& part = node.components[static_cast<std::size_t>(i)];
    if (part.unknown >= 0) x(part.unknown) += part.factor * f(i);
  }
}

/// (x, y, angle) of a node.
[[nodiscard]] inline Eigen::Vector3d gathered(const Node& node, const Eigen::VectorXd& x) {
  Eigen::Vector3d made;
  for (int i = 0; i < 3; ++i) {
    const NodeComponent& part = node.components[static_cast<std::size_t>(i)];
    made(i) = part.unknown < 0 ? 0.0 : part.factor * x(part.unknown);
  }
  return made;
}

}  // namespace alembert::model::flexible
