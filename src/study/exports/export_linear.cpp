#include <fmt/format.h>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "alembert/integrate/linear_simulation.hpp"
#include "study/exports/export_parts.hpp"

namespace alembert::study {
namespace {

constexpr Eigen::Index kInventedSamples = 2000;
constexpr std::uint64_t kInventedSeed = 1;

/// What is simulated, and from where.
struct LinearRun {
  model::SecondOrder system;
  model::OutputMap outputs;
  Eigen::MatrixXd feedthrough;  ///< outputs x inputs, beside the accelerations
  integrate::LinearSimulationOptions integration;
  Eigen::MatrixXd input;
  double step = 0.0;
  Eigen::VectorXd q0, v0;
  std::vector<code::Signal> inputs, outputs_signals, states;
  std::string title;
};

// x = (q, q')
std::vector<code::Signal> state_signals(const std::vector<std::string>& coordinates,
                                        const std::vector<std::string>& units,
                                        const std::vector<std::string>& rates) {
  std::vector<code::Signal> states;
  const auto unit = [](const std::vector<std::string>& list, std::size_t k) {
    return k < list.size() ? list[k] : std::string();
  };
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    states.push_back({coordinates[k], unit(units, k)});
  }
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    states.push_back({coordinates[k] + "'", unit(rates, k)});
  }
  return states;
}

ExportedMatrix named(const char* name, const Eigen::MatrixXd& values) { return {name, values}; }

StudyExport export_run(const LinearRun& run, const ExportTask& task) {
  const integrate::OneStepMap map = integrate::one_step_map(run.system, run.step, run.integration);
  code::LinearSteps steps = code::linear_steps(run.system, map, run.outputs);
  steps.E += run.feedthrough;
  steps.start << run.q0, run.v0;
  steps.inputs = run.inputs;
  steps.states = run.states;
  steps.outputs = run.outputs_signals;
  const integrate::Trajectory moved =
      integrate::simulate(run.system, map, run.input, run.q0, run.v0, task.context.options.stop);
  if (!moved.ok()) throw not_exported(task, "the simulation failed: " + moved.message);
  StudyExport result;
  result.kind = "linear model";
  result.program = code::linear_program(
      steps, {.name = task.options.name, .title = run.title, .number = task.options.precision});
  result.replay = {
      .inputs = code::input_rows(steps, run.input),
      .outputs = integrate::apply(run.outputs, moved) + run.input * run.feedthrough.transpose()};
  const model::StateSpace form = model::state_space(run.system, run.outputs);
  result.matrices = {
      named("M", run.system.M), named("D", run.system.D),
      named("K", run.system.K), named("L", run.system.L),
      named("A", form.A),       named("B", form.B),
      named("C", form.C),       named("E", steps.E),
      named("F", steps.F),      named("G", steps.G),
      named("x0", steps.start), named("step", Eigen::MatrixXd::Constant(1, 1, run.step))};
  if (map.drive == integrate::Drive::Polynomial) {
    result.notes.push_back(fmt::format(
        "inputs follow a cubic spline through all samples, of which a step takes four rows; for a "
        "program that runs along choose --set {}.hold=\"linear\" or \"zero\"",
        task.loaded.task));
  }
  return result;
}

// What the sensors see, in their units and without their errors.
void add_sensors(const SimulateStudy& study, LinearRun& run) {
  const Eigen::Index n = run.system.degrees_of_freedom();
  const auto count = static_cast<Eigen::Index>(study.sensors.size());
  run.outputs = {Eigen::MatrixXd::Zero(count, n), Eigen::MatrixXd::Zero(count, n),
                 Eigen::MatrixXd::Zero(count, n)};
  run.feedthrough = Eigen::MatrixXd::Zero(count, run.system.inputs());
  for (Eigen::Index i = 0; i < count; ++i) {
    const SensorDescription& sensor = study.sensors[static_cast<std::size_t>(i)];
    const Eigen::RowVectorXd weights = sensor.factor * sensor.weights.transpose();
    Eigen::MatrixXd& target = sensor.quantity == Quantity::Velocity       ? run.outputs.velocity
                              : sensor.quantity == Quantity::Acceleration ? run.outputs.acceleration
                              : sensor.quantity == Quantity::Force        ? run.feedthrough
                                                                   : run.outputs.displacement;
    target.row(i) = weights;
    run.outputs_signals.push_back({sensor.name, sensor.unit});
  }
}

