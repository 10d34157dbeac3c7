#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/document/known.hpp"
#include "alembert/document/words.hpp"
#include "alembert/study/output_error.hpp"
#include "study/parts/equations/held_back_keys.hpp"
#include "study/parts/equations/simulation_keys.hpp"
#include "study/result/describe_parts.hpp"
#include "study/result/json.hpp"
#include "study/result/settings.hpp"
#include "study/tasks/output_error/output_error_keys.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;
using document::significant;

// Ends to the digits that the width of the interval leaves.
std::string interval_words(const identify::ParameterVerdict& verdict) {
  if (!(verdict.margin > 0.0) || !std::isfinite(verdict.margin)) return "";
  const double size = std::abs(verdict.value) + verdict.margin;
  const double digits = std::floor(std::log10(size)) - std::floor(std::log10(verdict.margin));
  const auto end = [&](double value) {
    return significant(value, static_cast<int>(std::clamp(digits + 2.0, 2.0, 12.0)));
  };
  return end(verdict.value - verdict.margin) + " .. " + end(verdict.value + verdict.margin);
}

void describe_parameter(const OutputErrorOutcome& result, std::size_t i, ResultTree& tree) {
  const optimize::Parameter& parameter = result.study.parameters[i];
  const std::string& unit = result.study.parameter_units[i];
  const identify::ParameterVerdict verdict = parameter_verdict(result, i);
  tree.add("name", parameter.name).named("parameter");
  tree.add("unit", unit).in_words(document::pretty_unit(unit));
  tree.add("role", name_of(verdict.role));
  tree.add("value", verdict.value);
  tree.add("deviation", verdict.deviation);
  tree.add("relative_deviation", verdict.deviation / std::abs(verdict.value));
  tree.add("white_deviation", verdict.white).named("white std");
  tree.add("freedom", verdict.freedom).named("degrees of freedom");
  tree.add("knowledge", name_of(verdict.knowledge));
  tree.add("margin", verdict.margin).named("95 % +-");
  tree.add("guess", parameter.guess);
  tree.add("start", parameter.tie ? std::nan("") : parameter.guess).named("guess").not_in_file();
  tree.add("interval", interval_words(verdict)).named("95 % interval").not_in_file();
}

// What is to be trusted; the covariance for white residuals beside it.
void describe_estimate_statistics(const identify::OutputErrorResult& estimate, ResultTree& tree) {
  const optimize::EstimateStatistics& statistics = estimate.trusted();
  tree.add("names", statistics.names);
  tree.add("rank", statistics.rank);
  tree.add("condition", statistics.condition);
  tree.add("correlation", statistics.correlation);
  tree.add("covariance", statistics.covariance);
  tree.add("white_covariance", estimate.statistics.covariance);
  ResultTree& correlated = tree.list("correlated");
  for (const optimize::CorrelatedParameters& pair : statistics.correlated) {
    ResultTree& one = correlated.item();
    one.add("first", pair.first);
    one.add("second", pair.second);
    one.add("correlation", pair.correlation);
  }
  ResultTree& unseen = tree.list("null_directions");
  for (const optimize::Direction& one : statistics.null_directions) {
    unseen.item(ResultTree(one.words));
  }
  tree.add("weakest", statistics.weakest.words);
  tree.add("held", statistics.held);
  tree.add("samples", estimate.coloured.samples);
  tree.add("effective_samples", estimate.coloured.effective_samples);
  tree.add("slow_share", estimate.coloured.slow_share);
  tree.add("knowledge", name_of(estimate.coloured.knowledge));
}

// An end of a profile. One that is open was not found, only looked for up to its value.
void describe_profile_end(const std::string& key, double value, bool open, ResultTree& tree) {
  ResultTree& end = tree.add(key, value).named("profile, " + key);
  if (open) end.in_words(fmt::format("none found to {}", significant(value, 3)));
}

