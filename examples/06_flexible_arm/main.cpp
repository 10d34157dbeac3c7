// A flexible arm on a motor: its modes, and how far its tip is off while the motor turns it.
#include <fmt/core.h>

#include <alembert/integrate/flexible_simulation.hpp>
#include <alembert/model/flexible/equilibrium.hpp>
#include <alembert/model/modes.hpp>
#include <numbers>

int main() {
  namespace flexible = alembert::model::flexible;
  flexible::FlexibleDescription description;
  description.mechanism.gravity.setZero();  // the plane is level
  description.mechanism.bodies = {{.name = "arm", .points = {{"hub", {0, 0}}, {"tip", {0.8, 0}}}}};
  description.mechanism.joints = {{.a = "ground", .b = "arm.hub"}};
  description.mechanism.coordinates = {alembert::model::planar::parse_coordinate("angle(arm)")};
  description.mechanism.forces = {{.name = "motor", .of = "arm.hub"}};
  description.bodies = {{.name = "arm",
                         .section = flexible::rectangular_section(0.03, 0.004, 69e9, 2700),
                         .elements = 6,
                         .lumps = {{"hub", 0.0, 2e-3}}}};
  description.stiffness_damping = 1e-4;
  const flexible::FlexibleMechanism arm(description, Eigen::VectorXd::Zero(1));

  const auto rest = flexible::find_equilibrium(arm, Eigen::VectorXd::Zero(1));
  const auto modes = alembert::model::undamped_modes(flexible::linearise(arm, rest.x));
  for (int i = 1; i <= 3; ++i) {
    fmt::print("mode {}  {:8.3f} Hz\n", i, modes.angular_frequency(i) / (2 * std::numbers::pi));
  }
  const auto run = alembert::integrate::simulate_flexible(
      arm, rest.x, {alembert::model::TimeFormula("0.2*sin(2*pi*t)")},
      {.step = 1e-3, .count = 1001});
  const auto tip = run.states.col(arm.displacement("y(arm.tip)"));
  const auto energy = run.kinetic + run.elastic + run.potential - run.work + run.loss;
  fmt::print("tip off by {:.3f} mm at most, energy balance {:.1e} J\n",
             1e3 * tip.cwiseAbs().maxCoeff(), energy.cwiseAbs().maxCoeff());
  return run.ok() ? 0 : 1;
}