void add_displacements(const std::vector<code::Signal>& states, LinearRun& run) {
  const Eigen::Index n = run.system.degrees_of_freedom();
  run.outputs = {Eigen::MatrixXd::Identity(n, n), Eigen::MatrixXd::Zero(n, n),
                 Eigen::MatrixXd::Zero(n, n)};
  run.feedthrough = Eigen::MatrixXd::Zero(n, run.system.inputs());
  run.outputs_signals.assign(states.begin(), states.begin() + n);
}

}  // namespace

StudyExport export_simulated_matrices(const SimulateStudy& study, const ExportTask& task) {
  const LinearModel& linear = *study.linear();
  SimulateStudy one = study;
  one.experiments = 1;
  const SimulateResult simulated = run_simulate(one, task.context.machines, task.context.options);
  if (simulated.experiments.empty()) {
    throw not_exported(task, "the simulation failed: " + simulated.message);
  }
  LinearRun run;
  run.system = linear.system;
  run.integration = study.integration;
  run.input = simulated.experiments.front().truth.samples().leftCols(linear.system.inputs());
  run.step = study.step;
  run.q0 = study.start_displacement;
  run.v0 = study.start_velocity;
  run.title = study.title;
  for (const InputDescription& input : study.inputs) run.inputs.push_back({input.name, input.unit});
  run.states = state_signals(linear.coordinates, linear.displacement_units, linear.velocity_units);
  study.sensors.empty() ? add_displacements(run.states, run) : add_sensors(study, run);
  StudyExport result = export_run(run, task);
  result.notes.emplace_back("outputs are what the sensors see, without their errors");
  return result;
}

StudyExport export_identified_matrices(const IdentifyStudy& study, const ExportTask& task) {
  const IdentifyResult found = run_identify(study, task.context.options);
  if (!found.ok() || !found.has_system()) {
    throw not_exported(task, "the identification failed: " + found.message);
  }
  LinearRun run;
  run.system = found.refinement.system;
  run.integration.hold = found.study.settings.refinement.hold;
  run.input = found.study.data.experiments.front().input;
  run.step = found.study.step();
  run.q0 = Eigen::VectorXd::Zero(run.system.degrees_of_freedom());
  run.v0 = run.q0;
  run.title = study.title;
  for (const ColumnUse& input : study.inputs) run.inputs.push_back({input.name, input.unit});
  run.states = state_signals(study.model.coordinates, study.model.displacement_units,
                             study.model.velocity_units);
  run.outputs = output_map(found.study);
  run.feedthrough = Eigen::MatrixXd::Zero(run.outputs.outputs(), run.system.inputs());
  for (const OutputSensor& sensor : study.outputs) {
    run.outputs_signals.push_back({sensor.column.name, sensor.column.unit});
  }
  StudyExport result = export_run(run, task);
  result.notes.push_back(
      fmt::format("M, D, K as identified; verdict {}; the record is that of the "
                  "study, from rest",
                  name_of(found.verdict.level)));
  return result;
}

