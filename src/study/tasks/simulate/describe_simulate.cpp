#include "study/tasks/simulate/describe_simulate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "alembert/document/words.hpp"
#include "alembert/signal/statistics.hpp"
#include "alembert/study/simulate.hpp"
#include "study/parts/data/setting_words.hpp"
#include "study/parts/equations/simulation_keys.hpp"
#include "study/parts/mechanism/assembly_notes.hpp"
#include "study/result/describe_observability.hpp"
#include "study/result/describe_parts.hpp"
#include "study/result/json.hpp"
#include "study/result/settings.hpp"
#include "study/tasks/simulate/flexible_motion/tables_flexible_simulate.hpp"
#include "study/tasks/simulate/tables_simulate.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;

void describe_named_matrix(const std::string& name, const Definiteness& found, ResultTree& tree) {
  tree.add("matrix", name).not_in_file();
  describe_definiteness(found, tree);
}

void describe_damped_mode(const model::DampedMode& mode, int number, ResultTree& tree) {
  tree.add("mode", number).not_in_file();
  tree.add("frequency_hz", mode.frequency_hz).named("frequency", "Hz");
  tree.add("damping_ratio", mode.damping_ratio).named("damping ratio");
  tree.add("decay_rate", -mode.pole.real()).named("decay rate", "1/s").not_in_file();
  tree.add("damped_frequency", mode.pole.imag()).named("damped frequency", "rad/s").not_in_file();
}

void describe_forces(const std::vector<ForceLaw>& forces, ResultTree& list) {
  for (const ForceLaw& force : forces) {
    ResultTree& one = list.item();
    one.add("name", force.name).named("force");
    one.add("law", force.words).named("acts as");
  }
}

std::string release_words(const ReleasedMechanism& released, Eigen::Index at) {
  return fmt::format("by masses and forces, from {:.6g} at a rate of {:.6g}", released.z(at),
                     released.zd(at));
}

void describe_coordinates(const MovedMechanism& moved, ResultTree& list) {
  const auto& coordinates = moved.mechanism->description().coordinates;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    ResultTree& one = list.item();
    one.add("name", model::planar::to_string(coordinates[i])).named("coordinate");
    const auto at = static_cast<Eigen::Index>(i);
    one.add("motion", moved.released ? release_words(*moved.released, at) : moved.motion[i].words)
        .named("moves as");
  }
}

// Rest, modes, deflections and energies of a mechanism with flexible bodies.
void describe_flexible(const FlexibleOutcome& found, ResultTree& tree) {
  ResultTree& rest = tree.group("rest");
  rest.add("held", found.held);
  rest.add("position", Eigen::VectorXd(found.rest.x.head(found.small.M.rows())));
  tree.group("small_motions").add("file", "small_motions.mat");
  ResultTree& modes = tree.list("modes");
  int number = 0;
  for (const model::DampedMode& mode : found.modes) {
    describe_damped_mode(mode, ++number, modes.item());
  }
  ResultTree& deflections = tree.list("deflections");
  for (const LargestDeflection& one : found.deflections) {
    ResultTree& item = deflections.item();
    item.add("body", one.body);
    item.add("length", one.length).named("length", "m");
    item.add("deflection", one.deflection).named("largest deflection", "m");
    item.add("time", one.time).named("at", "s");
  }
  ResultTree& steps = tree.group("steps");
  steps.add("substeps", found.run.substeps);
  const auto known = [](double value) {
    return std::isfinite(value) ? ResultTree(value) : ResultTree();
  };
  steps.insert("halving_change", known(found.run.halving_change));
  steps.insert("energy_drift", known(found.run.energy_drift));
}

/// The model and what was found of it; one overload for each kind.
struct DescribeModel {
  const SimulateResult& result;
  ResultTree& tree;

