#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "model/planar/layout/layout_parts.hpp"

namespace alembert::model::planar {

namespace {

// A joint on its way into the layout.
struct JointRows {
  Layout& layout;
  const Joint& joint;
  std::string name;
  std::string what;
  int a_point = 0;
  int b_point = 0;
  int a_body = 0;
  int b_body = 0;

  void add(ScalarFunction f, double offset = 0.0) const {
    f.offset = offset;
    layout.functions.push_back(f);
    layout.row_names.push_back(name);
  }
  void add_coincidence() const {
    add(projection(a_point, b_point, layout.ground(), Eigen::Vector2d::UnitX()));
    add(projection(a_point, b_point, layout.ground(), Eigen::Vector2d::UnitY()));
  }
  void add_same_angle() const {
    check::finite(what, "angle", joint.angle);
    add(relative_angle(a_body, b_body), joint.angle);
  }
  void add_normal(double distance) const {
    const Eigen::Vector2d t = unit_axis(what, joint.axis);
    add(projection(a_point, b_point, a_body, {-t.y(), t.x()}), distance);
  }
  void add_rack() const {
    check::finite(what, "radius", joint.radius);
    check::finite(what, "offset", joint.offset);
    if (joint.radius == 0.0) {
      throw InvalidInput(
          {.function = what, .argument = "radius", .rule = "must not be 0", .value = "0"});
    }
    ScalarFunction f = projection(a_point, b_point, a_body, unit_axis(what, joint.axis));
    f.add_angle(b_body, joint.radius);
    f.add_angle(a_body, -joint.radius);
    add(f, joint.offset);
  }
  // (φ_b − φ_c) − ratio (φ_a − φ_c)
  void add_gear() const {
    check::finite(what, "ratio", joint.ratio);
    check::finite(what, "angle", joint.angle);
    if (joint.ratio == 0.0) {
      throw InvalidInput(
          {.function = what, .argument = "ratio", .rule = "must not be 0", .value = "0"});
    }
    ScalarFunction f;
    f.add_angle(b_body, 1.0);
    f.add_angle(a_body, -joint.ratio);
    f.add_angle(find_body(layout, what, joint.carrier), joint.ratio - 1.0);
    add(f, joint.angle);
  }
  void add_length() const {
    if (!joint.length) return;
    check::positive(what, "length", *joint.length);
    ScalarFunction f = projection(a_point, b_point, layout.ground(), Eigen::Vector2d::UnitX());
    f.shape = ScalarFunction::Shape::Distance;
    add(f, *joint.length);
  }
};

void add_rows(const JointRows& rows) {
  switch (rows.joint.kind) {
    case JointKind::Revolute:
      return rows.add_coincidence();
    case JointKind::Prismatic:
      rows.add_normal(0.0);
      return rows.add_same_angle();
    case JointKind::Fixed:
      rows.add_coincidence();
      return rows.add_same_angle();
    case JointKind::Gear:
      return rows.add_gear();
    case JointKind::Rolling:
      rows.add_normal(rows.joint.radius);
      return rows.add_rack();
    case JointKind::Rack:
      return rows.add_rack();
    case JointKind::Cylinder:
      return rows.add_length();
  }
}

// The point of a joint on body a: a new one where the line is given by `through`.
int line_point(Layout& layout, const Joint& joint, const std::string& what, int point) {
  const bool has_line = joint.kind == JointKind::Prismatic || joint.kind == JointKind::Rolling ||
                        joint.kind == JointKind::Rack;
  if (!joint.through) return point;
  if (!has_line) {
    throw InvalidInput({.function = what,
                        .argument = "through",
                        .rule = "is for prismatic, rolling and rack joints"});
  }
  check::all_finite(what, "through", *joint.through);
  const int body = layout.points[static_cast<std::size_t>(point)].body;
  layout.points.push_back({body, *joint.through, joint_name(joint) + ".through"});
  return static_cast<int>(layout.points.size()) - 1;
}

}  // namespace

std::string joint_name(const Joint& joint) {
  if (!joint.name.empty()) return joint.name;
  return fmt::format("{} {}-{}", name_of(joint.kind), joint.a, joint.b);
}

Eigen::Vector2d unit_axis(const std::string& what, const Eigen::Vector2d& axis) {
  check::all_finite(what, "axis", axis);
  const double length = std::hypot(axis.x(), axis.y());
  if (!(length > 0.0)) {
    throw InvalidInput(
        {.function = what, .argument = "axis", .rule = "must have a length", .value = "(0, 0)"});
  }
  return axis / length;
}

ScalarFunction projection(int a_point, int b_point, int direction_body,
                          const Eigen::Vector2d& direction) {
  ScalarFunction f;
  f.shape = ScalarFunction::Shape::Projected;
  f.a_point = a_point;
  f.b_point = b_point;
  f.direction_body = direction_body;
  f.direction = direction;
  return f;
}

ScalarFunction relative_angle(int a_body, int b_body) {
  ScalarFunction f;
  f.add_angle(b_body, 1.0);
  f.add_angle(a_body, -1.0);
  return f;
}

void add_joint(Layout& layout, const Joint& joint) {
  const std::string name = joint_name(joint);
  const std::string what = fmt::format("Mechanism: joint '{}'", name);
  if (std::count(layout.joint_names.begin(), layout.joint_names.end(), name) > 0) {
    throw InvalidInput({.function = what, .rule = "must be given once", .value = "it twice"});
  }
  layout.joint_names.push_back(name);
  const int a_point = line_point(layout, joint, what, find_point(layout, what, joint.a));
  const int b_point = find_point(layout, what, joint.b);
  const int a_body = layout.points[static_cast<std::size_t>(a_point)].body;
  const int b_body = layout.points[static_cast<std::size_t>(b_point)].body;
  if (a_body == b_body) {
    throw InvalidInput({.function = what,
                        .argument = "a and b",
                        .rule = "must be on two bodies",
                        .value = fmt::format("'{}' and '{}'", joint.a, joint.b)});
  }
  add_rows({layout, joint, name, what, a_point, b_point, a_body, b_body});
}

}  // namespace alembert::model::planar
