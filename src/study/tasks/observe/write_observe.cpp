#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/io/table.hpp"
#include "alembert/study/observe.hpp"
#include "core/mapped.hpp"
#include "study/result/json.hpp"

namespace alembert::study {
namespace {

using Eigen::Index;
using estimate::ObserverForm;

double mean_of(const Eigen::Ref<const Eigen::VectorXd>& values) {
  return values.size() > 0 ? values.mean() : std::nan("");
}

Json mechanism_json(const ObserveStudy& study) {
  const model::planar::MechanismDescription& description = study.mechanism->description();
  return {{"bodies", study.mechanism->bodies()},
          {"joints", mapped(description.joints, [](const auto& one) { return one.name; })},
          {"coordinates", mapped(description.coordinates,
                                 [](const auto& one) { return model::planar::to_string(one); })},
          {"lengths", mapped(description.parameters, [](const auto& one) { return one.name; })},
          {"constraints", study.mechanism->constraints()},
          {"degrees_of_freedom", study.mechanism->coordinates()}};
}

// What the noise levels were in the end.
Json adapted_json(const ObserveResult& result) {
  const estimate::KinematicEstimate& estimate = result.estimate;
  Json json{{"density_factor", json_number(estimate.process_scale)}, {"sigma", Json::object()}};
  for (std::size_t i = 0; i < estimate.outputs.size(); ++i) {
    const auto sensor = static_cast<std::size_t>(estimate.outputs[i]);
    json["sigma"][result.study.mechanism->description().sensors[sensor].name] =
        json_number(estimate.output_deviation(static_cast<Eigen::Index>(i)));
  }
  return json;
}

Json observer_json(const ObserveResult& result) {
  const ObserveStudy& study = result.study;
  const estimate::ObserveOptions& options = study.options;
  const bool output = options.form == ObserverForm::Output;
  Json json{{"form", name_of(options.form)}, {"filter", name_of(options.filter)}};
  json["adapted"] = options.adapt.window > 0 ? adapted_json(result) : Json(nullptr);
  if (output) {
    json["motion"] = name_of(options.output.motion);
    json["density"] = options.output_noise.density;
    json["density_fitted"] = options.fit_density;
    json["fitted"] = Json::array();
    for (const estimate::FittedLevel& one : result.fitted) {
      json["fitted"].push_back({{"name", one.name},
                                {"value", json_number(one.value)},
                                {"log_deviation", json_number(one.log_deviation)}});
    }
  } else {
    json["discretisation"] = name_of(options.input.discretisation);
    json["scheme"] = name_of(options.input.scheme);
    json["noise"] = options.input_noise.kinematic;
    json["noise_from_inputs"] = options.input_noise.from_inputs;
    json["threshold"] = options.switching.threshold;
  }
  json["gate"] = options.gate.probability;
  json["smooth"] = options.smooth;
  json["start"] = numbers_json(options.start.z);
  return json;
}

Json observe_sensors_json(const ObserveResult& result) {
  Json list = Json::array();
  for (std::size_t i = 0; i < result.sensors.size(); ++i) {
    const model::planar::Sensor& sensor = result.study.mechanism->description().sensors[i];
    const SensorColumn& column = result.study.columns[i];
    const estimate::SensorScore& score = result.sensors[i];
    list.push_back({{"name", sensor.name},
                    {"kind", name_of(sensor.kind)},
                    {"of", sensor.of},
                    {"unit", sensor_unit(sensor.kind)},
                    {"sigma", std::sqrt(model::planar::sensor_variance(sensor))},
                    {"column", column.column},
                    {"column_unit", column.column_unit},
                    {"factor", column.factor},
                    {"role", name_of(score.role)},
                    {"readings", score.readings},
                    {"rejected", score.rejected},
                    {"innovation_rms", json_number(score.innovation_rms)},
                    {"size", score.judged ? json_number(score.normalised.size) : Json(nullptr)},
                    {"slow", score.judged ? json_number(score.normalised.slow) : Json(nullptr)},
                    {"expected_rms", json_number(score.expected_rms)}});
  }
  return list;
}

Json states_json(const ObserveResult& result) {
  Json list = Json::array();
  const estimate::KinematicEstimate& estimate = result.estimate;
  const Index last = estimate.mean.rows() - 1;
  for (std::size_t i = 0; i < result.states.size(); ++i) {
    const estimate::StateColumn& state = result.states[i];
    const auto column = static_cast<Index>(i);
    Json json{{"name", state.name},
              {"column", state.column},
              {"unit", state.unit},
              {"last", json_number(estimate.mean(last, column))},
              {"last_deviation", json_number(estimate.deviation(last, column))},
              {"mean_deviation",
               json_number(mean_of(estimate.deviation.col(column).tail(result.scored)))}};
    json["smoothed_deviation"] =
        result.study.options.smooth
            ? json_number(mean_of(estimate.smoothed_deviation.col(column).tail(result.scored)))
            : Json(nullptr);
    list.push_back(std::move(json));
  }
  return list;
}

Json consistency_json(const ObserveResult& result) {
  const estimate::ConsistencyVerdict& verdict = result.consistency;
  Json json{{"from", result.scored_from},
            {"samples", result.scored},
            {"good", verdict.good},
            {"cautious", verdict.cautious},
            {"words", verdict.words}};
  if (!verdict.judged) return json;
  const estimate::SquaresReport& squares = verdict.squares;
  json["nis"] = {{"mean", json_number(squares.average)},
                 {"expected", json_number(squares.expected)},
                 {"lower", json_number(squares.lower)},
                 {"upper", json_number(squares.upper)},
                 {"share_above", json_number(squares.share_above)},
                 {"expected_above", json_number(squares.expected_above)},
                 {"consistent", squares.consistent}};
  const estimate::WhitenessReport& whiteness = verdict.whiteness;
  json["whiteness"] = {{"autocorrelation", whiteness.autocorrelation},
                       {"bound", json_number(whiteness.bound)},
                       {"portmanteau", json_number(whiteness.portmanteau)},
                       {"limit", json_number(whiteness.limit)},
                       {"white", whiteness.white}};
  return json;
}

Json sensor_set_json(const ObserveStudy& study, const estimate::SensorSetReport& set) {
  Json json;
  json["sensors"] = mapped(set.sensors, [&](int sensor) {
    return study.mechanism->description().sensors[static_cast<std::size_t>(sensor)].name;
  });
  json["lowest_rank"] = set.lowest_rank;
  json["worst_condition"] = json_number(set.worst_condition);
  json["worst_at"] = numbers_json(set.worst_at);
  json["singular"] = set.singular.size();
  return json;
}

Json suggested_json(const model::planar::Sensor& sensor) {
  Json json{{"kind", name_of(sensor.kind)}, {"of", sensor.of}};
  if (sensor.kind == model::planar::SensorKind::Angle) json["relative_to"] = sensor.relative_to;
  return json;
}

Json observability_json(const ObserveResult& result) {
  const estimate::ObservabilityReport& report = result.observability;
  const ObserveStudy& study = result.study;
  Json json{{"lower", numbers_json(study.options.workspace.lower)},
            {"upper", numbers_json(study.options.workspace.upper)},
            {"places", report.positions},
            {"unreachable", report.unreachable},
            {"position_sensors", sensor_set_json(study, report.position_sensors)},
            {"rate_sensors", sensor_set_json(study, report.rate_sensors)},
            {"acceleration_sensors", sensor_set_json(study, report.acceleration_sensors)},
            {"at_rest", sensor_set_json(study, report.at_rest)},
            {"words", result.observability_words}};
  json["suggestions"] = Json::array();
  for (const estimate::SensorSuggestion& one : report.suggestions) {
    Json suggestion = suggested_json(one.sensor);
    if (one.second) suggestion["second"] = suggested_json(*one.second);
    suggestion["worst_condition"] = json_number(one.worst_condition);
    json["suggestions"].push_back(std::move(suggestion));
  }
  return json;
}

Json observe_json(const ObserveResult& result) {
  const ObserveStudy& study = result.study;
  Json json = json_head("observe", study.title);
  json["method"] = "kinematic";
  json["study"] = study.file.filename().string();
  json["overrides"] = study.overrides;
  json["status"] = std::string(to_string(result.status));
  json["message"] = result.message;
  json["warnings"] = result.warnings;
  json["notes"] = study.notes;
  json["mechanism"] = mechanism_json(study);
  json["observer"] = observer_json(result);
  json["record"] = {{"source", study.source},
                    {"start", study.time.start()},
                    {"samples", study.time.size()},
                    {"step", json_number(study.time.median_step())}};
  json["sensors"] = observe_sensors_json(result);
  json["states"] = states_json(result);
  json["steps"] = {{"rejected", result.estimate.rejected},
                   {"failed", result.estimate.failed},
                   {"random_walk", std::count(result.estimate.random_walk.begin(),
                                              result.estimate.random_walk.end(), true)}};
  json["consistency"] = consistency_json(result);
  json["observability"] = observability_json(result);
  json["estimates"] = {{"file", "estimates.csv"}};
  return json;
}

/// Columns on their way into a record.
struct Columns {
  std::vector<signal::Channel> channels;
  std::vector<Eigen::VectorXd> values;