// The value with the interval of its standard deviation, for a comparison. The quantile t of the
// interval follows from the cost at its ends: limit = c (1 + t²/(N - p)).
void describe_by_deviation(const OutputErrorOutcome& result,
                           const identify::ParameterProfile& profile, ResultTree& tree) {
  std::size_t i = 0;
  while (result.study.parameters[i].name != profile.name) ++i;
  const std::string& unit = result.study.parameter_units[i];
  const identify::ParameterVerdict verdict = parameter_verdict(result, i);
  const identify::OutputErrorResult& estimate = result.estimate;
  const double quantile =
      std::sqrt((profile.limit - estimate.cost) / estimate.statistics.noise_variance);
  const double half = quantile * verdict.white;
  tree.add("unit", unit).in_words(document::pretty_unit(unit)).not_in_file();
  tree.add("value", verdict.value).not_in_file();
  tree.add("deviation", verdict.white).not_in_file();
  tree.add("quantile", quantile).not_in_file();
  tree.add("lower_by_deviation", verdict.value - half).named("by std, lower").not_in_file();
  tree.add("upper_by_deviation", verdict.value + half).named("by std, upper").not_in_file();
}

void describe_profile(const OutputErrorOutcome& result, const identify::ParameterProfile& profile,
                      ResultTree& tree) {
  const optimize::ProfileInterval& found = profile.interval;
  tree.add("name", profile.name).named("parameter");
  tree.add("status", to_string(found.status));
  tree.add("message", found.message);
  describe_profile_end("lower", found.lower, found.lower_open, tree);
  describe_profile_end("upper", found.upper, found.upper_open, tree);
  tree.add("lower_open", found.lower_open);
  tree.add("upper_open", found.upper_open);
  tree.add("limit", profile.limit);
  ResultTree& curve = tree.list("curve");
  for (const optimize::ProfilePoint& point : found.curve) {
    ResultTree& one = curve.item();
    one.add("value", point.value);
    one.add("cost", point.cost);
  }
  describe_by_deviation(result, profile, tree);
}

void describe_trials(const identify::OutputErrorResult& estimate, ResultTree& list) {
  for (const identify::StartTrial& trial : estimate.trials) {
    ResultTree& one = list.item();
    one.add("strategy", to_string(trial.strategy)).named("way");
    one.add("status", to_string(trial.status)).named("outcome");
    one.add("cost", trial.cost);
    one.add("evaluations", trial.evaluations)
        .named("simulations")
        .in_words(document::grouped(trial.evaluations));
  }
}

void describe_optima(const identify::OutputErrorResult& estimate, ResultTree& list) {
  for (const optimize::Optimum& optimum : estimate.optima) {
    ResultTree& one = list.item();
    one.add("cost", optimum.cost);
    one.add("hits", optimum.hits).named("searches").in_words(document::grouped(optimum.hits));
    one.add("values", optimum.parameters);
  }
}

void describe_equation_search(const OutputErrorOutcome& result, ResultTree& tree) {
  const identify::OutputErrorOptions& options = result.study.options.output_error;
  const identify::OutputErrorResult& estimate = result.estimate;
  tree.add("solver", to_string(options.search.solver));
  tree.add("starts", options.starts);
  tree.add("evaluations", estimate.evaluations);
  tree.add("cost", estimate.cost);
  tree.add("integrator", name_of(result.simulation.integrator));
  tree.add("substeps", result.simulation.substeps);
  tree.add("relative_tolerance", result.simulation.tolerance());
  tree.add("step_error", estimate.step_error);
  tree.add("strategy", to_string(estimate.strategy));
  tree.add("windows", estimate.windows);
  tree.add("growth", estimate.growth);
  ResultTree& lengths = tree.list("window_lengths");
  for (const identify::WindowLength& tried : estimate.window_lengths) {
    ResultTree& one = lengths.item();
    one.add("length", tried.length).named("window [s]");
    one.add("variance", tried.variance);
  }
  ResultTree& holds = tree.list("holds");
  for (const identify::HoldScore& hold : result.holds) {
    ResultTree& one = holds.item();
    one.add("between", name_of(hold.between)).named("inputs between samples");
    one.add("residual", hold.residual);
    one.add("used", hold.used);
  }
  describe_trials(estimate, tree.list("trials"));
  describe_optima(estimate, tree.list("optima"));
}

