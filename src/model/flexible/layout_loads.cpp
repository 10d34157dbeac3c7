#include "model/flexible/layout_loads.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model/flexible/nodes.hpp"

namespace alembert::model::flexible {
namespace {

LayoutForce layout_force(const planar::Force& force, const FlexibleLayout& layout) {
  const std::string item = fmt::format("force '{}'", force.name);
  if (force.kind == planar::ForceKind::Cylinder) {
    refuse(item, "with flexible bodies a force must be a torque or act at a point");
  }
  LayoutForce made{.torque = force.kind == planar::ForceKind::Torque,
                   .node = find_node(layout, force.of)};
  if (made.torque) {
    made.reaction = find_node(layout, force.relative_to);
    return made;
  }
  if (force.axis.norm() == 0.0) refuse(item, "its axis has length zero");
  made.axis = force.axis.normalized();
  if (force.on_body) made.reaction = made.node;
  return made;
}

LayoutSpring layout_spring(const planar::PassiveForce& passive,
                           const FlexibleDescription& description, const FlexibleLayout& layout) {
  const std::string item = fmt::format("passive force '{}'", passive.name);
  if (passive.coulomb != 0.0 || passive.breakaway) {
    refuse(item, "with flexible bodies friction is not possible");
  }
  if (passive.kind == planar::PassiveKind::Slide) {
    refuse(item, "with flexible bodies it must resist a length or an angle");
  }
  LayoutSpring made{.turning = passive.kind == planar::PassiveKind::Angle,
                    .a = find_node(layout, passive.a),
                    .b = find_node(layout, passive.b),
                    .stiffness = passive.stiffness,
                    .free = passive.free,
                    .preload = passive.preload,
                    .damping = passive.damping};
  if (made.a < 0) made.ground_a = find_point(description, passive.a).at;
  if (made.b < 0) made.ground_b = find_point(description, passive.b).at;
  return made;
}

}  // namespace

void add_loads(const FlexibleDescription& description, FlexibleLayout& layout) {
  for (const planar::Force& force : description.mechanism.forces) {
    layout.forces.push_back(layout_force(force, layout));
  }
  for (const planar::PassiveForce& passive : description.mechanism.passive) {
    layout.springs.push_back(layout_spring(passive, description, layout));
  }
}

}  // namespace alembert::model::flexible
