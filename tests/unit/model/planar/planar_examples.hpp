#pragma once

// Textbook mechanisms for tests.

#include <Eigen/Core>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "alembert/model/planar/mechanism.hpp"

namespace alembert::test {

using model::planar::Body;
using model::planar::Joint;
using model::planar::JointKind;
using model::planar::Mechanism;
using model::planar::MechanismDescription;
using model::planar::MechanismState;
using model::planar::Sensor;
using model::planar::SensorKind;

/// A uniform bar with its ends A and B.
inline Body bar(const std::string& name, double length, double mass = 1.0) {
  return {.name = name,
          .mass = mass,
          .inertia = mass * length * length / 12.0,
          .points = {{"A", {-0.5 * length, 0.0}}, {"B", {0.5 * length, 0.0}}}};
}

/// Crank on the ground, rod, slider on y = height. Angles of the bars against x.
inline MechanismDescription slider_crank(double crank, double rod, double height = 0.0) {
  MechanismDescription d;
  d.bodies = {bar("crank", crank, 1.8), bar("rod", rod, 3.7), {.name = "slider", .mass = 1.2}};
  d.bodies[1].start = Eigen::Vector3d(crank + 0.5 * rod, height, 0.0);
  d.joints = {{.name = "O", .a = "ground", .b = "crank.A"},
              {.name = "A", .a = "crank.B", .b = "rod.A"},
              {.name = "B", .a = "rod.B", .b = "slider"},
              {.name = "guide",
               .kind = JointKind::Prismatic,
               .a = "ground",
               .b = "slider",
               .through = Eigen::Vector2d(0.0, height)}};
  d.coordinates = {model::planar::parse_coordinate("angle(crank)")};
  d.sensors = {
      {.name = "encoder", .of = "crank", .wrap = true, .sigma = 0.003},
      {.name = "accelerometer", .kind = SensorKind::Acceleration, .of = "slider", .sigma = 0.03},
      {.name = "tilt", .of = "rod"}};
  return d;
}

/// Two links in a row; theta2 relative to the first. Accelerometers across the links at d1, d2.
inline MechanismDescription two_link(double L1, double L2, double d1, double d2) {
  MechanismDescription d;
  d.bodies = {bar("upper", L1, 2.0), bar("lower", L2, 1.5)};
  d.bodies[0].points.push_back({"S", {d1 - 0.5 * L1, 0.0}});
  d.bodies[1].points.push_back({"S", {d2 - 0.5 * L2, 0.0}});
  d.joints = {{.name = "shoulder", .a = "ground", .b = "upper.A"},
              {.name = "elbow", .a = "upper.B", .b = "lower.A"}};
  d.coordinates = {model::planar::parse_coordinate("angle(upper)"),
                   model::planar::parse_coordinate("angle(lower, upper)")};
  const Eigen::Vector2d across = Eigen::Vector2d::UnitY();
  d.sensors = {{.name = "a1", .kind = SensorKind::Acceleration, .of = "upper.S", .axis = across},
               {.name = "a2", .kind = SensorKind::Acceleration, .of = "lower.S", .axis = across},
               {.name = "e1", .of = "upper"},
               {.name = "e2", .of = "lower", .relative_to = "upper"}};
  return d;
}

/// Crank a, coupler b, rocker c on a ground of length g.
inline MechanismDescription four_bar(double a, double b, double c, double g) {
  MechanismDescription d;
  d.bodies = {bar("crank", a),
              bar("coupler", b),
              bar("rocker", c),
              {.name = "ground", .points = {{"D", {g, 0.0}}}}};
  d.bodies[1].start = Eigen::Vector3d(0.5 * g, a + 0.5 * c, 0.3);
  d.bodies[2].start = Eigen::Vector3d(g, 0.5 * c, 1.5);
  d.joints = {{.name = "A", .a = "ground", .b = "crank.A"},
              {.name = "B", .a = "crank.B", .b = "coupler.A"},
              {.name = "C", .a = "coupler.B", .b = "rocker.B"},
              {.name = "D", .a = "ground.D", .b = "rocker.A"}};
  d.coordinates = {model::planar::parse_coordinate("angle(crank)")};
  d.sensors = {{.name = "rocker", .of = "rocker"},
               {.name = "coupler rate", .kind = SensorKind::AngularRate, .of = "coupler"},
               {.name = "coupler acceleration",
                .kind = SensorKind::Acceleration,
                .of = "coupler.B",
                .axis = {0.6, 0.8}}};
  return d;
}

/// A triangle on three arms of two bars each (3-RRR); the three arms are driven.
inline MechanismDescription three_arms() {
  MechanismDescription d;
  const Eigen::Vector2d base[3] = {{0.0, 0.0}, {1.2, 0.0}, {0.6, 1.0392}};
  Body plate{.name = "plate", .mass = 2.0, .inertia = 0.02};
  Body ground{.name = "ground"};
  plate.start = Eigen::Vector3d(0.6, 0.35, 0.1);
  for (int i = 0; i < 3; ++i) {
    const std::string n = std::to_string(i + 1);
    const Eigen::Vector2d corner = 0.25 * (base[i] - Eigen::Vector2d(0.6, 0.3464)) / 0.6928;
    plate.points.push_back({"C" + n, corner});
    ground.points.push_back({"G" + n, base[i]});
    d.bodies.push_back(bar("arm" + n, 0.45));
    d.bodies.push_back(bar("link" + n, 0.45));
    d.joints.push_back({.name = "G" + n, .a = "ground.G" + n, .b = "arm" + n + ".A"});
    d.joints.push_back({.name = "E" + n, .a = "arm" + n + ".B", .b = "link" + n + ".A"});
    d.joints.push_back({.name = "C" + n, .a = "link" + n + ".B", .b = "plate.C" + n});
    d.coordinates.push_back(model::planar::parse_coordinate("angle(arm" + n + ")"));
  }
  d.bodies.push_back(plate);
  d.bodies.push_back(ground);
  d.sensors = {{.name = "plate x", .kind = SensorKind::Displacement, .of = "plate"},
               {.name = "plate angle", .of = "plate"},
               {.name = "plate acceleration",
                .kind = SensorKind::Acceleration,
                .of = "plate.C2",
                .axis = {0.8, -0.6}}};
  return d;
}

inline Eigen::VectorXd numbers(std::initializer_list<double> values) {
  Eigen::VectorXd v(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), v.data());
  return v;
}

/// Far from singular: the links of the three arms point past the centre.
inline Eigen::VectorXd three_arms_start() { return numbers({1.55, 3.7, -0.5}); }

inline std::span<const double> as_span(const Eigen::VectorXd& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}

/// Position, velocity and acceleration from an assembled state; false if the position fails.
inline bool move_to(const Mechanism& mechanism, MechanismState& state, const Eigen::VectorXd& z,
                    const Eigen::VectorXd& zd, const Eigen::VectorXd& zdd) {
  if (mechanism.solve_position(as_span(z), state) != model::planar::StepStatus::Success)
    return false;
  mechanism.solve_velocity(as_span(zd), state);
  mechanism.solve_acceleration(as_span(zdd), state);
  return true;
}

}  // namespace alembert::test
