#include <utility>

#include "alembert/io/table.hpp"
#include "alembert/study/output_error.hpp"
#include "study/result/describe_parts.hpp"
#include "study/result/json.hpp"

namespace alembert::study {
namespace {

Json parameters_json(const OutputErrorOutcome& result) {
  Json list = Json::array();
  const OutputErrorStudy& study = result.study;
  for (std::size_t i = 0; i < study.parameters.size(); ++i) {
    const identify::ParameterVerdict verdict = parameter_verdict(result, i);
    const double size = std::abs(verdict.value);
    list.push_back({{"name", study.parameters[i].name},
                    {"unit", study.parameter_units[i]},
                    {"role", std::string(name_of(verdict.role))},
                    {"value", json_number(verdict.value)},
                    {"deviation", json_number(verdict.deviation)},
                    {"relative_deviation", json_number(verdict.deviation / size)},
                    {"robust_deviation", json_number(verdict.robust)},
                    {"guess", json_number(study.parameters[i].guess)}});
  }
  return list;
}

Json statistics_json(const identify::OutputErrorResult& estimate) {
  const optimize::EstimateStatistics& statistics = estimate.statistics;
  Json json{{"names", statistics.names},
            {"rank", statistics.rank},
            {"condition", json_number(statistics.condition)},
            {"correlation", rows_json(statistics.correlation)},
            {"covariance", rows_json(statistics.covariance)}};
  json["correlated"] = Json::array();
  for (const optimize::CorrelatedParameters& pair : statistics.correlated) {
    json["correlated"].push_back({{"first", pair.first},
                                  {"second", pair.second},
                                  {"correlation", json_number(pair.correlation)}});
  }
  json["null_directions"] = Json::array();
  for (const optimize::Direction& one : statistics.null_directions) {
    json["null_directions"].push_back(one.words);
  }
  json["weakest"] = statistics.weakest.words;
  json["held"] = statistics.held;
  return json;
}

Json search_json(const OutputErrorOutcome& result) {
  const identify::OutputErrorOptions& options = result.study.options.output_error;
  const identify::OutputErrorResult& estimate = result.estimate;
  Json json{{"solver", std::string(to_string(options.search.solver))},
            {"starts", options.starts},
            {"evaluations", estimate.evaluations},
            {"cost", json_number(estimate.cost)},
            {"integrator", name_of(options.simulation.integrator)},
            {"substeps", options.simulation.substeps},
            {"relative_tolerance", options.simulation.tolerance()},
            {"step_error", json_number(estimate.step_error)}};
  json["strategy"] = std::string(to_string(estimate.strategy));
  json["windows"] = estimate.windows;
  json["growth"] = json_number(estimate.growth);
  json["trials"] = Json::array();
  for (const identify::StartTrial& trial : estimate.trials) {
    json["trials"].push_back({{"strategy", std::string(to_string(trial.strategy))},
                              {"status", std::string(to_string(trial.status))},
                              {"cost", json_number(trial.cost)},
                              {"evaluations", trial.evaluations}});
  }
  json["optima"] = Json::array();
  for (const optimize::Optimum& one : estimate.optima) {
    json["optima"].push_back({{"cost", json_number(one.cost)},
                              {"hits", one.hits},
                              {"values", numbers_json(one.parameters)}});
  }
  return json;
}

Json profiles_json(const OutputErrorOutcome& result) {
  Json list = Json::array();
  for (const identify::ParameterProfile& profile : result.profiles) {
    const optimize::ProfileInterval& found = profile.interval;
    Json json{{"name", profile.name},
              {"status", std::string(to_string(found.status))},
              {"message", found.message},
              {"lower", json_number(found.lower)},
              {"upper", json_number(found.upper)},
              {"lower_open", found.lower_open},
              {"upper_open", found.upper_open},
              {"limit", json_number(profile.limit)}};
    json["curve"] = Json::array();
    for (const optimize::ProfilePoint& point : found.curve) {
      json["curve"].push_back(
          {{"value", json_number(point.value)}, {"cost", json_number(point.cost)}});
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json use_json(const ColumnUse& column) {
  return {{"name", column.name},
          {"unit", column.unit.empty() ? column.column_unit : column.unit},
          {"column", column.column},
          {"column_unit", column.column_unit},
          {"factor", column.factor}};
}

Json verdict_json(const identify::ResidualVerdict& verdict) {
  document::ResultTree tree;
  describe_residual(verdict, tree);
  return to_json(tree);
}

Json equation_outputs_json(const OutputErrorOutcome& result) {
  Json list = Json::array();
  const identify::OutputErrorResult& estimate = result.estimate;
  for (std::size_t i = 0; i < result.study.outputs.size(); ++i) {
    Json json = use_json(result.study.outputs[i]);
    json["weight"] = json_number(estimate.weights(static_cast<Eigen::Index>(i)));
    if (i < estimate.outputs.size()) json.update(verdict_json(estimate.outputs[i]));
    json["input_correlation"] = Json::array();
    for (const identify::InputCorrelation& one : result.inputs) {
      if (one.output != i) continue;
      json["input_correlation"].push_back({{"input", result.study.inputs[one.input].name},
                                           {"lag", one.lag},
                                           {"correlation", json_number(one.values(one.lag))},
                                           {"p", json_number(one.p_value)}});
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json held_back_json(const OutputErrorOutcome& result) {
  if (!result.validation) return nullptr;
  const identify::EquationValidation& validation = *result.validation;
  const identify::ValidationSettings& settings = result.study.options.validation;
  Json json{{"status", std::string(to_string(validation.prediction.status))},
            {"message", validation.prediction.message},
            {"start", std::string(name_of(settings.start))},
            {"start_samples", settings.start_samples},
            {"skip", settings.skip}};
  json["experiments"] = to_json(
      described_experiments(result.study.validation, "validation", validation.prediction.ok()));
  for (std::size_t e = 0; e < validation.starts.size(); ++e) {
    json["experiments"][e]["start_state"] = numbers_json(validation.starts[e]);
  }
  json["outputs"] = Json::array();
  for (std::size_t i = 0; i < validation.outputs.size(); ++i) {
    Json one{{"name", result.study.outputs[i].name}};
    one.update(verdict_json(validation.outputs[i]));
    json["outputs"].push_back(std::move(one));
  }
  return json;
}

Json output_error_json(const OutputErrorOutcome& result) {
  const OutputErrorStudy& study = result.study;
  Json json = json_head("identify", study.title);
  json["method"] = "output-error";
  json["study"] = study.file.filename().string();
  json["overrides"] = study.overrides;
  json["status"] = std::string(to_string(result.status));
  json["message"] = result.message;
  json["warnings"] = result.warnings;
  json["notes"] = study.notes;
  json["parameters"] = parameters_json(result);
  json["statistics"] = statistics_json(result.estimate);
  json["profiles"] = profiles_json(result);
  json["search"] = search_json(result);
  json["states"] = study.model.states();
  json["inputs"] = Json::array();
  for (const ColumnUse& input : study.inputs) json["inputs"].push_back(use_json(input));
  json["outputs"] = equation_outputs_json(result);
  json["experiments"] =
      to_json(described_experiments(study.data, "prediction", result.has_prediction()));
  json["validation"] = held_back_json(result);
  return json;
}

// NAME, NAME_predicted and NAME_residual of every output.
signal::Record simulated_record(const OutputErrorStudy& study, const MeasuredData& data,
                                const identify::EquationPrediction& prediction, std::size_t e) {
  const identify::Experiment& experiment = data.experiments[e];
  std::vector<signal::Channel> channels;
  Eigen::MatrixXd samples(experiment.samples(), 3 * experiment.output.cols());
  for (Eigen::Index i = 0; i < experiment.output.cols(); ++i) {
    const ColumnUse& column = study.outputs[static_cast<std::size_t>(i)];
    const std::string unit = column.unit.empty() ? column.column_unit : column.unit;
    for (const char* part : {"", "_predicted", "_residual"}) {
      channels.push_back({.name = column.name + part, .unit = unit});
    }
    samples.col(3 * i) = experiment.output.col(i);
    samples.col(3 * i + 1) = prediction.outputs[e].col(i);
    samples.col(3 * i + 2) = prediction.residuals[e].col(i);
  }
  return {
      signal::TimeAxis::uniform(experiment.samples(), experiment.step, data.sources[e].start_time),
      std::move(channels), std::move(samples), study.title};
}

void write_simulated(const OutputErrorStudy& study, const MeasuredData& data,
                     const identify::EquationPrediction& prediction, const std::string& stem,
                     const std::filesystem::path& folder) {
  if (!prediction.ok()) return;
  for (std::size_t e = 0; e < prediction.outputs.size(); ++e) {
    io::write_record(folder / record_file_name(stem, e + 1, data.experiments.size()),
                     simulated_record(study, data, prediction, e));
  }
}

}  // namespace

void write_output_error_result(const OutputErrorOutcome& result,
                               const std::filesystem::path& folder) {
  const OutputErrorStudy& study = result.study;
  write_simulated(study, study.data, result.estimate.prediction, "prediction", folder);
  if (result.validation) {
    write_simulated(study, study.validation, result.validation->prediction, "validation", folder);
  }
  write_json(output_error_json(result), folder / "result.json");
}

}  // namespace alembert::study
