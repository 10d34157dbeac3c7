#include "study/parts/equations/compiled_equations.hpp"
#include "study/tasks/simulate/experiment.hpp"

namespace alembert::study {

Mover equation_mover(const SimulateStudy& study) {
  const EquationDescription& equations = *study.model.equations;
  const model::CompiledEquations compiled = compiled_equations(
      study.file, equations.model, equations.engine, equations.simulation.integrator);
  const double step = study.step;
  const double start = study.start_time;
  return [compiled, step, start, parameters = equations.parameters, options = equations.simulation](
             const Eigen::MatrixXd& inputs, const StopFlag* stop) {
    SimulatedMotion moved;
    if (stop != nullptr && stop->requested()) {
      moved.status = Status::Stopped;
      return moved;
    }
    const auto signals = static_cast<Eigen::Index>(compiled.model().outputs().size());
    identify::EquationPrediction found =
        identify::simulate_equations(compiled, parameters,
                                     {{.input = inputs,
                                       .output = Eigen::MatrixXd::Zero(inputs.rows(), signals),
                                       .step = step,
                                       .start_time = start}},
                                     options);
    moved.status = found.status;
    moved.message = found.message;
    if (found.ok()) moved.signals = std::move(found.outputs.front());
    return moved;
  };
}

}  // namespace alembert::study
