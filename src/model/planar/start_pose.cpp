#include "model/planar/start_pose.hpp"

#include <cmath>
#include <numbers>
#include <vector>

namespace alembert::model::planar {

namespace {

// Poses on their way: what is already placed.
struct Placement {
  const Layout& layout;
  const MechanismDescription& description;
  Eigen::VectorXd& q;
  std::vector<bool> placed;
  std::vector<bool> turned;

  [[nodiscard]] bool is_placed(int body) const {
    return body == layout.ground() || placed[static_cast<std::size_t>(body)];
  }
  [[nodiscard]] bool is_turned(int body) const {
    return body == layout.ground() || turned[static_cast<std::size_t>(body)];
  }
  [[nodiscard]] double angle(int body) const {
    return body == layout.ground() ? 0.0 : q(3 * body + 2);
  }
  [[nodiscard]] Eigen::Vector2d arm(const LayoutPoint& point) const {
    const double c = std::cos(angle(point.body));
    const double s = std::sin(angle(point.body));
    return {c * point.at.x() - s * point.at.y(), s * point.at.x() + c * point.at.y()};
  }
  void turn(int body, double value) {
    q(3 * body + 2) = value;
    turned[static_cast<std::size_t>(body)] = true;
  }
};

void take_given_poses(Placement& placement) {
  int index = 0;
  for (const Body& body : placement.description.bodies) {
    if (body.name == "ground") continue;
    if (body.start) {
      placement.q.segment(3 * index, 3) = *body.start;
      placement.placed[static_cast<std::size_t>(index)] = true;
      placement.turned[static_cast<std::size_t>(index)] = true;
    }
    ++index;
  }
}

// Angles that coordinates give, also one relative to another: as many rounds as there are bodies.
void take_coordinate_angles(Placement& placement, const Eigen::VectorXd& z) {
  const Layout& layout = placement.layout;
  for (int round = 0; round < layout.ground(); ++round) {
    for (int j = 0; j < layout.coordinates; ++j) {
      const ScalarFunction& f = layout.functions[static_cast<std::size_t>(layout.constraints + j)];
      if (f.is_length()) continue;
      const int of = f.angle_body[0];
      const int base = f.angle_body[1];
      if (of == layout.ground() || !placement.is_turned(base)) continue;
      placement.turn(of, z(j) + placement.angle(base));
    }
  }
}

// One body laid on another by a joint; false if neither is placed or both are.
bool lay(Placement& placement, const LayoutPoint& fixed, const LayoutPoint& loose) {
  if (!placement.is_placed(fixed.body) || placement.is_placed(loose.body)) return false;
  Eigen::Vector2d origin = Eigen::Vector2d::Zero();
  if (fixed.body != placement.layout.ground()) {
    origin = placement.q.segment(3 * fixed.body, 2);
  }
  const Eigen::Vector2d place = origin + placement.arm(fixed) - placement.arm(loose);
  placement.q.segment(3 * loose.body, 2) = place;
  placement.placed[static_cast<std::size_t>(loose.body)] = true;
  return true;
}

void lay_along_joints(Placement& placement) {
  const Layout& layout = placement.layout;
  bool moved = true;
  while (moved) {
    moved = false;
    for (int i = 0; i < layout.constraints; ++i) {
      const ScalarFunction& f = layout.functions[static_cast<std::size_t>(i)];
      if (!f.is_length()) continue;
      const LayoutPoint& a = layout.points[static_cast<std::size_t>(f.a_point)];
      const LayoutPoint& b = layout.points[static_cast<std::size_t>(f.b_point)];
      moved = lay(placement, a, b) || lay(placement, b, a) || moved;
    }
  }
}

}  // namespace

void start_pose(const Layout& layout, const MechanismDescription& description,
                const Eigen::VectorXd& z, int attempt, RandomStream& random, Eigen::VectorXd& q) {
  const auto bodies = static_cast<std::size_t>(layout.ground());
  q.setZero();
  Placement placement{layout, description, q, std::vector<bool>(bodies), std::vector<bool>(bodies)};
  if (attempt == 0) take_given_poses(placement);
  take_coordinate_angles(placement, z);
  if (attempt > 0) {
    for (int b = 0; b < layout.ground(); ++b) {
      if (!placement.is_turned(b)) {
        placement.turn(b, random.uniform(-std::numbers::pi, std::numbers::pi));
      }
    }
  }
  lay_along_joints(placement);
}

}  // namespace alembert::model::planar