  void operator()(const LinearModel& model) const {
    const model::SecondOrderCheck& check = result.definiteness;
    tree.add("degrees_of_freedom", model.system.degrees_of_freedom());
    tree.add("coordinates", model.coordinates);
    tree.add("passive", check.passive());
    describe_named_matrix("mass M", check.mass, tree.group("mass"));
    describe_named_matrix("damping D", check.damping, tree.group("damping"));
    describe_named_matrix("stiffness K", check.stiffness, tree.group("stiffness"));
    ResultTree& modes = tree.list("modes");
    int number = 0;
    for (const model::DampedMode& mode : result.modes) {
      describe_damped_mode(mode, ++number, modes.item());
    }
  }
  void operator()(const EquationSystem& equations) const {
    tree.add("states", equations.model.states());
    ResultTree& parameters = tree.list("parameters");
    for (std::size_t i = 0; i < equations.parameter_units.size(); ++i) {
      const std::string& unit = equations.parameter_units[i];
      ResultTree& one = parameters.item();
      one.add("name", equations.model.parameters()[i]).named("parameter");
      one.add("unit", unit).in_words(document::pretty_unit(unit));
      one.add("value", equations.parameters(static_cast<Eigen::Index>(i)));
    }
  }
  void operator()(const MovedMechanism& moved) const {
    tree.add("bodies", moved.mechanism->bodies());
    describe_assemblies(*moved.mechanism, moved.assemblies, tree);
    describe_coordinates(moved, tree.list("coordinates"));
    describe_forces(moved.forces, tree.list("forces"));
    const auto& parameters = moved.mechanism->description().parameters;
    ResultTree& lengths = tree.list("lengths");
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      ResultTree& one = lengths.item();
      one.add("name", parameters[i].name);
      one.add("error", moved.lengths(static_cast<Eigen::Index>(i)));
    }
    tree.add("seen", result.seen ? result.seen->words : std::vector<std::string>{});
  }
  void operator()(const MovedFlexible& moved) const {
    const model::flexible::FlexibleMechanism& mechanism = *moved.mechanism;
    tree.add("bodies", mechanism.rigid().bodies());
    tree.add("equations", name_of(mechanism.description().equations));
    tree.add("stiffening", mechanism.description().geometric_stiffening);
    tree.add("mass_damping", mechanism.description().mass_damping);
    tree.add("stiffness_damping", mechanism.description().stiffness_damping);
    tree.add("displacements", mechanism.displacements());
    tree.add("zeroed", mechanism.zeroed());
    tree.add("zeroed_condition", mechanism.zeroed_condition());
    ResultTree& coordinates = tree.list("coordinates");
    for (std::size_t i = 0; i < mechanism.description().mechanism.coordinates.size(); ++i) {
      ResultTree& one = coordinates.item();
      one.add("name", model::planar::to_string(mechanism.description().mechanism.coordinates[i]))
          .named("coordinate");
      one.add("motion", release_words(moved.released, static_cast<Eigen::Index>(i)))
          .named("moves as");
    }
    describe_forces(moved.forces, tree.list("forces"));
    if (result.flexible) describe_flexible(*result.flexible, tree);
  }
};

/// How the model is moved; one overload for each kind.
struct DescribeMethod {
  const SimulateStudy& study;
  ResultTree& tree;

  void operator()(const LinearModel&) const {
    const integrate::LinearSimulationOptions& options = study.integration;
    tree.add("method", name_of(options.method));
    tree.insert("hold", integrate::uses_hold(options.method)
                            ? ResultTree(integrate::hold_name(options.hold))
                            : ResultTree());
  }
  void operator()(const EquationSystem& equations) const {
    const identify::SimulationOptions& options = equations.simulation;
    tree.add("method", name_of(options.integrator));
    tree.add("between", name_of(options.between));
    tree.add("substeps", options.substeps);
  }
  void operator()(const MovedMechanism& moved) const {
    tree.add("method", moved.released ? "dynamics" : "prescribed");
  }
  void operator()(const MovedFlexible& moved) const {
    tree.add("method", name_of(moved.integration.method));
    tree.add("links", name_of(moved.links));
  }
};

