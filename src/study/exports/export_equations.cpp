#include <fmt/format.h>

#include "alembert/code/equation_program.hpp"
#include "alembert/core/error.hpp"
#include "study/exports/export_parts.hpp"
#include "study/parts/equations/compiled_equations.hpp"

namespace alembert::study {
namespace {

/// A model with its parameters, and a record to try it on.
struct ModelRun {
  const model::EquationModel& model;
  Eigen::VectorXd parameters;
  identify::SimulationOptions simulation;
  identify::Experiment experiment;
  std::string title;
};

// A program takes fixed steps, and knows no inputs of the future.
void check_simulation(const identify::SimulationOptions& simulation, const ExportTask& task) {
  if (simulation.integrator != integrate::Integrator::RungeKutta4) {
    throw not_exported(task,
                       fmt::format("the integrator is {}, but a program takes the fixed steps "
                                   "of runge-kutta alone; choose these with --set {}.integrator"
                                   "=\"runge-kutta\", and enough substeps",
                                   name_of(simulation.integrator), task.loaded.task));
  }
  if (integrate::has_half_steps(simulation.between)) {
    throw not_exported(
        task, fmt::format("inputs are {} between the samples, which a program that runs along "
                          "cannot know; choose --set {}.between=\"linear\" or \"held\"",
                          name_of(simulation.between), task.loaded.task));
  }
}

// The start where the equations do not give it.
Eigen::VectorXd start_of(const identify::EquationPrediction& predicted,
                         const identify::SimulationOptions& simulation) {
  const bool own =
      simulation.start == identify::StartState::Model && simulation.start_values.size() == 0;
  return own || predicted.starts.cols() == 0 ? Eigen::VectorXd() : predicted.starts.col(0).eval();
}

StudyExport export_model(const ModelRun& run, const std::filesystem::path& file,
                         const ExportTask& task) {
  check_simulation(run.simulation, task);
  const model::CompiledEquations compiled =
      compiled_equations(file, run.model, model::EngineKind::Automatic, run.simulation.integrator);
  const identify::EquationPrediction predicted =
      identify::simulate_equations(compiled, run.parameters, {run.experiment}, run.simulation);
  if (!predicted.ok()) throw not_exported(task, "the simulation failed: " + predicted.message);
  code::EquationProgramOptions options;
  options.name = task.options.name;
  options.title = run.title;
  options.number = task.options.precision;
  options.step = run.experiment.step;
  options.substeps = run.simulation.substeps;
  options.start_time = run.experiment.start_time;
  options.between = run.simulation.between;
  options.start = start_of(predicted, run.simulation);
  StudyExport result;
  result.kind = "equations";
  result.program = code::equation_program(run.model, run.parameters, options);
  result.replay = {.inputs = code::input_rows(run.experiment.input, run.simulation.between),
                   .outputs = predicted.outputs.front()};
  return result;
}

}  // namespace

StudyExport export_equations(const SimulateStudy& study, const ExportTask& task) {
  const EquationSystem& equations = *study.equations();
  check_simulation(equations.simulation, task);
  SimulateStudy one = study;
  one.experiments = 1;
  const SimulateResult simulated = run_simulate(one, task.context.machines, task.context.options);
  if (simulated.experiments.empty()) {
    throw not_exported(task, "the simulation failed: " + simulated.message);
  }
  const Eigen::MatrixXd& truth = simulated.experiments.front().truth.samples();
  const auto inputs = static_cast<Eigen::Index>(study.inputs.size());
  const auto signals = static_cast<Eigen::Index>(equations.model.outputs().size());
  StudyExport result = export_model({equations.model,
                                     equations.parameters,
                                     equations.simulation,
                                     {.input = truth.leftCols(inputs),
                                      .output = Eigen::MatrixXd::Zero(truth.rows(), signals),
                                      .step = study.step,
                                      .start_time = study.start_time},
                                     study.title},
                                    study.file, task);
  // What the run of the study itself says, not a second simulation.
  result.replay.outputs = truth.middleCols(inputs, signals);
  return result;
}

StudyExport export_equation_fit(const OutputErrorStudy& study, const ExportTask& task) {
  check_simulation(study.options.output_error.simulation, task);
  const OutputErrorOutcome found =
      run_output_error(study, task.context.options, &task.context.machines);
  if (!found.ok()) throw not_exported(task, "the identification failed: " + found.message);
  if (found.estimate.windows > 0) {
    throw not_exported(task,
                       "the parameters were found in windows, since no simulation follows the "
                       "whole record: there is nothing that the program could be compared with");
  }
  StudyExport result = export_model({found.study.model, found.estimate.parameters, found.simulation,
                                     found.study.data.experiments.front(), study.title},
                                    study.file, task);
  result.notes.push_back(
      fmt::format("parameters as identified; verdict {}", name_of(found.verdict.level)));
  return result;
}

}  // namespace alembert::study
