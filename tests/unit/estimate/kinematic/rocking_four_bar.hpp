#pragma once

// A four-bar that rocks between limits of its crank, with its closed form.

#include <Eigen/Core>
#include <cmath>
#include <memory>

#include "alembert/model/planar/mechanism.hpp"

namespace alembert::test {

/// A four-bar whose crank cannot turn: ground 0.3, crank 0.16, coupler and rocker 0.2 m. Its crank
/// has an encoder; the rocker's adds hardly anything.
inline std::shared_ptr<const model::planar::Mechanism> rocking_four_bar(bool encoder) {
  using namespace model::planar;
  MechanismDescription d;
  d.bodies = {{.name = "ground", .points = {{"Q", {0.3, 0.0}}}},
              {.name = "crank", .points = {{"O", {0.0, 0.0}}, {"A", {0.16, 0.0}}}},
              {.name = "coupler", .points = {{"A", {0.0, 0.0}}, {"B", {0.2, 0.0}}}},
              {.name = "rocker",
               .points = {{"Q", {0.0, 0.0}}, {"B", {0.2, 0.0}}},
               .start = Eigen::Vector3d(0.3, 0.0, 1.9)}};
  d.joints = {{.name = "O", .b = "crank.O"},
              {.name = "A", .a = "crank.A", .b = "coupler.A"},
              {.name = "B", .a = "coupler.B", .b = "rocker.B"},
              {.name = "Q", .a = "ground.Q", .b = "rocker.Q"}};
  d.coordinates = {parse_coordinate("angle(crank)")};
  d.sensors = {{.name = "rocker", .of = "rocker", .sigma = 1e-3}};
  if (encoder) d.sensors.push_back({.name = "crank", .of = "crank", .sigma = 5e-4});
  return std::make_shared<const Mechanism>(d);
}

/// The angle of the rocker in closed form, on the branch of the start.
inline double rocker_angle(double crank) {
  const double x = 0.16 * std::cos(crank) - 0.3;
  const double y = 0.16 * std::sin(crank);
  const double distance = std::hypot(x, y);
  // B is on the circle of radius 0.2 about Q and A.
  return std::atan2(y, x) - std::acos(0.5 * distance / 0.2);
}

/// The limit: crank and ground subtend coupler and rocker stretched, 0.16² + 0.3² - 0.096 c = 0.4².
inline const double kLimit = std::acos((0.16 * 0.16 + 0.09 - 0.16) / 0.096);

}  // namespace alembert::test
