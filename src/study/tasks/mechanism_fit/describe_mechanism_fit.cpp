#include <fmt/format.h>

#include <cmath>

#include "alembert/document/known.hpp"
#include "alembert/document/words.hpp"
#include "alembert/study/mechanism/mechanism_fit.hpp"
#include "study/result/describe_parts.hpp"
#include "study/result/json.hpp"
#include "study/result/settings.hpp"
#include "study/tasks/mechanism_fit/mechanism_fit_keys.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;

void describe_unit(const std::string& unit, ResultTree& tree) {
  tree.add("unit", unit).in_words(document::pretty_unit(unit));
}

void describe_number(const MechanismFitOutcome& result, std::size_t i, ResultTree& tree) {
  const optimize::Parameter& parameter = result.parameters[i];
  const identify::ParameterVerdict verdict = parameter_verdict(result, i);
  tree.add("name", parameter.name).named("parameter");
  describe_unit(result.units[i], tree);
  tree.add("role", name_of(verdict.role));
  tree.add("value", verdict.value);
  tree.add("deviation", verdict.deviation);
  tree.add("relative_deviation", verdict.deviation / std::abs(verdict.value));
  tree.add("white_deviation", verdict.white).named("white std");
  tree.add("freedom", verdict.freedom).named("degrees of freedom");
  tree.add("knowledge", name_of(verdict.knowledge));
  tree.add("margin", verdict.margin).named("95 % +-");
  tree.add("guess", parameter.guess);
}

void describe_base(const MechanismFitOutcome& result, ResultTree& list) {
  for (std::size_t i = 0; i < result.base_estimates.size(); ++i) {
    ResultTree& one = list.item();
    one.add("name", result.base.words[i]).named("base parameter");
    const auto lead = static_cast<std::size_t>(result.base.leading[i]);
    describe_unit(result.base.terms[lead].unit, one);
    one.add("value", result.base_estimates[i].value);
    one.add("deviation", result.base_estimates[i].deviation);
  }
}

void describe_without_effect(const MechanismFitOutcome& result, ResultTree& list) {
  for (const int term : result.base.without_effect) {
    list.item(ResultTree(result.base.terms[static_cast<std::size_t>(term)].words));
  }
}

// The numbers that inverse dynamics finds, beside those of the fit.
void describe_rival(const MechanismFitOutcome& result, const identify::InverseDynamicsFit& rival,
                    ResultTree& tree) {
  tree.add("rule", name_of(rival.rule));
  tree.add("status", to_string(rival.status));
  tree.add("message", rival.message);
  tree.add("iterations", rival.iterations);
  tree.add("residual_rms", rival.residual).named("residual rms");
  ResultTree& list = tree.list("parameters");
  Eigen::Index at = 0;
  for (std::size_t i = 0; i < result.unknowns && i < result.parameters.size(); ++i) {
    if (result.parameters[i].fixed) continue;
    ResultTree& one = list.item();
    one.add("name", result.parameters[i].name);
    one.add("value", document::entry(rival.parameters, at));
    one.add("deviation", document::entry(rival.deviations, at));
    ++at;
  }
}

void describe_motion_sensors(const MechanismFitOutcome& result,
                             const std::vector<identify::ResidualVerdict>& verdicts,
                             ResultTree& list) {
  const model::planar::Mechanism& mechanism = *result.study.mechanism;
  std::size_t motion = 0;
  for (int i = 0; i < mechanism.sensors(); ++i) {
    if (mechanism.force_read_by(i) >= 0) continue;
    const auto& sensor = mechanism.description().sensors[static_cast<std::size_t>(i)];
    ResultTree& one = list.item();
    one.add("name", sensor.name).named("sensor");
    describe_unit(model::planar::sensor_unit(sensor.kind), one);
    one.add("sigma", sensor.sigma);
    one.add("column", result.study.columns[static_cast<std::size_t>(i)].column);
    if (motion < verdicts.size()) describe_residual(verdicts[motion], one);
    ++motion;
  }
}

void describe_mechanism_statistics(const identify::OutputErrorResult& estimate, ResultTree& tree) {
  const optimize::EstimateStatistics& statistics = estimate.trusted();
  tree.add("names", statistics.names);
  tree.add("rank", statistics.rank);
  tree.add("condition", statistics.condition);
  tree.add("correlation", statistics.correlation);
  tree.add("covariance", statistics.covariance);
  tree.add("weakest", statistics.weakest.words);
  tree.add("knowledge", name_of(estimate.coloured.knowledge));
}

}  // namespace

ResultTree describe(const MechanismFitOutcome& result) {
  const MechanismFitStudy& study = result.study;
  ResultTree tree = result_head("identify", study.title);
  tree.add("method", "output-error");
  tree.add("model", "mechanism");
  describe_head(result, tree);
  ResultTree& data = tree.group("data");
  data.add("source", study.source);
  data.add("samples", study.record.samples());
  data.add("step", study.record.step);
  data.add("held_back", study.held_back.empty() ? 0 : study.held_back.front().samples());
  ResultTree& parameters = tree.list("parameters");
  for (std::size_t i = 0; i < result.parameters.size(); ++i) {
    describe_number(result, i, parameters.item());
  }
  describe_mechanism_statistics(result.estimate, tree.group("statistics"));
  describe_base(result, tree.list("base_parameters"));
  describe_without_effect(result, tree.list("without_effect"));
  ResultTree& rivals = tree.list("inverse_dynamics");
  for (const identify::InverseDynamicsFit& one : result.rivals) {
    describe_rival(result, one, rivals.item());
  }
  describe_motion_sensors(result, result.estimate.outputs, tree.list("outputs"));
  describe_missing_terms(result.estimate.missing_terms, tree.list("missing_terms"));
  ResultTree& search = tree.group("search");
  search.add("begun", result.begun);
  search.add("evaluations", result.estimate.evaluations);
  search.add("cost", result.estimate.cost);
  search.add("step_error", result.estimate.step_error);
  if (result.has_prediction()) tree.group("prediction").add("file", "prediction.csv");
  if (result.validation) {
    ResultTree& validation = tree.group("validation");
    if (result.validation->prediction.ok()) validation.add("file", "validation.csv");
    validation.add("status", to_string(result.validation->prediction.status));
    describe_motion_sensors(result, result.validation->outputs, validation.list("outputs"));
  }
  describe_settings(mechanism_fit_keys(), study.settings, tree.group("settings").group("identify"));
  return tree;
}

}  // namespace alembert::study
