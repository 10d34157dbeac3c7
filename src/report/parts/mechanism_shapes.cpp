#include "report/parts/mechanism_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace alembert::report {
namespace {

using Eigen::Index;
using Eigen::Vector2d;
using model::planar::Body;
using model::planar::Joint;
using model::planar::JointKind;
using Kind = MovingShape::Kind;
using OutlinePoints = std::vector<Vector2d>;

// Distances within this share of the mechanism's size are the same.
constexpr double kSameDistance = 1e-6;

/// A point of a body by its name in the description.
struct Attachment {
  int body = -1;  ///< -1: the ground
  Vector2d at = Vector2d::Zero();
};

Vector2d turned(const Vector2d& v, double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {c * v.x() - s * v.y(), s * v.x() + c * v.y()};
}

double cross(const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

// Convex hull, counter-clockwise: lower chain, then upper chain of the points by x.
OutlinePoints hull_of(OutlinePoints points) {
  std::sort(points.begin(), points.end(), [](const Vector2d& a, const Vector2d& b) {
    return std::pair(a.x(), a.y()) < std::pair(b.x(), b.y());
  });
  OutlinePoints hull;
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t begin = hull.size();
    for (const Vector2d& point : points) {
      while (hull.size() >= begin + 2 &&
             cross(hull.back() - hull[hull.size() - 2], point - hull.back()) <= 0.0) {
        hull.pop_back();
      }
      hull.push_back(point);
    }
    hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

/// Draws the parts of one mechanism.
class ShapeMaker {
 public:
  ShapeMaker(const model::planar::Mechanism& mechanism, Animation& animation)
      : mechanism_(mechanism), animation_(animation), size_(mechanism.size()) {}

  void make() {
    for (const Joint& joint : mechanism_.description().joints) add_lines(joint);
    for (const Body& body : mechanism_.description().bodies) add_body(body);
    for (const Joint& joint : mechanism_.description().joints) add_joint(joint);
    for (const Joint& joint : mechanism_.description().joints) add_pin(joint);
  }

 private:
  [[nodiscard]] int body_index(const std::string& name) const {
    const std::vector<std::string>& bodies = mechanism_.bodies();
    const auto found = std::find(bodies.begin(), bodies.end(), name);
    return found == bodies.end() ? -1 : static_cast<int>(found - bodies.begin());
  }

  [[nodiscard]] Attachment attachment(const std::string& reference) const {
    const std::size_t dot = reference.find('.');
    const std::string name = reference.substr(0, dot);
    Attachment result{.body = body_index(name)};
    if (dot == std::string::npos) return result;
    for (const Body& body : mechanism_.description().bodies) {
      if (body.name != name) continue;
      for (const model::planar::NamedPoint& point : body.points) {
        if (point.name == reference.substr(dot + 1)) result.at = point.at;
      }
    }
    return result;
  }

  static bool has_line(const Joint& joint) {
    return joint.kind == JointKind::Prismatic || joint.kind == JointKind::Rolling ||
           joint.kind == JointKind::Rack;
  }

  [[nodiscard]] Vector2d world(Index frame, const Attachment& point) const {
    if (point.body < 0) return point.at;
    const auto pose = animation_.poses.row(frame).segment(3 * point.body, 3);
    return Vector2d(pose(0), pose(1)) + turned(point.at, pose(2));
  }

  // The line of a joint on its first body, as far as the second body goes along it.
  void add_lines(const Joint& joint) {
    if (!has_line(joint)) return;
    Attachment base = attachment(joint.a);
    if (joint.through) base.at = *joint.through;
    const Attachment other = attachment(joint.b);
    const Vector2d t = joint.axis.normalized();
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (Index k = 0; k < animation_.poses.rows(); ++k) {
      const double angle = base.body < 0 ? 0.0 : animation_.poses(k, 3 * base.body + 2);
      const double along = turned(t, angle).dot(world(k, other) - world(k, base));
      low = std::min(low, along);
      high = std::max(high, along);
    }
    const double more = 0.3 * size_ + std::abs(joint.radius);
    add(Kind::Guide, base.body, {base.at + (low - more) * t, base.at + (high + more) * t});
  }

  void add_body(const Body& body) {
    const int index = body_index(body.name);
    if (index < 0) return;
    OutlinePoints points;
    for (const model::planar::NamedPoint& point : body.points) points.push_back(point.at);
    const bool uses_origin =
        std::any_of(mechanism_.description().joints.begin(), mechanism_.description().joints.end(),
                    [&](const Joint& joint) {
                      const bool turns_only = joint.kind == JointKind::Gear;
                      return !turns_only && (joint.a == body.name || joint.b == body.name);
                    });
    const bool has_origin = std::any_of(points.begin(), points.end(),
                                        [](const Vector2d& p) { return p.norm() == 0.0; });
    if (uses_origin && !has_origin) points.push_back(Vector2d::Zero());
    if (points.size() == 2) add(Kind::Bar, index, points);
    if (points.size() < 3) return;
    const OutlinePoints hull = hull_of(points);
    if (hull.size() > 2) {
      add(Kind::Plate, index, hull);
    } else {
      add(Kind::Bar, index, points);
    }
  }

  void add_joint(const Joint& joint) {
    const Attachment a = attachment(joint.a);
    const Attachment b = attachment(joint.b);
    switch (joint.kind) {
      case JointKind::Prismatic:
        return add_block(b, turned(joint.axis.normalized(), -joint.angle));
      case JointKind::Rolling:
      case JointKind::Rack:
        return add(Kind::Wheel, b.body, {b.at}, std::abs(joint.radius));
      case JointKind::Cylinder:
        animation_.links.push_back({a.body, b.body, a.at, b.at});
        return;
      case JointKind::Gear:
        return add_gear_pair(joint);
      case JointKind::Revolute:
      case JointKind::Fixed:
        return;
    }
  }

  // The pitch circles of a pair of gears whose axes keep their distance D. Outer teeth on both,
  // ratio = -r_a / r_b: r_a + r_b = D; teeth inside the larger, ratio = r_a / r_b: |r_a - r_b| = D.
  void add_gear_pair(const Joint& joint) {
    const std::optional<Attachment> a = axis_of(joint.a, joint.carrier);
    const std::optional<Attachment> b = axis_of(joint.b, joint.carrier);
    if (!a || !b || joint.ratio == 0.0 || joint.ratio == 1.0) return;
    double least = std::numeric_limits<double>::infinity();
    double most = 0.0;
    for (Index k = 0; k < animation_.poses.rows(); ++k) {
      const double distance = (world(k, *b) - world(k, *a)).norm();
      least = std::min(least, distance);
      most = std::max(most, distance);
    }
    if (!(least > kSameDistance * size_) || most - least > kSameDistance * size_) return;
    const double b_radius = most / std::abs(1.0 - joint.ratio);
    add_wheel(*a, std::abs(joint.ratio) * b_radius);
    add_wheel(*b, b_radius);
  }

  // Where the pin of a gear is: one that it has with its carrier, else any.
  [[nodiscard]] std::optional<Attachment> axis_of(const std::string& gear,
                                                  const std::string& carrier) const {
    const auto body_of = [](const std::string& point) { return point.substr(0, point.find('.')); };
    const std::string name = body_of(gear);
    std::optional<Attachment> found;
    for (const Joint& joint : mechanism_.description().joints) {
      if (joint.kind != JointKind::Revolute) continue;
      const bool first = body_of(joint.a) == name;
      if (!first && body_of(joint.b) != name) continue;
      const bool held = body_of(first ? joint.b : joint.a) == carrier;
      // The ground has many pins: only that of the carrier is the axis of a fixed wheel.
      if (!held && (found || name == "ground")) continue;
      found = attachment(first ? joint.a : joint.b);
      if (held) return found;
    }
    return found;
  }

  void add_wheel(const Attachment& at, double radius) {
    const bool there = std::any_of(
        animation_.shapes.begin(), animation_.shapes.end(), [&](const MovingShape& shape) {
          return shape.kind == Kind::Wheel && shape.body == at.body &&
                 std::abs(shape.radius - radius) <= kSameDistance * size_ &&
                 (shape.points.front() - at.at).norm() <= kSameDistance * size_;
        });
    if (!there) add(Kind::Wheel, at.body, {at.at}, radius);
  }

  // Above all bodies.
  void add_pin(const Joint& joint) {
    const bool cylinder = joint.kind == JointKind::Cylinder;
    if (!cylinder && joint.kind != JointKind::Revolute && joint.kind != JointKind::Fixed) return;
    const Attachment a = attachment(joint.a);
    const Attachment b = attachment(joint.b);
    if (a.body < 0) add(Kind::Support, -1, {a.at});
    if (b.body < 0) add(Kind::Support, -1, {b.at});
    const Attachment& moving = b.body < 0 ? a : b;
    add(Kind::Pin, moving.body, {moving.at});
    // The other end of a cylinder is at another place.
    const Attachment& other = b.body < 0 ? b : a;
    if (cylinder) add(Kind::Pin, other.body, {other.at});
  }

  // A slider along the axis, which is given in the frame of its body.
  void add_block(const Attachment& at, const Vector2d& axis) {
    const Vector2d along = 0.16 * size_ * axis;
    const Vector2d across = 0.1 * size_ * Vector2d(-axis.y(), axis.x());
    add(Kind::Block, at.body,
        {at.at - along - across, at.at + along - across, at.at + along + across,
         at.at - along + across});
  }

  void add(Kind kind, int body, OutlinePoints points, double radius = 0.0) {
    animation_.shapes.push_back({kind, body, std::move(points), radius});
  }

  const model::planar::Mechanism& mechanism_;
  Animation& animation_;
  double size_;
};

}  // namespace

void add_mechanism_shapes(const model::planar::Mechanism& mechanism, Animation& animation) {
  ShapeMaker(mechanism, animation).make();
}

}  // namespace alembert::report
