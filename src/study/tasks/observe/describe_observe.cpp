#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "alembert/document/known.hpp"
#include "alembert/document/words.hpp"
#include "alembert/study/observe.hpp"
#include "core/mapped.hpp"
#include "study/parts/mechanism/assembly_notes.hpp"
#include "study/result/describe_observability.hpp"
#include "study/result/describe_parts.hpp"
#include "study/result/json.hpp"
#include "study/result/settings.hpp"
#include "study/tasks/observe/describe_watch.hpp"
#include "study/tasks/observe/tables_observe.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;
using Eigen::Index;
using estimate::KinematicEstimate;
using estimate::ObserverForm;

// A figure, or null where there is none.
ResultTree known_figure(double value) {
  return std::isfinite(value) ? ResultTree(value) : ResultTree();
}

void describe_observed_mechanism(const model::planar::Mechanism& mechanism, ResultTree& tree) {
  const model::planar::MechanismDescription& description = mechanism.description();
  tree.add("bodies", mechanism.bodies());
  tree.add("joints", mapped(description.joints, [](const auto& one) { return one.name; }));
  tree.add("coordinates", mapped(description.coordinates,
                                 [](const auto& one) { return model::planar::to_string(one); }));
  tree.add("lengths", mapped(description.parameters, [](const auto& one) { return one.name; }));
  tree.add("constraints", mechanism.constraints());
  tree.add("degrees_of_freedom", mechanism.coordinates());
}

// What the noise levels were in the end.
void describe_adapted(const ObserveResult& result, ResultTree& tree) {
  const KinematicEstimate& estimate = result.estimate;
  tree.add("density_factor", estimate.process_scale);
  ResultTree& sigma = tree.group("sigma");
  for (std::size_t i = 0; i < estimate.outputs.size(); ++i) {
    const auto sensor = static_cast<std::size_t>(estimate.outputs[i]);
    sigma.add(result.study.mechanism->description().sensors[sensor].name,
              estimate.output_deviation(static_cast<Index>(i)));
  }
}

// Forces, and noise levels that were found.
void describe_levels(const ObserveResult& result, ResultTree& tree) {
  const estimate::ObserveOptions& options = result.study.options;
  tree.add("density_fitted", options.fit_density);
  if (options.output.forces) {
    ResultTree& forces = tree.group("forces");
    forces.add("model", name_of(options.output.force_model));
    forces.add("density", options.output_noise.force_density);
  }
  ResultTree& fitted = tree.list("fitted");
  for (const estimate::FittedLevel& level : result.fitted) {
    ResultTree& one = fitted.item();
    one.add("name", level.name);
    one.add("value", level.value);
    one.add("log_deviation", level.log_deviation);
  }
}

void describe_output_form(const ObserveResult& result, ResultTree& tree) {
  const estimate::ObserveOptions& options = result.study.options;
  tree.add("motion", name_of(options.output.motion));
  tree.add("density", options.output_noise.density);
  describe_levels(result, tree);
}

void describe_dynamic_form(const ObserveResult& result, ResultTree& tree) {
  const estimate::ObserveOptions& options = result.study.options;
  tree.add("noise", options.input_noise.kinematic);
  tree.add("noise_from_inputs", options.input_noise.from_inputs);
  describe_levels(result, tree);
}

void describe_input_form(const estimate::ObserveOptions& options, ResultTree& tree) {
  tree.add("discretisation", name_of(options.input.discretisation));
  tree.add("scheme", name_of(options.input.scheme));
  tree.add("noise", options.input_noise.kinematic);
  tree.add("noise_from_inputs", options.input_noise.from_inputs);
  tree.add("threshold", options.switching.threshold);
}

void describe_two_stages(const ObserveResult& result, ResultTree& tree) {
  const estimate::ObserveOptions& options = result.study.options;
  ResultTree& stages = tree.group("stages");
  stages.add("motion", name_of(options.stages.motion));
  stages.add("direction", name_of(options.stages.direction));
  if (options.stages.motion == ObserverForm::Output) {
    describe_output_form(result, tree);
    return;
  }
  describe_input_form(options, tree);
  describe_levels(result, tree);
}

void describe_observer(const ObserveResult& result, ResultTree& tree) {
  const estimate::ObserveOptions& options = result.study.options;
  tree.add("form", name_of(options.form));
  tree.add("filter", name_of(options.filter));
  ResultTree& adapted = tree.insert("adapted", ResultTree());
  if (options.adapt.window > 0) describe_adapted(result, adapted);
  switch (options.form) {
    case ObserverForm::Output:
      describe_output_form(result, tree);
      break;
    case ObserverForm::Dynamic:
      describe_dynamic_form(result, tree);
      break;
    case ObserverForm::Input:
      describe_input_form(options, tree);
      break;
    case ObserverForm::TwoStage:
      describe_two_stages(result, tree);
      break;
  }
  tree.add("gate", options.gate.probability);
  tree.add("smooth", options.smooth);
  tree.add("start", options.start.z);
}

