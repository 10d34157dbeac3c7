#pragma once

// A mechanism with its names resolved to positions in arrays, and its joints, coordinates and
// sensors reduced to scalar functions of few bodies.

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "alembert/model/planar/mechanism.hpp"

namespace alembert::model::planar {

/// f(q) = Σ c_k φ_k + s(q) − offset, where s is nothing, (A_d n)·(P_b − P_a) or |P_b − P_a|.
/// Bodies are numbered as in q; the ground follows behind the last of them.
struct ScalarFunction {
  enum class Shape { Angles, Projected, Distance };

  Shape shape = Shape::Angles;
  std::array<int, 3> angle_body{};
  std::array<double, 3> angle_factor{};
  int angles = 0;
  int a_point = 0;
  int b_point = 0;
  int direction_body = 0;
  Eigen::Vector2d direction = Eigen::Vector2d::UnitX();
  double offset = 0.0;

  [[nodiscard]] bool is_length() const { return shape != Shape::Angles; }
  void add_angle(int body, double factor) {
    angle_body[static_cast<std::size_t>(angles)] = body;
    angle_factor[static_cast<std::size_t>(angles++)] = factor;
  }
};

struct LayoutPoint {
  int body = 0;
  Eigen::Vector2d at = Eigen::Vector2d::Zero();
  std::string name;
};

struct SensorPlan {
  SensorKind kind = SensorKind::Angle;
  int order = 0;
  ScalarFunction function;  // for Acceleration: e·P with the axis in the body of the point
  Eigen::Vector2d gravity = Eigen::Vector2d::Zero();
  int force = -1;  // of a force or torque cell: the force that it reads
};

struct ForcePlan {
  ScalarFunction function;
  bool known = true;
  int column = 0;
};

/// T(s, v) of a passive force along a function s.
struct PassivePlan {
  ScalarFunction function;
  double stiffness = 0.0;
  double free = 0.0;
  double preload = 0.0;
  double damping = 0.0;
  double coulomb = 0.0;
  double breakaway = 0.0;
  double stribeck_rate = 1.0;
  double smooth_rate = 1.0;
};

struct Layout {
  std::vector<std::string> bodies;
  std::vector<double> mass, inertia;
  std::vector<int> centres;  // point of the centre of mass of each body
  std::vector<LayoutPoint> points;
  std::vector<ScalarFunction> functions;  // constraints, then coordinates
  std::vector<std::string> row_names;     // joint or coordinate of each function
  std::vector<double> row_scale;          // 1/size for lengths, 1 for angles
  std::vector<std::string> joint_names;
  std::vector<SensorPlan> sensors;
  std::vector<ForcePlan> forces;
  std::vector<PassivePlan> passive;
  std::vector<int> joint_rows;                      // first row of each joint, in their order
  std::vector<std::vector<Eigen::Vector2d>> moves;  // of every point by every parameter
  int constraints = 0;
  int coordinates = 0;
  int known_forces = 0;
  double size = 1.0;
  Eigen::Vector2d gravity = Eigen::Vector2d::Zero();

  [[nodiscard]] int ground() const { return static_cast<int>(bodies.size()); }
  [[nodiscard]] int unknowns() const { return 3 * ground(); }
  [[nodiscard]] int rows() const { return static_cast<int>(functions.size()); }
};

/// Resolves a description. @throws InvalidInput as the constructor of Mechanism.
[[nodiscard]] Layout make_layout(const MechanismDescription& description);

/// Position of "body" or "body.point" in the points of a layout.
/// @throws InvalidInput `what: unknown ...` with the nearest name.
[[nodiscard]] int find_point(const Layout& layout, const std::string& what,
                             const std::string& reference);

/// Position of a body; the ground is bodies.size(). @throws InvalidInput as find_point().
[[nodiscard]] int find_body(const Layout& layout, const std::string& what, const std::string& name);

}  // namespace alembert::model::planar
