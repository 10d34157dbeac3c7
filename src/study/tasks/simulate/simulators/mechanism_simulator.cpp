#include "study/tasks/simulate/simulators/simulator.hpp"

namespace alembert::study {

MechanismSimulator::MechanismSimulator(const MovedMechanism& moved, const SimulateStudy& study)
    : signals_(move_mechanism(
          moved, signal::TimeAxis::uniform(study.samples, study.step, study.start_time).times())) {}

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