void describe_observed_record(const ObserveStudy& study, ResultTree& tree) {
  tree.add("source", study.source);
  tree.add("start", study.time.start());
  tree.add("samples", study.time.size());
  tree.add("step", study.time.median_step());
}

void describe_score(const estimate::SensorScore& score, ResultTree& tree) {
  tree.add("role", name_of(score.role));
  tree.add("readings", score.readings);
  tree.add("rejected", score.rejected).named("kept out");
  tree.insert("innovation_rms", known_figure(score.innovation_rms)).named("innovation rms");
  const auto judged = [&](double figure) {
    return score.judged ? known_figure(figure) : ResultTree();
  };
  tree.insert("size", judged(score.normalised.size));
  tree.insert("slow", judged(score.normalised.slow));
  tree.insert("drift", judged(score.normalised.drift));
  tree.insert("previous", judged(score.normalised.previous)).named("correlation");
  tree.insert("strongest", judged(score.normalised.strongest));
  tree.add("highest", score.highest);
  tree.insert("expected_rms", known_figure(score.expected_rms)).named("expected rms");
}

void describe_observed_sensor(const ObserveResult& result, std::size_t i, ResultTree& tree) {
  const model::planar::Sensor& sensor = result.study.mechanism->description().sensors[i];
  const SensorColumn& column = result.study.columns[i];
  const std::string unit = sensor_unit(sensor.kind);
  tree.add("name", sensor.name).named("sensor");
  tree.add("kind", name_of(sensor.kind));
  tree.add("of", sensor.of);
  tree.add("unit", unit).in_words(document::pretty_unit(unit));
  tree.insert("sigma", known_figure(std::sqrt(model::planar::sensor_variance(sensor))));
  tree.add("column", column.column);
  tree.add("column_unit", column.column_unit);
  tree.add("factor", column.factor);
  describe_score(result.sensors[i], tree);
}

// The mean over the scored samples; null without any.
ResultTree scored_mean(const ObserveResult& result, const Eigen::MatrixXd& deviation,
                       Index column) {
  if (result.scored == 0) return {};
  return ResultTree(deviation.col(column).tail(result.scored).mean());
}

void describe_state(const ObserveResult& result, std::size_t i, ResultTree& tree) {
  const KinematicEstimate& estimate = result.estimate;
  const estimate::StateColumn& state = result.states[i];
  const auto column = static_cast<Index>(i);
  const Index last = estimate.mean.rows() - 1;
  tree.add("name", state.name).named("state");
  tree.add("column", state.column);
  tree.add("unit", state.unit).in_words(document::pretty_unit(state.unit));
  tree.add("last", document::entry(estimate.mean, last, column)).named("last value");
  tree.add("last_deviation", document::entry(estimate.deviation, last, column));
  tree.insert("mean_deviation", scored_mean(result, estimate.deviation, column)).named("mean std");
  tree.insert("smoothed_deviation", result.study.options.smooth
                                        ? scored_mean(result, estimate.smoothed_deviation, column)
                                        : ResultTree())
      .named("smoothed mean std");
}

void describe_steps(const KinematicEstimate& estimate, ResultTree& tree) {
  tree.add("rejected", estimate.rejected);
  tree.add("failed", estimate.failed);
  tree.add("random_walk",
           std::count(estimate.random_walk.begin(), estimate.random_walk.end(), true));
}

void describe_squares(const estimate::SquaresReport& squares, ResultTree& tree) {
  tree.add("mean", squares.average);
  tree.add("expected", squares.expected);
  tree.add("lower", squares.lower);
  tree.add("upper", squares.upper);
  tree.add("share_above", squares.share_above);
  tree.add("expected_above", squares.expected_above);
  tree.add("consistent", squares.consistent);
}

void describe_whiteness(const estimate::WhitenessReport& whiteness, ResultTree& tree) {
  tree.add("autocorrelation", whiteness.autocorrelation);
  tree.add("bound", whiteness.bound);
  tree.add("portmanteau", whiteness.portmanteau);
  tree.add("limit", whiteness.limit);
  tree.add("white", whiteness.white);
}

void describe_consistency(const ObserveResult& result, ResultTree& tree) {
  const estimate::ConsistencyVerdict& verdict = result.consistency;
  tree.add("from", result.scored_from);
  tree.add("samples", result.scored);
  tree.add("good", verdict.good);
  tree.add("cautious", verdict.cautious);
  tree.add("words", verdict.words);
  if (!verdict.judged) return;
  describe_squares(verdict.squares, tree.group("nis"));
  describe_whiteness(verdict.whiteness, tree.group("whiteness"));
}

