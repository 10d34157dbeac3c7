#include "alembert/integrate/flexible_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/integrate/ode/solve.hpp"
#include "core/algebra/decompositions.hpp"
#include "integrate/flexible/flexible_system.hpp"

namespace alembert::integrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::flexible::FlexibleMechanism;

constexpr const char* kSimulateFlexible = "simulate_flexible";
constexpr int kMostHalvings = 8;
constexpr double kStableRungeKutta = 2.82;  // of ω·step on the imaginary axis: 2√2
constexpr double kRest = 1e-9;              // of sizes: what moves less is at rest
constexpr int kMostSubsteps = 1 << 12;
constexpr int kLeastTried = 64;  // substeps before a motion counts as one that has no way on
// Of the energy that comes and goes. The rule of second order then misses a part of the motion of
// the same size: a tenth is no motion to use.
constexpr double kLargestDrift = 0.1;

void check_times(const ode::SampleTimes& times) {
  check::positive(kSimulateFlexible, "times.step", times.step);
  check::at_least(kSimulateFlexible, "times.count", times.count, 1);
}

void check_options(const FlexibleMechanism& mechanism, const ode::SampleTimes& times,
                   const FlexibleSimulationOptions& options) {
  check::at_least(kSimulateFlexible, "substeps", options.substeps, 0);
  check::positive(kSimulateFlexible, "accuracy", options.accuracy);
  check::positive(kSimulateFlexible, "relative_tolerance", options.relative_tolerance);
  check::positive(kSimulateFlexible, "absolute_tolerance", options.absolute_tolerance);
  if (options.method != FlexibleMethod::RungeKutta4 || options.substeps == 0) return;
  const double longest = longest_explicit_step(mechanism);
  const double step = times.step / options.substeps;
  if (step <= longest) return;
  throw InvalidInput(
      {.function = kSimulateFlexible,
       .argument = "substeps",
       .rule = fmt::format("must make steps of {:.3g} s at most, or vibration at the "
                           "highest frequency grows without bound; take {:.0f}",
                           longest, std::ceil(times.step / longest)),
       .value = fmt::format("{}, steps of {:.3g} s", options.substeps, step)});
}

// A step, or two of half its length where it does not converge, and so on.
bool advance(MidpointSteps& steps, double t, double h, int halvings, VectorXd& x) {
  if (steps.step(t, h, x)) return true;
  return halvings > 0 && advance(steps, t, 0.5 * h, halvings - 1, x) &&
         advance(steps, t + 0.5 * h, 0.5 * h, halvings - 1, x);
}

ode::Solution solve_midpoint(const FlexibleMechanism& mechanism, FlexibleSystem& system,
                             const VectorXd& x0, const ode::SampleTimes& times, int substeps) {
  MidpointSteps steps(mechanism, system);
  ode::Solution solution;
  solution.time.resize(times.count);
  solution.states.resize(times.count, x0.size());
  VectorXd x = x0;
  const double h = times.step / substeps;
  for (long k = 0; k < times.count; ++k) {
    solution.time(k) = times.at(k);
    solution.states.row(k) = x;
    for (int i = 0; i < substeps && k + 1 < times.count; ++i) {
      if (advance(steps, times.at(k) + i * h, h, kMostHalvings, x)) continue;
      solution.status = Status::NotFinite;
      solution.time.conservativeResize(k + 1);
      solution.states.conservativeResize(k + 1, Eigen::NoChange);
      return solution;
    }
  }
  return solution;
}

/// What is solved, and by which method.
struct Problem {
  const FlexibleMechanism& mechanism;
  const std::vector<model::TimeFormula>& forces;
  const VectorXd& x0;
  const ode::SampleTimes& times;
  const FlexibleSimulationOptions& options;

  [[nodiscard]] ode::Solution solve(int substeps) const {
    FlexibleSystem system(mechanism, forces);
    switch (options.method) {
      case FlexibleMethod::Midpoint:
        return solve_midpoint(mechanism, system, x0, times, substeps);
      case FlexibleMethod::RungeKutta4:
        return ode::solve_runge_kutta4(system, x0, times, substeps);
      case FlexibleMethod::DormandPrince:
        break;
    }
    return ode::solve_adaptive(system, x0, times,
                               {.relative_tolerance = options.relative_tolerance,
                                .absolute_tolerance = options.absolute_tolerance,
                                .max_steps = 100000000});
  }
};

