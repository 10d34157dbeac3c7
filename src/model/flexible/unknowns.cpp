#include "model/flexible/unknowns.hpp"

#include <fmt/format.h>

#include <numeric>

#include "model/flexible/nodes.hpp"

namespace alembert::model::flexible {
namespace {

/// Groups of nodes that move together, and what holds them.
struct Groups {
  std::vector<int> parent;
  std::vector<bool> held;
  std::vector<Eigen::Vector2d> line;  ///< direction in which a group slides, else zero

  explicit Groups(std::size_t size)
      : parent(size), held(size, false), line(size, Eigen::Vector2d::Zero()) {
    std::iota(parent.begin(), parent.end(), 0);
  }
  [[nodiscard]] int of(int node) const {
    while (parent[static_cast<std::size_t>(node)] != node) {
      node = parent[static_cast<std::size_t>(node)];
    }
    return node;
  }
  void join(int a, int b) {
    const int first = std::min(of(a), of(b));
    const int second = std::max(of(a), of(b));
    if (first == second) return;
    parent[static_cast<std::size_t>(second)] = first;
    held[static_cast<std::size_t>(first)] =
        held[static_cast<std::size_t>(first)] || held[static_cast<std::size_t>(second)];
    Eigen::Vector2d& kept = line[static_cast<std::size_t>(first)];
    if (kept.isZero()) kept = line[static_cast<std::size_t>(second)];
  }
  void hold(int node) { held[static_cast<std::size_t>(of(node))] = true; }
};

struct JointEnd {
  int node = -1;  ///< -1: the ground
};

JointEnd joint_end(const FlexibleDescription& description, const FlexibleLayout& layout,
                   const planar::Joint& joint, const std::string& name) {
  const BodyPoint place = find_point(description, name);
  if (place.body == nullptr || place.body->name == "ground") return {};
  const int node = node_at(layout, place.body->name, place.at);
  if (node >= 0) return {node};
  const bool beam = find_flexible(description, place.body->name) != nullptr;
  refuse(fmt::format("joint '{}'", planar::joint_name(joint)),
         beam ? fmt::format("\"{}\" must be a named point of the flexible body", name)
              : fmt::format("\"{}\" must be the centre of mass of the rigid body: with flexible "
                            "bodies a rigid one has all its joints there",
                            name));
}

void join_prismatic(const planar::Joint& joint, const JointEnd& a, const JointEnd& b,
                    const FlexibleLayout& layout, Groups& shifts, Groups& turns) {
  const std::string item = fmt::format("joint '{}'", planar::joint_name(joint));
  const auto is_beam = [&](const JointEnd& end) {
    return layout.is_flexible[static_cast<std::size_t>(
        layout.nodes[static_cast<std::size_t>(end.node)].body)];
  };
  if (a.node >= 0 || b.node < 0 || is_beam(b)) {
    refuse(item, "with flexible bodies a prismatic joint leads from the ground to a rigid body");
  }
  turns.hold(b.node);
  const auto group = static_cast<std::size_t>(shifts.of(b.node));
  const Eigen::Vector2d axis = joint.axis.normalized();
  if (shifts.line[group].isZero()) {
    shifts.line[group] = axis;
  } else {
    shifts.held[group] = true;
  }
}

void join(const FlexibleDescription& description, const FlexibleLayout& layout, Groups& shifts,
          Groups& turns) {
  for (const planar::Joint& joint : description.mechanism.joints) {
    const JointEnd a = joint_end(description, layout, joint, joint.a);
    const JointEnd b = joint_end(description, layout, joint, joint.b);
    const bool fixed = joint.kind == planar::JointKind::Fixed;
    if (joint.kind == planar::JointKind::Prismatic) {
      join_prismatic(joint, a, b, layout, shifts, turns);
    } else if (fixed || joint.kind == planar::JointKind::Revolute) {
      if (a.node >= 0 && b.node >= 0) {
        shifts.join(a.node, b.node);
        if (fixed) turns.join(a.node, b.node);
      } else {
        const int node = std::max(a.node, b.node);
        shifts.hold(node);
        if (fixed) turns.hold(node);
      }
    } else {
      refuse(fmt::format("joint '{}'", planar::joint_name(joint)),
             "with flexible bodies a joint must be revolute, fixed or prismatic",
             std::string(name_of(joint.kind)));
    }
  }
}

int add_unknown(const std::string& what, int node, const Eigen::Vector3d& direction,
                FlexibleLayout& layout) {
  const std::string& name = layout.nodes[static_cast<std::size_t>(node)].name;
  layout.unknowns.push_back({fmt::format("{}({})", what, name), node, direction});
  return layout.size() - 1;
}

void number_shift(int node, const Groups& shifts, FlexibleLayout& layout) {
  auto& parts = layout.nodes[static_cast<std::size_t>(node)].components;
  const int group = shifts.of(node);
  if (shifts.held[static_cast<std::size_t>(group)]) return;
  if (group != node) {
    const auto& first = layout.nodes[static_cast<std::size_t>(group)].components;
    parts[0] = first[0];
    parts[1] = first[1];
    return;
  }
  const Eigen::Vector2d& line = shifts.line[static_cast<std::size_t>(group)];
  if (line.isZero()) {
    parts[0] = {add_unknown("x", node, Eigen::Vector3d::UnitX(), layout), 1.0};
    parts[1] = {add_unknown("y", node, Eigen::Vector3d::UnitY(), layout), 1.0};
  } else {
    const int slide = add_unknown("slide", node, {line.x(), line.y(), 0.0}, layout);
    parts[0] = {slide, line.x()};
    parts[1] = {slide, line.y()};
  }
}

void number_turn(int node, const Groups& turns, FlexibleLayout& layout) {
  auto& parts = layout.nodes[static_cast<std::size_t>(node)].components;
  const int group = turns.of(node);
  if (turns.held[static_cast<std::size_t>(group)]) return;
  parts[2] = group != node
                 ? layout.nodes[static_cast<std::size_t>(group)].components[2]
                 : NodeComponent{add_unknown("angle", node, Eigen::Vector3d::UnitZ(), layout), 1.0};
}

}  // namespace

void add_unknowns(const FlexibleDescription& description, FlexibleLayout& layout) {
  Groups shifts(layout.nodes.size());
  Groups turns(layout.nodes.size());
  join(description, layout, shifts, turns);
  for (int node = 0; node < static_cast<int>(layout.nodes.size()); ++node) {
    number_shift(node, shifts, layout);
    number_turn(node, turns, layout);
  }
}

}  // namespace alembert::model::flexible