// In the unit that is known.
void describe_equation_column(const ColumnUse& column, ResultTree& tree) {
  ColumnUse use = column;
  use.unit = column.known_unit();
  describe_column(use, tree);
}

void describe_equation_output(const OutputErrorOutcome& result, std::size_t i, ResultTree& tree) {
  const identify::OutputErrorResult& estimate = result.estimate;
  describe_equation_column(result.study.outputs[i], tree);
  tree.add("weight", document::entry(estimate.weights, static_cast<Eigen::Index>(i)));
  if (i < estimate.outputs.size()) describe_residual(estimate.outputs[i], tree);
  ResultTree& list = tree.list("input_correlation");
  for (const identify::InputCorrelation& found : result.inputs) {
    if (found.output != i) continue;
    ResultTree& one = list.item();
    one.add("input", result.study.inputs[found.input].name);
    one.add("lag", found.lag);
    one.add("correlation", document::entry(found.values, found.lag));
    one.add("p", found.p_value);
  }
}

void describe_held_back(const OutputErrorOutcome& result, ResultTree& tree) {
  const identify::EquationValidation& validation = *result.validation;
  const identify::ValidationSettings& settings = result.study.options.validation;
  const MeasuredData& data = result.study.validation;
  tree.add("status", to_string(validation.prediction.status));
  tree.add("message", validation.prediction.message);
  tree.add("start", name_of(settings.start));
  tree.add("start_samples", settings.start_samples);
  tree.add("skip", settings.skip);
  tree.add("window", settings.window);
  tree.add("ahead", settings.ahead);
  ResultTree& experiments = tree.list("experiments");
  for (std::size_t e = 0; e < data.experiments.size(); ++e) {
    ResultTree& one = experiments.item();
    describe_experiment(data, e, "validation", validation.prediction.ok(), one);
    if (e < validation.starts.size()) one.add("start_state", validation.starts[e]);
  }
  ResultTree& outputs = tree.list("outputs");
  for (std::size_t i = 0; i < validation.outputs.size(); ++i) {
    const ColumnUse& column = result.study.outputs[i];
    ResultTree& one = outputs.item();
    one.add("name", column.name);
    one.add("unit", column.known_unit())
        .in_words(document::pretty_unit(column.known_unit()))
        .not_in_file();
    describe_residual(validation.outputs[i], one);
  }
}

// The state at the first sample, and how well it is known where it was free.
void describe_start(const identify::OutputErrorResult& estimate, Eigen::Index e, ResultTree& tree) {
  const Eigen::MatrixXd& starts = estimate.prediction.starts;
  if (e < starts.cols()) tree.add("start_state", Eigen::VectorXd(starts.col(e)));
  const Eigen::MatrixXd& deviations = estimate.start_deviations;
  if (e < deviations.cols()) tree.add("start_deviation", Eigen::VectorXd(deviations.col(e)));
}

void describe_equation_signals(const OutputErrorOutcome& result, ResultTree& tree) {
  const OutputErrorStudy& study = result.study;
  tree.add("states", study.model.states());
  ResultTree& inputs = tree.list("inputs");
  for (const ColumnUse& input : study.inputs) describe_equation_column(input, inputs.item());
  ResultTree& outputs = tree.list("outputs");
  for (std::size_t i = 0; i < study.outputs.size(); ++i) {
    describe_equation_output(result, i, outputs.item());
  }
  ResultTree& experiments = tree.list("experiments");
  for (std::size_t e = 0; e < study.data.experiments.size(); ++e) {
    ResultTree& one = experiments.item();
    describe_experiment(study.data, e, "prediction", result.has_prediction(), one);
    describe_start(result.estimate, static_cast<Eigen::Index>(e), one);
  }
}