void describe_simulation(const SimulateStudy& study, ResultTree& tree) {
  tree.add("start", study.start_time);
  tree.add("step", study.step);
  tree.add("samples", study.samples);
  std::visit(DescribeMethod{study, tree}, study.model);
  tree.add("seed", study.seed);
  tree.add("experiments", study.experiments);
}

void describe_input(const InputDescription& input, double step, ResultTree& tree) {
  tree.add("name", input.name).named("input");
  tree.add("unit", input.unit).in_words(document::pretty_unit(input.unit));
  tree.add("kind", input.kind);
  tree.add("settings", input_setting_words(input.source, step)).not_in_file();
  const auto* const from_file = std::get_if<FileInput>(&input.source);
  if (from_file == nullptr) return;
  tree.add("column", from_file->column);
  tree.add("column_unit", from_file->unit);
  tree.add("factor", from_file->factor);
}

// The size of an input in the first experiment. Its channels begin with the inputs.
void describe_size(const ResultTree& channel, ResultTree& tree) {
  tree.add("rms", channel.number("rms")).not_in_file();
  tree.add("smallest", channel.number("min")).not_in_file();
  tree.add("largest", channel.number("max")).not_in_file();
}

ResultTree described_inputs(const SimulateStudy& study, const ResultTree& experiments) {
  ResultTree list = ResultTree::empty_list();
  const ResultTree* const channels = experiments.find("0/record/channels");
  for (std::size_t i = 0; i < study.inputs.size(); ++i) {
    ResultTree& one = list.item();
    describe_input(study.inputs[i], study.step, one);
    if (channels != nullptr) describe_size(channels->entries()[i], one);
  }
  return list;
}

// What one sensor did in all experiments.
void describe_outcomes(const SimulateResult& result, std::size_t sensor, ResultTree& tree) {
  double squares = 0.0;
  double snr = 0.0;
  int with_snr = 0;
  Eigen::Index samples = 0;
  Eigen::Index clipped = 0;
  for (const Experiment& experiment : result.experiments) {
    const SensorOutcome& outcome = experiment.sensors[sensor];
    squares += outcome.sigma * outcome.sigma;
    samples += outcome.samples;
    clipped += outcome.clipped;
    if (!outcome.snr_db) continue;
    snr += *outcome.snr_db;
    ++with_snr;
  }
  const auto count = static_cast<Eigen::Index>(result.experiments.size());
  tree.add("sigma", std::sqrt(squares / static_cast<double>(count))).not_in_file();
  tree.insert("snr_achieved", with_snr > 0 ? ResultTree(snr / with_snr) : ResultTree())
      .named("SNR achieved", "dB")
      .not_in_file();
  tree.add("samples", samples).not_in_file();
  tree.add("missing", count * result.study.samples - samples).not_in_file();
  tree.add("clipped", clipped).not_in_file();
}

void describe_sensor(const SensorDescription& sensor, ResultTree& tree) {
  tree.add("name", sensor.name).named("sensor");
  tree.add("unit", sensor.unit).in_words(document::pretty_unit(sensor.unit));
  tree.add("measures", name_of(sensor.quantity))
      .in_words(sensor.quantity == Quantity::Signal
                    ? sensor.place
                    : fmt::format("{} of {}", name_of(sensor.quantity), sensor.place));
  tree.add("at", sensor.place);
  if (!sensor.column.empty()) tree.add("column", sensor.column);
  tree.add("settings", sensor_setting_words(sensor.options)).not_in_file();
  const std::optional<double>& asked = sensor.options.snr_db;
  tree.insert("snr_asked", asked ? ResultTree(*asked) : ResultTree())
      .named("SNR asked", "dB")
      .not_in_file();
}

void describe_outcome(const SensorOutcome& outcome, ResultTree& tree) {
  tree.add("samples", outcome.samples);
  tree.add("sigma", outcome.sigma);
  tree.insert("snr_db", outcome.snr_db ? ResultTree(*outcome.snr_db) : ResultTree());
  tree.add("clipped", outcome.clipped);
}

