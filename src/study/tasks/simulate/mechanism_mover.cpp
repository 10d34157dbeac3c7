#include <memory>

#include "study/tasks/simulate/experiment.hpp"

namespace alembert::study {

Mover mechanism_mover(const SimulateStudy& study) {
  const Eigen::VectorXd times =
      signal::TimeAxis::uniform(study.samples, study.step, study.start_time).times();
  // The motion is the same in all experiments, which share it.
  const auto signals =
      std::make_shared<const Eigen::MatrixXd>(move_mechanism(*study.model.mechanism, times));
  return [signals](const Eigen::MatrixXd&, const StopFlag* stop) {
    SimulatedMotion moved;
    if (stop != nullptr && stop->requested()) {
      moved.status = Status::Stopped;
      return moved;
    }
    moved.signals = *signals;
    return moved;
  };
}

}  // namespace alembert::study