void describe_seen(const ObserveResult& result, ResultTree& tree) {
  const estimate::Workspace& workspace = result.study.options.workspace;
  tree.add("lower", workspace.lower);
  tree.add("upper", workspace.upper);
  describe_observability(*result.study.mechanism, result.observability, result.observability_words,
                         tree);
}

void describe_correlated(const estimate::CorrelatedSquares& squares, ResultTree& tree) {
  tree.add("mean", squares.average).named("NEES");
  tree.add("expected", squares.expected);
  tree.add("lower", squares.lower).named("95 % from");
  tree.add("upper", squares.upper).named("to");
  tree.add("effective_samples", squares.effective_samples).named("independent samples");
  tree.add("consistent", squares.consistent).in_words(squares.consistent ? "yes" : "no");
}

void describe_state_error(const ObserveResult& result, const estimate::StateError& error,
                          ResultTree& tree) {
  const estimate::StateColumn& state = result.states[static_cast<std::size_t>(error.state)];
  tree.add("name", state.name).named("state");
  tree.add("column", state.column);
  tree.add("unit", state.unit).in_words(document::pretty_unit(state.unit));
  tree.add("bias", error.bias).named("mean error");
  tree.add("rms", error.rms).named("rms error");
  tree.add("reported", error.reported).named("reported std");
  tree.insert("smoothed_rms", known_figure(error.smoothed_rms)).named("smoothed rms error");
  tree.add("covered", error.covered).named("within 1.96 std");
  describe_correlated(error.nees, tree.group("nees"));
}

void describe_truth(const ObserveResult& result, ResultTree& tree) {
  tree.add("samples", result.truth->samples);
  ResultTree& states = tree.list("states");
  for (const estimate::StateError& error : result.truth->states) {
    describe_state_error(result, error, states.item());
  }
  describe_correlated(result.truth->joint, tree.group("nees"));
}

void describe_watch_settings(const ObserveStudy& study, ResultTree& watch) {
  for (const estimate::WatchedSignal& one : study.options.watch) {
    ResultTree& table = watch.group(one.name);
    describe_settings(observe_watch_keys(), one, table);
    if (one.sensor < 0) continue;
    const auto sensor = static_cast<std::size_t>(one.sensor);
    table.add("sensor", study.mechanism->description().sensors[sensor].name);
  }
}

// The tables of [observe] that the study asks for, or that always count.
void describe_observe_settings(const ObserveStudy& study, ResultTree& tree) {
  const estimate::ObserveOptions& options = study.options;
  const auto add = [&](const char* table, const ObserveKeys& keys, bool used) {
    if (used) describe_settings(keys, options, tree.group(table));
  };
  const bool output = estimate::motion_form(options) != estimate::ObserverForm::Input;
  const bool two_stages = options.form == estimate::ObserverForm::TwoStage;
  describe_settings(observe_keys(), options, tree);
  add("start", observe_start_keys(), true);
  add("lengths", observe_length_keys(), output && options.output.geometry);
  add("forces", observe_force_keys(), two_stages || (output && options.output.forces));
  add("stages", observe_stage_keys(), two_stages);
  add("biases", observe_bias_keys(), output && !options.output.biases.empty());
  add("switch", observe_switch_keys(), !output && options.switching.threshold > 0.0);
  add("gate", observe_gate_keys(), options.gate.probability < 1.0);
  add("adapt", observe_adapt_keys(), options.adapt.window > 0);
  if (!options.watch.empty()) describe_watch_settings(study, tree.group("watch"));
  add("workspace", observe_workspace_keys(), true);
}

}  // namespace

document::ResultTree describe(const ObserveResult& result) {
  const ObserveStudy& study = result.study;
  ResultTree tree = result_head("observe", study.title);
  tree.add("method", study.options.output.forces ? "force" : "kinematic");
  describe_head(result, tree);
  ResultTree& mechanism = tree.group("mechanism");
  describe_observed_mechanism(*study.mechanism, mechanism);
  describe_assemblies(*study.mechanism, study.assemblies, mechanism);
  describe_observer(result, tree.group("observer"));
  describe_observed_record(study, tree.group("record"));
  ResultTree& sensors = tree.list("sensors");
  for (std::size_t i = 0; i < result.sensors.size(); ++i) {
    describe_observed_sensor(result, i, sensors.item());
  }
  ResultTree& states = tree.list("states");
  for (std::size_t i = 0; i < result.states.size(); ++i) describe_state(result, i, states.item());
  describe_steps(result.estimate, tree.group("steps"));
  describe_consistency(result, tree.group("consistency"));
  ResultTree& truth = tree.insert("truth", ResultTree());
  if (result.truth) describe_truth(result, truth);
  describe_watch(result, tree.list("watch"));
  describe_seen(result, tree.group("observability"));
  tree.group("estimates").add("file", "estimates.csv");
  describe_observe_settings(study, tree.group("settings").group("observe"));
  return tree;
}

}  // namespace alembert::study
