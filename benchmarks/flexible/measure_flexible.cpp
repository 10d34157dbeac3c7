// measure_flexible [EVALUATIONS]: time of a right-hand side of the manipulator with 30 coordinates,
// least of ten batches, and simulated seconds a second.

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include "alembert/integrate/flexible_simulation.hpp"
#include "reproductions/manipulator/links.hpp"

namespace {

using alembert::model::flexible::FlexibleDescription;
using alembert::model::flexible::FlexibleEquations;
using alembert::model::flexible::FlexibleMechanism;
using alembert::model::flexible::FlexibleState;
using Eigen::VectorXd;
namespace manipulator = alembert::reproductions::manipulator;

// CPU time, s: other processes on the machine do not count.
double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// A state a little further on at each call, as an integrator asks for it.
double microseconds(const FlexibleMechanism& mechanism, int evaluations) {
  FlexibleState state = mechanism.start();
  const auto n = static_cast<std::size_t>(mechanism.unknowns());
  VectorXd x = VectorXd::Zero(static_cast<Eigen::Index>(2 * n));
  x.tail(3) << 2.0, -2.0, 4.0;
  VectorXd xdd(static_cast<Eigen::Index>(n));
  const double torques[] = {1.0, 2.0, 0.1};
  double best = 1e9;
  for (int batch = 0; batch < 10; ++batch) {
    const double start = cpu_seconds();
    for (int i = 0; i < evaluations; ++i) {
      x.segment(mechanism.elastic(), 3) =
          manipulator::reference_pose() + 1e-5 * static_cast<double>(i % 1000) * x.tail(3);
      mechanism.move({x.data(), 2 * n}, state);
      mechanism.accelerate(torques, state, {xdd.data(), n});
    }
    best = std::min(best, (cpu_seconds() - start) / evaluations);
  }
  return 1e6 * best;
}

// Simulated seconds a second of CPU by the midpoint rule with steps of 0.1 ms.
double real_time(const FlexibleMechanism& mechanism) {
  VectorXd x = VectorXd::Zero(2 * mechanism.unknowns());
  x.segment(mechanism.elastic(), 3) = manipulator::reference_pose();
  const std::vector<alembert::model::TimeFormula> torques = {
      alembert::model::TimeFormula("1.4*sin(2*pi*8*t)"),
      alembert::model::TimeFormula("7*sin(2*pi*10*t)"),
      alembert::model::TimeFormula("0.1*sin(2*pi*11*t)")};
  const double start = cpu_seconds();
  const auto run = alembert::integrate::simulate_flexible(
      mechanism, x, torques, {.step = 1e-3, .count = 201}, {.substeps = 10});
  return run.ok() ? 0.2 / (cpu_seconds() - start) : 0.0;
}

}  // namespace

int main(int argc, char** argv) {
  const int evaluations = argc > 1 ? std::atoi(argv[1]) : 20000;
  fmt::print("| equations | right-hand side, us | simulated s a second |\n|---|---:|---:|\n");
  for (const FlexibleEquations form : {FlexibleEquations::Published, FlexibleEquations::Complete}) {
    FlexibleDescription description = manipulator::links(manipulator::Variant::Calib, 0.6);
    description.equations = form;
    description.stiffness_damping = 3.9e-5;
    const FlexibleMechanism mechanism(description, manipulator::reference_pose());
    fmt::print("| {} | {:.2f} | {:.3f} |\n", alembert::name_of(form),
               microseconds(mechanism, evaluations), real_time(mechanism));
  }
  return 0;
}