// Largest change of the displacements, the coordinates and the rates of both, each as a part of its
// largest value. Coordinates count from where they began.
double change_between(const FlexibleMechanism& mechanism, double duration, const MatrixXd& coarse,
                      const MatrixXd& fine) {
  struct Group {
    Index first, count;
    double rest;  // what is smaller counts as rest
  };
  const Index n = mechanism.unknowns();
  const Index ne = mechanism.elastic();
  const double length = kRest * mechanism.rigid().size();
  const std::array<Group, 4> groups = {{{0, ne, length},
                                        {ne, n - ne, kRest},
                                        {n, ne, length / duration},
                                        {n + ne, n - ne, kRest / duration}}};
  double largest = 0.0;
  for (const Group& group : groups) {
    MatrixXd moved = fine.middleCols(group.first, group.count);
    const double change =
        (moved - coarse.middleCols(group.first, group.count)).cwiseAbs().maxCoeff();
    if (group.first == ne) moved.rowwise() -= fine.row(0).segment(ne, group.count);
    largest = std::max(largest, change / std::max(group.rest, moved.cwiseAbs().maxCoeff()));
  }
  return largest;
}

// Halves the steps until that changes little.
ode::Solution solve_by_halving(const Problem& problem, FlexibleSimulation& made) {
  made.substeps = problem.options.method == FlexibleMethod::RungeKutta4
                      ? static_cast<int>(std::ceil(problem.times.step /
                                                   longest_explicit_step(problem.mechanism)))
                      : 1;
  ode::Solution coarse = problem.solve(made.substeps);
  while (2 * made.substeps <= kMostSubsteps) {
    made.substeps *= 2;
    ode::Solution fine = problem.solve(made.substeps);
    if (fine.ok() && coarse.ok()) {
      made.halving_change = change_between(
          problem.mechanism, problem.times.step * static_cast<double>(problem.times.count),
          coarse.states, fine.states);
      if (made.halving_change <= problem.options.accuracy) return fine;
    }
    // A dead centre is one for all steps.
    const bool no_way = !fine.ok() && !coarse.ok() && made.substeps >= kLeastTried;
    coarse = std::move(fine);
    if (no_way) return coarse;
  }
  return coarse;
}

ode::Solution solve(const Problem& problem, FlexibleSimulation& made) {
  const FlexibleSimulationOptions& options = problem.options;
  if (options.method != FlexibleMethod::DormandPrince && options.substeps == 0) {
    return solve_by_halving(problem, made);
  }
  made.substeps = std::max(1, options.substeps);
  return problem.solve(made.substeps);
}

// What the energies say of the steps.
void judge_steps(const FlexibleMechanism& mechanism, const FlexibleSimulationOptions& options,
                 FlexibleSimulation& made) {
  if (made.kinetic.size() == 0) return;
  if (mechanism.description().equations == model::flexible::FlexibleEquations::Complete) {
    const VectorXd balance = made.kinetic + made.elastic + made.potential - made.work + made.loss;
    double size = 0.0;
    for (const VectorXd* one : {&made.kinetic, &made.elastic, &made.work, &made.loss}) {
      size = std::max(size, one->cwiseAbs().maxCoeff());
    }
    size = std::max(size, (made.potential.array() - made.potential(0)).abs().maxCoeff());
    size = std::max(size, kRest * made.potential.cwiseAbs().maxCoeff());
    const double drift = (balance.array() - balance(0)).abs().maxCoeff();
    made.energy_drift = drift > 0.0 ? drift / size : 0.0;
  }
  if (!made.ok()) return;
  if (made.energy_drift > kLargestDrift) {
    made.status = Status::NotConverged;
    made.message = fmt::format(
        "the steps are too long: the energy changes by {:.2g} % that no force or damping accounts "
        "for; take more substeps, or leave them to be chosen",
        100.0 * made.energy_drift);
  } else if (made.halving_change > options.accuracy) {
    made.status = Status::NotConverged;
    made.message = fmt::format(
        "with {} substeps halving them still changes the motion by {:.2g} of its size: it is "
        "chaotic, or has vibration that is too fast for the samples; take shorter samples or add "
        "damping",
        made.substeps, made.halving_change);
  }
}