void describe_compared_set(const identify::EquationSetScore& score, ResultTree& tree) {
  tree.add("name", score.name).named("equations");
  tree.add("status", to_string(score.status));
  tree.add("message", score.message);
  tree.add("unknowns", score.unknowns);
  tree.add("residual", score.residual);
  tree.add("aic_difference", score.aic_difference).named("ΔAIC");
  tree.add("bic_difference", score.bic_difference).named("ΔBIC");
  tree.add("held_back", score.held_back).named("held-back residual");
  tree.add("residual_rms", score.rms);
  tree.add("held_back_rms", score.held_back_rms);
  ResultTree& parameters = tree.group("parameters");
  for (std::size_t i = 0; i < score.parameter_names.size(); ++i) {
    parameters.add(score.parameter_names[i],
                   document::entry(score.parameters, static_cast<Eigen::Index>(i)));
  }
}

void describe_outliers(const OutputErrorOutcome& result, ResultTree& list) {
  for (const identify::Outlier& outlier : result.estimate.outliers) {
    const identify::Experiment& where = result.study.data.experiments[outlier.experiment];
    ResultTree& one = list.item();
    one.add("output", result.study.outputs[outlier.output].name);
    one.add("experiment", static_cast<Eigen::Index>(outlier.experiment) + 1);
    one.add("sample", outlier.sample + 1);
    one.add("time", where.start_time + static_cast<double>(outlier.sample) * where.step)
        .named("time [s]");
    one.add("value", outlier.value).named("measured");
    one.add("residual", outlier.residual);
    one.add("deviations", outlier.deviations).named("over std of the others");
  }
}

void describe_fit_settings(const OutputErrorStudy& study, ResultTree& tree) {
  const identify::EquationFitOptions& options = study.options;
  ResultTree& identify = tree.group("identify");
  describe_settings(output_error_keys(), options, identify);
  describe_settings(simulation_keys(), options.output_error.simulation, identify);
  describe_settings(engine_keys(), {.kind = options.engine}, identify);
  identify.add("profile", options.profiles);
  if (options.output_error.find_window) {
    identify.add("window", "automatic");
  } else {
    identify.add("window", options.output_error.window);
  }
  ResultTree& parameters = identify.group("parameters");
  for (const optimize::Parameter& parameter : study.parameters) {
    ResultTree& one = parameters.group(parameter.name);
    describe_settings(parameter_keys(), parameter, one);
    if (parameter.tie) describe_settings(tie_keys(), *parameter.tie, one);
    if (parameter.prior) describe_settings(prior_keys(), *parameter.prior, one.group("prior"));
  }
  if (study.validation.experiments.empty()) return;
  describe_settings(held_back_keys(), options.validation, tree.group("validation"));
}

}  // namespace

document::ResultTree describe(const OutputErrorOutcome& result) {
  ResultTree tree = result_head("identify", result.study.title);
  tree.add("method", "output-error");
  describe_head(result, tree);
  ResultTree& parameters = tree.list("parameters");
  for (std::size_t i = 0; i < result.study.parameters.size(); ++i) {
    describe_parameter(result, i, parameters.item());
  }
  describe_estimate_statistics(result.estimate, tree.group("statistics"));
  ResultTree& profiles = tree.list("profiles");
  for (const identify::ParameterProfile& profile : result.profiles) {
    describe_profile(result, profile, profiles.item());
  }
  describe_equation_search(result, tree.group("search"));
  describe_equation_signals(result, tree);
  ResultTree& validation = tree.insert("validation", ResultTree());
  if (result.validation) describe_held_back(result, validation);
  describe_outliers(result, tree.list("outliers"));
  ResultTree& comparison = tree.list("comparison");
  for (const identify::EquationSetScore& score : result.comparison) {
    describe_compared_set(score, comparison.item());
  }
  describe_alternatives(result.alternatives, tree.list("alternatives"));
  describe_delays(result.output_names, result.estimate.delays, tree.list("delays"));
  describe_gain_changes(result.output_names, result.estimate.gain_changes,
                        tree.list("gain_changes"));
  describe_missing_terms(result.estimate.missing_terms, tree.list("missing_terms"));
  describe_fit_settings(result.study, tree.group("settings"));
  return tree;
}

}  // namespace alembert::study
