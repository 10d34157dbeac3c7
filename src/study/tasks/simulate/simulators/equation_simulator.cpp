#include "study/parts/equations/compiled_equations.hpp"
#include "study/tasks/simulate/simulators/simulator.hpp"

namespace alembert::study {

EquationSimulator::EquationSimulator(const EquationSystem& equations, const SimulateStudy& study)
    : equations_(equations),
      study_(study),
      compiled_(compiled_equations(study.file, equations.model, equations.engine,
                                   equations.simulation.integrator)) {}

SimulatedMotion EquationSimulator::run(const Eigen::MatrixXd& inputs, const StopFlag* stop) const {
  SimulatedMotion moved;
  if (stop != nullptr && stop->requested()) {
    moved.status = Status::Stopped;
    return moved;
  }
  const auto signals = static_cast<Eigen::Index>(compiled_.model().outputs().size());
  identify::EquationPrediction found =
      identify::simulate_equations(compiled_, equations_.parameters,
                                   {{.input = inputs,
                                     .output = Eigen::MatrixXd::Zero(inputs.rows(), signals),
                                     .step = study_.step,
                                     .start_time = study_.start_time}},
                                   equations_.simulation);
  moved.status = found.status;
  moved.message = found.message;
  if (found.ok()) moved.signals = std::move(found.outputs.front());
  return moved;
}

}  // namespace alembert::study