  void add(const std::string& name, const std::string& unit, Eigen::VectorXd column) {
    channels.push_back({.name = name, .unit = unit});
    values.push_back(std::move(column));
  }
};

void add_states(const ObserveResult& result, Columns& columns) {
  const estimate::KinematicEstimate& estimate = result.estimate;
  for (std::size_t i = 0; i < result.states.size(); ++i) {
    const estimate::StateColumn& state = result.states[i];
    const auto c = static_cast<Index>(i);
    columns.add(state.column, state.unit, estimate.mean.col(c));
    columns.add(state.column + "_std", state.unit, estimate.deviation.col(c));
    if (!result.study.options.smooth) continue;
    columns.add(state.column + "_smoothed", state.unit, estimate.smoothed_mean.col(c));
    columns.add(state.column + "_smoothed_std", state.unit, estimate.smoothed_deviation.col(c));
  }
}

void add_innovations(const ObserveResult& result, Columns& columns) {
  const estimate::KinematicEstimate& estimate = result.estimate;
  for (std::size_t i = 0; i < estimate.outputs.size(); ++i) {
    const auto at = static_cast<std::size_t>(estimate.outputs[i]);
    const model::planar::Sensor& sensor = result.study.mechanism->description().sensors[at];
    const std::string unit = sensor_unit(sensor.kind);
    const auto c = static_cast<Index>(i);
    columns.add("innovation_" + sensor.name, unit, estimate.innovation.col(c));
    columns.add("innovation_" + sensor.name + "_std", unit, estimate.innovation_deviation.col(c));
  }
}

signal::Record estimates_record(const ObserveResult& result) {
  const estimate::KinematicEstimate& estimate = result.estimate;
  Columns columns;
  add_states(result, columns);
  add_innovations(result, columns);
  const Index samples = estimate.mean.rows();
  Eigen::VectorXd used(samples);
  Eigen::VectorXd walk(samples);
  for (Index k = 0; k < samples; ++k) {
    used(k) = estimate.used[static_cast<std::size_t>(k)];
    walk(k) = estimate.random_walk[static_cast<std::size_t>(k)] ? 1.0 : 0.0;
  }
  columns.add("nis", "", estimate.nis);
  columns.add("used", "", std::move(used));
  if (result.study.options.form == ObserverForm::Input) {
    columns.add("random_walk", "", std::move(walk));
  }
  Eigen::MatrixXd table(samples, static_cast<Index>(columns.values.size()));
  for (std::size_t c = 0; c < columns.values.size(); ++c) {
    table.col(static_cast<Index>(c)) = columns.values[c];
  }
  return {result.study.time, std::move(columns.channels), std::move(table), result.study.title};
}

}  // namespace

void write_observe_result(const ObserveResult& result, const std::filesystem::path& folder) {
  io::write_record(folder / "estimates.csv", estimates_record(result));
  write_json(observe_json(result), folder / "result.json");
}

}  // namespace alembert::study