StudyExport export_reduced(const ReduceStudy& study, const ExportTask& task) {
  if (!task.options.step) {
    throw not_exported(task, "a study with [reduce] has no step: give one in s with --step");
  }
  const ReduceOutcome found = run_reduce(study, task.context.options);
  if (!found.ok()) throw not_exported(task, "the reduction failed: " + found.message);
  const Eigen::Index n = found.basis.size();
  const Eigen::Index masters = found.basis.masters;
  LinearRun run;
  run.system = {.M = found.basis.M,
                .D = found.basis.D.size() > 0 ? found.basis.D : Eigen::MatrixXd::Zero(n, n).eval(),
                .K = found.basis.K,
                .L = Eigen::MatrixXd::Identity(n, masters)};
  run.integration.hold = signal::BetweenSamples::Held;
  run.step = *task.options.step;
  run.q0 = Eigen::VectorXd::Zero(n);
  run.v0 = run.q0;
  run.title = study.title;
  std::vector<std::string> names;
  for (Eigen::Index i = 0; i < n; ++i) {
    names.push_back(
        i < masters ? fmt::format("row{}", found.basis.master_rows[static_cast<std::size_t>(i)] + 1)
                    : fmt::format("interior{}", i - masters + 1));
    if (i < masters) run.inputs.push_back({"force_" + names.back(), ""});
  }
  run.states = state_signals(names, {}, {});
  add_displacements(run.states, run);
  run.outputs_signals.resize(static_cast<std::size_t>(masters));
  run.outputs = {run.outputs.displacement.topRows(masters), run.outputs.velocity.topRows(masters),
                 run.outputs.acceleration.topRows(masters)};
  run.feedthrough = Eigen::MatrixXd::Zero(masters, masters);
  RandomStream random(kInventedSeed);
  run.input.resize(kInventedSamples, masters);
  for (Eigen::Index k = 0; k < run.input.size(); ++k) run.input.data()[k] = random.normal();
  StudyExport result = export_run(run, task);
  result.kind = "reduced structure";
  result.matrices.push_back(named("H", found.basis.H));
  result.notes.emplace_back(
      "forces on the masters in, displacements of the masters out; the record is white noise of "
      "forces");
  return result;
}

StudyExport export_state_space(const StateSpaceStudy& study, const ExportTask& task) {
  const StateSpaceOutcome found = run_state_space(study, task.context.options);
  if (!found.ok()) throw not_exported(task, "the identification failed: " + found.message);
  const identify::DiscreteModel& model = found.found.model;
  const identify::Experiment& experiment = found.study.data.experiments.front();
  code::LinearSteps steps;
  steps.F = model.F;
  steps.G = model.G;
  steps.C = model.H;
  steps.E =
      model.J.size() > 0 ? model.J : Eigen::MatrixXd::Zero(model.H.rows(), model.G.cols()).eval();
  steps.K = model.gain;
  steps.step = model.step;
  steps.start = found.found.estimation.start.col(0);
  for (const ColumnUse& input : study.inputs) {
    steps.inputs.push_back({input.name, input.known_unit()});
  }
  for (const ColumnUse& output : study.outputs) {
    steps.outputs.push_back({output.name, output.known_unit()});
  }
  for (Eigen::Index i = 0; i < steps.F.rows(); ++i) {
    steps.states.push_back({fmt::format("x{}", i + 1)});
  }
  const bool observes = steps.K.size() > 0;
  StudyExport result;
  result.kind = observes ? "state-space model and steady-state Kalman filter" : "state-space model";
  result.program = code::linear_program(
      steps, {.name = task.options.name, .title = study.title, .number = task.options.precision});
  result.replay.inputs = code::input_rows(steps, experiment.input);
  if (observes) {
    result.replay.measured = experiment.output;
    result.replay.outputs = identify::predict_ahead(model, experiment, steps.start, 1);
  } else {
    result.replay.outputs = found.found.estimation.simulated.front();
  }
  result.matrices = {
      named("A", steps.F),      named("B", steps.G),
      named("C", steps.C),      named("D", steps.E),
      named("x0", steps.start), named("step", Eigen::MatrixXd::Constant(1, 1, steps.step))};
  if (observes) result.matrices.push_back(named("K", steps.K));
  result.notes.push_back(fmt::format("as identified; verdict {}", name_of(found.verdict.level)));
  return result;
}

}  // namespace alembert::study
