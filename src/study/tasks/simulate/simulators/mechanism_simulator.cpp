#include "alembert/estimate/force/force_balance.hpp"
#include "alembert/integrate/mechanism_simulation.hpp"
#include "core/mapped.hpp"
#include "study/tasks/simulate/simulators/simulator.hpp"

namespace alembert::study {
namespace {

/// A motion and the forces behind it, samples x forces; no columns where nobody asks for them.
struct ActedMotion {
  model::planar::CoordinatePath path;
  Eigen::MatrixXd forces;
};

// What acts along the motion: the unknown forces as the study says, the others by the balance.
Eigen::MatrixXd balanced_forces(const MovedMechanism& moved, const Eigen::VectorXd& times,
                                const model::planar::CoordinatePath& path) {
  Eigen::MatrixXd unknown(times.size(), static_cast<Eigen::Index>(moved.forces.size()));
  for (Eigen::Index i = 0; i < unknown.cols(); ++i) {
    unknown.col(i) = moved.forces[static_cast<std::size_t>(i)].law.sample(times).col(0);
  }
  if (!unknown.allFinite()) {
    throw StudyError(moved.place, "simulate.forces: a formula has no number at some time");
  }
  const estimate::BalancedForces found =
      estimate::balance_forces(*moved.mechanism, times, path, unknown, moved.lengths);
  if (!found.ok()) throw StudyError(moved.place, "simulate.motion: " + found.message);
  return found.forces;
}

ActedMotion prescribed_motion(const MovedMechanism& moved, const Eigen::VectorXd& times) {
  ActedMotion made{.path = model::planar::sample_laws(moved.laws(), times),
                   .forces = Eigen::MatrixXd(times.size(), 0)};
  // A path that is not finite is reported with its time when the mechanism is moved along it.
  if (moved.has_forces() && made.path.z.allFinite()) {
    made.forces = balanced_forces(moved, times, made.path);
  }
  return made;
}

ActedMotion released_motion(const MovedMechanism& moved, const SimulateStudy& study) {
  const std::vector<model::TimeFormula> laws =
      mapped(moved.forces, [](const ForceLaw& force) { return force.law; });
  integrate::MechanismSimulation made = integrate::simulate_mechanism(
      *moved.mechanism,
      {.z = moved.released->z, .zd = moved.released->zd, .lengths = moved.lengths}, laws,
      {.start = study.start_time, .step = study.step, .count = static_cast<long>(study.samples)});
  if (!made.ok()) throw StudyError(moved.place, "simulate.start: " + made.message);
  return {.path = std::move(made.path), .forces = std::move(made.forces)};
}

}  // namespace

MechanismSimulator::MechanismSimulator(const MovedMechanism& moved, const SimulateStudy& study) {
  const Eigen::VectorXd times =
      signal::TimeAxis::uniform(study.samples, study.step, study.start_time).times();
  const ActedMotion acted =
      moved.released ? released_motion(moved, study) : prescribed_motion(moved, times);
  const model::planar::CoordinatePath& path = acted.path;
  const model::planar::MechanismMotion motion = model::planar::move_mechanism(
      *moved.mechanism, times, path, {.lengths = moved.lengths, .poses = false});
  if (!motion.ok()) throw StudyError(moved.place, "simulate.motion: " + motion.message);
  Eigen::MatrixXd readings = motion.readings;
  for (int s = 0; acted.forces.cols() > 0 && s < moved.mechanism->sensors(); ++s) {
    const int force = moved.mechanism->force_read_by(s);
    if (force >= 0) readings.col(s) = acted.forces.col(force);
  }
  signals_.resize(times.size(), 3 * path.z.cols() + readings.cols() + acted.forces.cols());
  signals_ << path.z, path.zd, path.zdd, readings, acted.forces;
}

SimulatedMotion MechanismSimulator::run(const Eigen::MatrixXd&, const StopFlag* stop) const {
  SimulatedMotion moved;
  if (stop != nullptr && stop->requested()) {
    moved.status = Status::Stopped;
    return moved;
  }
  moved.signals = signals_;
  return moved;
}

}  // namespace alembert::study