void describe_channel(const signal::Channel& channel, const signal::ChannelStatistics& figures,
                      ResultTree& tree) {
  tree.add("name", channel.name);
  tree.add("unit", channel.unit);
  tree.add("rms", figures.rms);
  tree.add("mean", figures.mean);
  tree.add("min", figures.smallest);
  tree.add("max", figures.largest);
  tree.add("missing", figures.missing);
}

void describe_record(const std::string& file, const signal::Record& record, ResultTree& tree) {
  tree.add("file", file);
  tree.add("samples", record.size());
  tree.add("start", record.time().start());
  tree.add("step", record.time().step());
  ResultTree& channels = tree.list("channels");
  for (Eigen::Index c = 0; c < record.channel_count(); ++c) {
    describe_channel(record.channels()[static_cast<std::size_t>(c)],
                     signal::statistics(record.samples().col(c)), channels.item());
  }
}

void describe_simulated(const SimulateStudy& study, const Experiment& experiment,
                        ResultTree& tree) {
  tree.add("number", experiment.number);
  ResultTree& sensors = tree.list("sensors");
  for (std::size_t i = 0; i < experiment.sensors.size(); ++i) {
    ResultTree& one = sensors.item();
    one.add("name", study.sensors[i].name);
    describe_outcome(experiment.sensors[i], one);
  }
  const auto file = [&](const std::string& stem) {
    return record_file_name(stem, experiment.number, study.experiments);
  };
  describe_record(file("record"), experiment.record, tree.group("record"));
  if (study.write_truth) describe_record(file("truth"), experiment.truth, tree.group("truth"));
}

ResultTree described_simulations(const SimulateResult& result) {
  ResultTree list = ResultTree::empty_list();
  for (const Experiment& experiment : result.experiments) {
    describe_simulated(result.study, experiment, list.item());
  }
  return list;
}

}  // namespace

void describe_simulate_settings(const SimulateStudy& study, document::ResultTree& table) {
  describe_settings(simulate_time_keys(), study, table);
  if (study.linear() != nullptr) {
    describe_settings(method_keys(), study.integration, table);
    if (study.integration.method == integrate::Method::Newmark) {
      describe_settings(newmark_keys(), study.integration, table.group("newmark"));
    }
  }
  if (const EquationSystem* equations = study.equations()) {
    describe_settings(simulation_keys(), equations->simulation, table);
    describe_settings(engine_keys(), {.kind = equations->engine}, table);
  }
  if (const MovedFlexible* flexible = study.flexible()) {
    describe_settings(flexible_motion_keys(), *flexible, table);
    describe_settings(flexible_start_keys(), *flexible, table.group("start"));
  }
  describe_settings(simulate_count_keys(), study, table);
}

document::ResultTree describe(const SimulateResult& result) {
  const SimulateStudy& study = result.study;
  ResultTree tree = result_head("simulate", study.title);
  describe_head(result, tree);
  std::visit(DescribeModel{result, tree.group("model")}, study.model);
  describe_simulation(study, tree.group("simulation"));
  ResultTree experiments = described_simulations(result);
  tree.insert("inputs", described_inputs(study, experiments));
  ResultTree& sensors = tree.list("sensors");
  for (std::size_t i = 0; i < study.sensors.size(); ++i) {
    ResultTree& one = sensors.item();
    describe_sensor(study.sensors[i], one);
    if (!result.experiments.empty()) describe_outcomes(result, i, one);
  }
  tree.insert("experiments", std::move(experiments));
  if (result.seen) {
    describe_observability(*study.mechanism()->mechanism, result.seen->report, result.seen->words,
                           tree.group("observability").not_in_file());
  }
  describe_simulate_settings(study, tree.group("settings").group("simulate"));
  return tree;
}

}  // namespace alembert::study
