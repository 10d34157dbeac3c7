#include "alembert/estimate/force_balance.hpp"
#include "study/tasks/simulate/simulators/simulator.hpp"

namespace alembert::study {
namespace {

// What acts along the motion: the unknown forces as the study says, the others by the balance.
Eigen::MatrixXd forces_of(const MovedMechanism& moved, const Eigen::VectorXd& times,
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

}  // namespace

MechanismSimulator::MechanismSimulator(const MovedMechanism& moved, const SimulateStudy& study) {
  const Eigen::VectorXd times =
      signal::TimeAxis::uniform(study.samples, study.step, study.start_time).times();
  const model::planar::CoordinatePath path = model::planar::sample_laws(moved.laws(), times);
  const model::planar::MechanismMotion motion = model::planar::move_mechanism(
      *moved.mechanism, times, path, {.lengths = moved.lengths, .poses = false});
  if (!motion.ok()) throw StudyError(moved.place, "simulate.motion: " + motion.message);
  Eigen::MatrixXd readings = motion.readings;
  Eigen::MatrixXd forces(times.size(), 0);
  if (estimate::has_force_cells(*moved.mechanism)) {
    forces = forces_of(moved, times, path);
    for (int s = 0; s < moved.mechanism->sensors(); ++s) {
      const int force = moved.mechanism->force_read_by(s);
      if (force >= 0) readings.col(s) = forces.col(force);
    }
  }
  signals_.resize(times.size(), 3 * path.z.cols() + readings.cols() + forces.cols());
  signals_ << path.z, path.zd, path.zdd, readings, forces;
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
