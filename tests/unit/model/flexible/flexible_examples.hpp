#pragma once

#include <Eigen/Core>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "alembert/model/flexible/mechanism.hpp"

/// Mechanisms with flexible links that several tests use.
namespace alembert::test::flexible_examples {

using model::flexible::BeamSection;
using model::flexible::FlexibleDescription;
using model::flexible::FlexibleEquations;
using model::flexible::FlexibleMechanism;
using model::flexible::FlexibleState;

inline BeamSection steel(double width, double height) {
  return model::flexible::rectangular_section(width, height, 2.1e11, 7850.0);
}

/// An arm on a pin at the origin, level: coordinate angle(arm).
inline FlexibleDescription arm(double length, const BeamSection& section, int elements) {
  FlexibleDescription made;
  made.mechanism.gravity.setZero();
  made.mechanism.bodies = {{.name = "arm", .points = {{"A", {0.0, 0.0}}, {"B", {length, 0.0}}}}};
  made.mechanism.joints = {{.a = "ground", .b = "arm.A"}};
  made.mechanism.coordinates = {model::planar::parse_coordinate("angle(arm)")};
  made.mechanism.forces = {{.name = "T", .of = "arm"}};
  made.bodies = {{.name = "arm", .section = section, .elements = elements}};
  return made;
}

/// A slider-crank with gravity, both rods flexible, the slide inclined, and a spring on the slider.
inline FlexibleDescription slider_crank() {
  FlexibleDescription made;
  auto& mechanism = made.mechanism;
  mechanism.bodies = {{.name = "ground", .points = {{"W", {1.0, 0.2}}}},
                      {.name = "crank", .points = {{"O", {0.0, 0.0}}, {"A", {0.15, 0.0}}}},
                      {.name = "rod",
                       .points = {{"A", {0.0, 0.0}}, {"B", {0.5, 0.0}}},
                       .start = Eigen::Vector3d(0.1, 0.1, -0.1)},
                      {.name = "slider", .mass = 0.4, .start = Eigen::Vector3d(0.6, 0.12, 0.0)}};
  mechanism.joints = {{.a = "ground", .b = "crank.O"},
                      {.a = "crank.A", .b = "rod.A"},
                      {.a = "rod.B", .b = "slider"},
                      {.kind = model::planar::JointKind::Prismatic,
                       .a = "ground",
                       .b = "slider",
                       .axis = {1.0, 0.2}}};
  mechanism.coordinates = {model::planar::parse_coordinate("angle(crank)")};
  mechanism.forces = {{.name = "T", .of = "crank"}};
  mechanism.passive = {
      {.name = "spring", .a = "slider", .b = "ground.W", .stiffness = 300.0, .free = 0.3}};
  made.bodies = {
      {.name = "crank", .section = steel(0.01, 0.006), .elements = 2, .lumps = {{"A", 0.05, 0.0}}},
      {.name = "rod", .section = steel(0.008, 0.004), .elements = 3}};
  return made;
}

/// A four-bar linkage whose coupler carries an arm: a closed and an open chain, two coordinates.
inline FlexibleDescription four_bar_with_arm() {
  FlexibleDescription made;
  auto& mechanism = made.mechanism;
  mechanism.bodies = {{.name = "ground", .points = {{"D", {0.6, 0.0}}}},
                      {.name = "crank", .points = {{"O", {0.0, 0.0}}, {"A", {0.2, 0.0}}}},
                      {.name = "coupler",
                       .points = {{"A", {0.0, 0.0}}, {"M", {0.2, 0.0}}, {"B", {0.5, 0.0}}},
                       .start = Eigen::Vector3d(0.1, 0.17, 0.4)},
                      {.name = "rocker",
                       .points = {{"D", {0.0, 0.0}}, {"B", {0.4, 0.0}}},
                       .start = Eigen::Vector3d(0.6, 0.0, 1.6)},
                      {.name = "arm",
                       .points = {{"M", {0.0, 0.0}}, {"F", {0.3, 0.0}}},
                       .start = Eigen::Vector3d(0.3, 0.3, 0.9)}};
  mechanism.joints = {{.a = "ground", .b = "crank.O"},
                      {.a = "crank.A", .b = "coupler.A"},
                      {.a = "coupler.B", .b = "rocker.B"},
                      {.a = "ground.D", .b = "rocker.D"},
                      {.a = "coupler.M", .b = "arm.M"}};
  mechanism.coordinates = {model::planar::parse_coordinate("angle(crank)"),
                           model::planar::parse_coordinate("angle(arm)")};
  mechanism.forces = {{.name = "T", .of = "crank"},
                      {.name = "motor", .of = "arm.M", .relative_to = "coupler.M"}};
  const BeamSection section = steel(0.012, 0.008);
  made.bodies = {
      {.name = "crank", .section = section, .elements = 1},
      {.name = "coupler", .section = section, .elements = 3, .lumps = {{"M", 0.3, 1e-4}}},
      {.name = "rocker", .section = section, .elements = 2},
      {.name = "arm", .section = section, .elements = 1, .lumps = {{"F", 0.2, 0.0}}}};
  return made;
}

inline std::span<const double> numbers(const Eigen::VectorXd& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

}  // namespace alembert::test::flexible_examples
