#include "study/tasks/simulate/simulators/simulator.hpp"

namespace alembert::study {

LinearSimulator::LinearSimulator(const LinearModel& model, const SimulateStudy& study)
    : model_(model),
      study_(study),
      own_(std::make_unique<const integrate::OneStepMap>(
          integrate::one_step_map(model.system, study.step, study.integration))),
      map_(*own_) {}

LinearSimulator::LinearSimulator(const LinearModel& model, const SimulateStudy& study,
                                 const integrate::OneStepMap& map)
    : model_(model), study_(study), map_(map) {}

SimulatedMotion LinearSimulator::run(const Eigen::MatrixXd& inputs, const StopFlag* stop) const {
  const integrate::Trajectory motion = integrate::simulate(
      model_.system, map_, inputs, study_.start_displacement, study_.start_velocity, stop);
  SimulatedMotion moved;
  static_cast<Outcome&>(moved) = motion;
  if (!motion.ok()) return moved;
  moved.signals.resize(inputs.rows(), 3 * motion.displacement.cols());
  moved.signals << motion.displacement, motion.velocity, motion.acceleration;
  return moved;
}

}  // namespace alembert::study
