#include "model/flexible/loads.hpp"

#include <cmath>

#include "model/flexible/kinematics.hpp"

namespace alembert::model::flexible {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

const Node& node_of(const FlexibleLayout& layout, int node) {
  return layout.nodes[static_cast<std::size_t>(node)];
}

// Velocity (x, y, angle) of a node: b' where it is an unknown, zero where it is held.
Vector3d node_velocity(const FlexibleLayout& layout, int node, const FlexibleState& state) {
  return node < 0 ? Vector3d::Zero() : gathered(node_of(layout, node), state.v);
}

/// A spring as it is now: its length or angle, the rate of that, and its direction.
struct SpringState {
  double length = 0.0, rate = 0.0;
  Vector2d along = Vector2d::Zero();
};

SpringState spring_state(const LayoutSpring& spring, const FlexibleLayout& layout,
                         const FlexibleState& state) {
  const Vector3d rate =
      node_velocity(layout, spring.b, state) - node_velocity(layout, spring.a, state);
  SpringState made;
  if (spring.turning) {
    made.length = (spring.b < 0 ? 0.0 : node_angle(node_of(layout, spring.b), state)) -
                  (spring.a < 0 ? 0.0 : node_angle(node_of(layout, spring.a), state));
    made.rate = rate.z();
    return made;
  }
  const Vector2d a =
      spring.a < 0 ? spring.ground_a : node_position(node_of(layout, spring.a), state);
  const Vector2d b =
      spring.b < 0 ? spring.ground_b : node_position(node_of(layout, spring.b), state);
  made.length = (b - a).norm();
  if (made.length > 0.0) made.along = (b - a) / made.length;
  made.rate = made.along.dot(rate.head<2>());
  return made;
}

// T = preload + k (s − free) + d s', against s
void add_spring(const LayoutSpring& spring, const FlexibleLayout& layout, FlexibleState& state) {
  const SpringState now = spring_state(spring, layout, state);
  const double tension =
      spring.preload + spring.stiffness * (now.length - spring.free) + spring.damping * now.rate;
  const Vector3d pull = spring.turning
                            ? Vector3d(0.0, 0.0, tension)
                            : Vector3d(tension * now.along.x(), tension * now.along.y(), 0.0);
  if (spring.b >= 0) scatter(node_of(layout, spring.b), -pull, state.load);
  if (spring.a >= 0) scatter(node_of(layout, spring.a), pull, state.load);
}

}  // namespace

Vector2d node_position(const Node& node, const FlexibleState& state) {
  const auto& body = state.rigid.motion[static_cast<std::size_t>(node.body)];
  const double c = body.cosine.position;
  const double s = body.sine.position;
  const Vector3d u = gathered(node, state.u);
  return {body.x.position + c * node.at.x() - s * node.at.y() + u.x(),
          body.y.position + s * node.at.x() + c * node.at.y() + u.y()};
}

double node_angle(const Node& node, const FlexibleState& state) {
  return state.rigid.motion[static_cast<std::size_t>(node.body)].angle.position +
         gathered(node, state.u).z();
}

Vector3d unit_load(const LayoutForce& force, const FlexibleLayout& layout,
                   const FlexibleState& state) {
  if (force.torque) return Vector3d::UnitZ();
  if (force.reaction < 0) return {force.axis.x(), force.axis.y(), 0.0};
  const double angle = node_angle(node_of(layout, force.reaction), state);
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {c * force.axis.x() - s * force.axis.y(), s * force.axis.x() + c * force.axis.y(), 0.0};
}

void add_node_loads(const FlexibleDescription& description, const FlexibleLayout& layout,
                    std::span<const double> forces, FlexibleState& state) noexcept {
  const Vector2d& g = description.mechanism.gravity;
  for (std::size_t i = 0; i < layout.nodes.size(); ++i) {
    const double mass = layout.masses(static_cast<Eigen::Index>(i));
    if (mass > 0.0) scatter(layout.nodes[i], {mass * g.x(), mass * g.y(), 0.0}, state.load);
  }
  for (const LayoutSpring& spring : layout.springs) add_spring(spring, layout, state);
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const LayoutForce& force = layout.forces[i];
    const Vector3d load = forces[i] * unit_load(force, layout, state);
    if (force.node >= 0) scatter(node_of(layout, force.node), load, state.load);
    if (force.torque && force.reaction >= 0) {
      scatter(node_of(layout, force.reaction), -load, state.load);
    }
  }
}

double spring_energy(const FlexibleLayout& layout, const FlexibleState& state) {
  double sum = 0.0;
  for (const LayoutSpring& spring : layout.springs) {
    const double stretch = spring_state(spring, layout, state).length - spring.free;
    sum += spring.preload * stretch + 0.5 * spring.stiffness * stretch * stretch;
  }
  return sum;
}

double spring_loss(const FlexibleLayout& layout, const FlexibleState& state) noexcept {
  double sum = 0.0;
  for (const LayoutSpring& spring : layout.springs) {
    const double rate = spring_state(spring, layout, state).rate;
    sum += spring.damping * rate * rate;
  }
  return sum;
}

}  // namespace alembert::model::flexible