void resize(Index samples, const FlexibleMechanism& mechanism, FlexibleSimulation& made) {
  const Index n = mechanism.unknowns();
  made.states.resize(samples, 2 * n);
  made.accelerations.resize(samples, n);
  made.forces.resize(samples, mechanism.forces());
  for (VectorXd* one : {&made.kinetic, &made.elastic, &made.potential, &made.work, &made.loss}) {
    one->resize(samples);
  }
}

// Accelerations, forces and energies at the samples, from the start on.
void complete(const ode::Solution& solution, const FlexibleMechanism& mechanism,
              FlexibleSystem& system, FlexibleSimulation& made) {
  const Index n = mechanism.unknowns();
  for (Index k = 0; k < solution.states.rows(); ++k) {
    const VectorXd x = solution.states.row(k);
    if (!system.move(solution.time(k), x.data())) continue;
    made.states.row(k) = x.head(2 * n);
    made.accelerations.row(k) = Eigen::Map<const VectorXd>(system.accelerations().data(), n);
    for (std::size_t i = 0; i < system.forces().size(); ++i) {
      made.forces(k, static_cast<Index>(i)) = system.forces()[i];
    }
    made.kinetic(k) = mechanism.kinetic_energy(system.state());
    made.elastic(k) = mechanism.elastic_energy(system.state());
    made.potential(k) = mechanism.potential_energy(system.state());
    made.work(k) = x(2 * n);
    made.loss(k) = x(2 * n + 1);
  }
}

}  // namespace

double longest_explicit_step(const FlexibleMechanism& mechanism) {
  const Index ne = mechanism.elastic();
  MatrixXd K = MatrixXd::Zero(mechanism.unknowns(), mechanism.unknowns());
  K.topLeftCorner(ne, ne) = mechanism.matrices(mechanism.start()).K.topLeftCorner(ne, ne);
  // The largest eigenvalue of L⁻¹ K L⁻ᵀ
  const Eigen::LLT<MatrixXd> mass(mechanism.mass(mechanism.start()));
  MatrixXd scaled = mass.matrixL().solve(K);
  scaled = mass.matrixL().solve(MatrixXd(scaled.transpose()));
  const Eigen::SelfAdjointEigenSolver<MatrixXd> modes(scaled);
  return kStableRungeKutta / std::sqrt(modes.eigenvalues().tail<1>()(0));
}

FlexibleSimulation simulate_flexible(const FlexibleMechanism& mechanism,
                                     const Eigen::Ref<const VectorXd>& start,
                                     const std::vector<model::TimeFormula>& forces,
                                     const ode::SampleTimes& times,
                                     const FlexibleSimulationOptions& options) {
  check::size(kSimulateFlexible, "start", start.size(), 2 * mechanism.unknowns());
  check::all_finite(kSimulateFlexible, "start", start);
  check::size(kSimulateFlexible, "forces", static_cast<long long>(forces.size()),
              mechanism.forces());
  check_times(times);
  check_options(mechanism, times, options);
  FlexibleSystem system(mechanism, forces);
  if (!system.move(times.start, start.data())) {
    throw InvalidInput({.function = kSimulateFlexible,
                        .argument = "start",
                        .rule = "the mechanism cannot be there"});
  }
  VectorXd x0 = VectorXd::Zero(start.size() + 2);
  x0.head(start.size()) = start;
  FlexibleSimulation made;
  const ode::Solution solution = solve({mechanism, forces, x0, times, options}, made);
  made.status = solution.status;
  if (!solution.ok()) {
    const Index reached = solution.time.size();
    made.message = fmt::format(
        "the motion cannot be followed beyond {:.6g} s: a dead centre, a force that has no value, "
        "or deflections that are not small; try shorter steps",
        reached > 0 ? solution.time(reached - 1) : times.start);
  }
  made.time = solution.time;
  resize(solution.states.rows(), mechanism, made);
  FlexibleSystem again(mechanism, forces);  // from the start on, so that branches agree
  complete(solution, mechanism, again, made);
  judge_steps(mechanism, options, made);
  return made;
}

}  // namespace alembert::integrate
