#include "study/tasks/simulate/simulators/simulator.hpp"

namespace alembert::study {

MechanismSimulator::MechanismSimulator(const MovedMechanism& moved, const SimulateStudy& study) {
  const Eigen::VectorXd times =
      signal::TimeAxis::uniform(study.samples, study.step, study.start_time).times();
  const model::planar::CoordinatePath path = model::planar::sample_laws(moved.laws(), times);
  const model::planar::MechanismMotion motion = model::planar::move_mechanism(
      *moved.mechanism, times, path, {.lengths = moved.lengths, .poses = false});
  if (!motion.ok()) throw StudyError(moved.place, "simulate.motion: " + motion.message);
  signals_.resize(times.size(), 3 * path.z.cols() + motion.readings.cols());
  signals_ << path.z, path.zd, path.zdd, motion.readings;
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
