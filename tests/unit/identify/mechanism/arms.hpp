#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "alembert/core/random.hpp"
#include "alembert/identify/mechanism/mechanism_fit.hpp"
#include "alembert/integrate/mechanism_simulation.hpp"

/// Mechanisms with known numbers, and records of them by the integrator that chooses its steps,
/// which the identification does not use.
namespace alembert::identify::arms {

using model::planar::MechanismDescription;

inline constexpr double kElbow = 0.4;  // m, from shoulder to elbow

/// Two links whose frames stand at their hinges, with motors, viscous and dry friction.
inline MechanismDescription two_link() {
  MechanismDescription arm;
  arm.bodies = {{.name = "upper",
                 .mass = 2.0,
                 .inertia = 0.03,
                 .centre = {0.18, 0.01},
                 .points = {{"elbow", {kElbow, 0.0}}}},
                {.name = "lower", .mass = 1.2, .inertia = 0.012, .centre = {0.15, -0.02}}};
  arm.joints = {{.a = "ground", .b = "upper"}, {.a = "upper.elbow", .b = "lower"}};
  arm.coordinates = {{.of = "upper"}, {.of = "lower", .relative_to = "upper"}};
  arm.forces = {{.name = "shoulder", .of = "upper"},
                {.name = "elbow", .of = "lower", .relative_to = "upper"}};
  arm.passive = {{.name = "s",
                  .kind = model::planar::PassiveKind::Angle,
                  .a = "ground",
                  .b = "upper",
                  .damping = 0.4,
                  .coulomb = 0.3,
                  .smooth_rate = 0.2},
                 {.name = "e",
                  .kind = model::planar::PassiveKind::Angle,
                  .a = "upper",
                  .b = "lower",
                  .damping = 0.15,
                  .coulomb = 0.12,
                  .smooth_rate = 0.2}};
  arm.sensors = {{.name = "first", .of = "upper", .sigma = 5e-4},
                 {.name = "second", .of = "lower", .relative_to = "upper", .sigma = 5e-4}};
  return arm;
}

/// A crank that turns a slider along x, with friction at the slider, level.
inline MechanismDescription slider_crank() {
  MechanismDescription crank;
  crank.gravity.setZero();
  crank.bodies = {
      {.name = "crank", .mass = 1.5, .inertia = 0.02, .points = {{"A", {0.15, 0.0}}}},
      {.name = "rod",
       .mass = 0.8,
       .inertia = 0.015,
       .centre = {0.2, 0.0},
       .points = {{"B", {0.5, 0.0}}},
       .start = Eigen::Vector3d(0.15, 0.0, 0.0)},
      {.name = "slider", .mass = 1.2, .inertia = 0.01, .start = Eigen::Vector3d(0.6, 0.0, 0.0)}};
  crank.joints = {{.a = "ground", .b = "crank"},
                  {.a = "crank.A", .b = "rod"},
                  {.a = "rod.B", .b = "slider"},
                  {.kind = model::planar::JointKind::Prismatic, .a = "ground", .b = "slider"}};
  crank.coordinates = {{.of = "crank"}};
  crank.forces = {{.name = "motor", .of = "crank"}};
  crank.passive = {{.name = "guide",
                    .kind = model::planar::PassiveKind::Slide,
                    .a = "ground",
                    .b = "slider",
                    .damping = 4.0,
                    .coulomb = 3.0,
                    .smooth_rate = 0.05}};
  crank.sensors = {{.name = "encoder", .of = "crank", .sigma = 5e-4}};
  return crank;
}

/// Readings with the noise of the sensors, under torques that are formulas in the time.
inline Experiment recorded(const MechanismDescription& description,
                           const std::vector<std::string>& torques, const Eigen::VectorXd& start,
                           Eigen::Index samples, double step, std::uint64_t seed) {
  const model::planar::Mechanism mechanism(description);
  std::vector<model::TimeFormula> laws;
  for (const std::string& text : torques) laws.emplace_back(text);
  const integrate::MechanismSimulation made = integrate::simulate_mechanism(
      mechanism, {.z = start}, laws,
      {.start = 0.0, .step = step, .count = static_cast<long>(samples)});
  RandomStream random(seed);
  Experiment experiment{.input = made.forces, .output = made.path.z, .step = step};
  for (Eigen::Index i = 0; i < experiment.output.cols(); ++i) {
    const double sigma = description.sensors[static_cast<std::size_t>(i)].sigma;
    experiment.output.col(i) += sigma * random.normal_vector(samples);
  }
  return experiment;
}

inline const std::vector<std::string> kArmTorques = {
    "9*cos(0.3*t) + 3*sin(2.1*t) + 2*sin(5.3*t + 1)",
    "1.5*cos(0.5*t) + 0.9*sin(3.7*t) + 0.7*sin(7.1*t + 2)"};
inline const std::vector<std::string> kCrankTorques = {"2.5 + 2.2*sin(1.7*t) + 1.4*sin(4.3*t + 1)"};

/// The unknowns with guesses that are wrong by a part of their size.
inline std::vector<optimize::Parameter> unknowns(const MechanismDescription& description,
                                                 const std::vector<std::string>& names,
                                                 double wrong) {
  std::vector<optimize::Parameter> list;
  for (const std::string& name : names) {
    list.push_back(unknown_parameter(description, name));
    list.back().guess *= 1.0 + wrong;
  }
  return list;
}

}  // namespace alembert::identify::arms
