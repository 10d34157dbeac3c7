#include <cmath>
#include <limits>
#include <utility>

#include "alembert/io/table.hpp"
#include "alembert/study/acceleration.hpp"
#include "study/result/json.hpp"

namespace alembert::study {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

double entry(const Eigen::VectorXd& values, std::size_t index) {
  const auto i = static_cast<Eigen::Index>(index);
  return i < values.size() ? values(i) : kNoNumber;
}

Json motion_parameters_json(const AccelerationOutcome& result, const identify::RecordFit& record) {
  Json list = Json::array();
  const std::vector<std::string>& names = result.study.parameters();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const identify::AccelerationRegression& regression = record.regression;
    Json json{{"name", names[i]},
              {"linear", static_cast<bool>(result.study.equation->linear[i])},
              {"regression",
               {{"value", json_number(entry(regression.parameters, i))},
                {"spread", json_number(entry(regression.spread, i))},
                {"deviation", json_number(entry(regression.deviations, i))}}}};
    if (i < regression.trends.size()) {
      json["regression"]["trend"] = {{"at_zero", json_number(regression.trends[i].at_zero)},
                                     {"slope", json_number(regression.trends[i].slope)},
                                     {"deviation", json_number(regression.trends[i].deviation)}};
    }
    json["refined"] = nullptr;
    if (record.refined) {
      json["refined"] = {{"value", json_number(entry(record.refined->parameters, i))},
                         {"deviation", json_number(entry(record.refined->deviations, i))}};
    }
    const std::optional<double> truth = result.study.options.truth_of(names[i]);
    if (truth) json["truth"] = json_number(*truth);
    list.push_back(std::move(json));
  }
  return list;
}

Json diagnosis_json(const identify::RecordDiagnosis& diagnosis) {
  Json json{{"cycle", json_number(diagnosis.cycles.period)},
            {"cycle_deviation", json_number(diagnosis.cycles.period_deviation)},
            {"cycles", json_number(diagnosis.cycles.count)},
            {"amplitude", json_number(diagnosis.cycles.amplitude)},
            {"noise", json_number(diagnosis.cycles.noise)},
            {"offset", json_number(diagnosis.offset)},
            {"drift", json_number(diagnosis.drift)}};
  json["findings"] = Json::array();
  for (const identify::RecordFinding& one : diagnosis.findings) {
    json["findings"].push_back(
        {{"fault", std::string(to_string(one.fault))}, {"fatal", one.fatal}, {"text", one.text}});
  }
  json["peaks"] = Json::array();
  for (const identify::SpectralPeak& peak : diagnosis.peaks) {
    json["peaks"].push_back({{"frequency_hz", json_number(peak.frequency_hz)},
                             {"amplitude", json_number(peak.amplitude)}});
  }
  return json;
}

Json decrement_json(const identify::LogDecrement& decrement) {
  if (!decrement.ok()) return nullptr;
  Json json{{"decrement", json_number(decrement.decrement)},
            {"decrement_deviation", json_number(decrement.decrement_deviation)},
            {"damping_ratio", json_number(decrement.ratio)},
            {"damping_ratio_deviation", json_number(decrement.ratio_deviation)},
            {"rate", json_number(decrement.rate)},
            {"rate_deviation", json_number(decrement.rate_deviation)},
            {"bend", json_number(decrement.bend)}};
  json["course"] = Json::array();
  for (const identify::CycleDamping& one : decrement.course) {
    json["course"].push_back({{"time", json_number(one.time)},
                              {"amplitude", json_number(one.amplitude)},
                              {"damping_ratio", json_number(one.ratio)},
                              {"deviation", json_number(one.ratio_deviation)}});
  }
  return json;
}

Json regression_json(const identify::AccelerationRegression& regression) {
  if (regression.names.empty()) return nullptr;
  const identify::IntegratedSignals& signals = regression.signals;
  Json json{{"status", std::string(to_string(regression.status))},
            {"message", regression.message},
            {"windows", regression.windows.size()},
            {"failed", regression.failed},
            {"cycle", json_number(signals.cycle)},
            {"snr_db", json_number(signals.snr_db)},
            {"smoothed", signals.smoothed},
            {"offset", json_number(regression.offset)},
            {"offset_deviation", json_number(regression.offset_deviation)},
            {"offset_fitted", regression.offset_fitted},
            {"remarks", regression.remarks}};
  const auto trend = [](const identify::AmplitudeTrend& one) {
    return Json{{"at_zero", json_number(one.at_zero)},
                {"slope", json_number(one.slope)},
                {"deviation", json_number(one.deviation)}};
  };
  json["stiffness_trend"] = trend(regression.stiffness_trend);
  json["damping_trend"] = trend(regression.damping_trend);
  return json;
}

Json refinement_json(const std::optional<identify::RefinedEquation>& refined) {
  if (!refined) return nullptr;
  return {{"status", std::string(to_string(refined->status))},
          {"message", refined->message},
          {"x0", json_number(refined->x0)},
          {"x0_deviation", json_number(refined->x0_deviation)},
          {"v0", json_number(refined->v0)},
          {"v0_deviation", json_number(refined->v0_deviation)},
          {"offset", json_number(refined->offset)},
          {"offset_deviation", json_number(refined->offset_deviation)},
          {"offset_fitted", refined->offset_fitted},
          {"residual", json_number(refined->residual)},
          {"aic", json_number(refined->aic)},
          {"bic", json_number(refined->bic)},
          {"evaluations", refined->search.evaluations}};
}

Json motion_records_json(const AccelerationOutcome& result) {
  Json list = Json::array();
  for (std::size_t e = 0; e < result.records.size(); ++e) {
    const identify::RecordFit& record = result.records[e];
    const identify::AccelerationRecord& data = result.study.records[e];
    Json json{{"source", result.study.sources[e].file},
              {"start", json_number(data.start_time)},
              {"step", json_number(data.step)},
              {"samples", data.samples()}};
    if (record.motion.ok() && record.fitted.size() > 0) {
      json["motion"] = {{"file", record_file_name("motion", e + 1, result.records.size())}};
    }
    if (!record.regression.windows.empty()) {
      json["windows"] = {{"file", record_file_name("windows", e + 1, result.records.size())}};
    }
    json["diagnosis"] = diagnosis_json(record.diagnosis);
    json["parameters"] = motion_parameters_json(result, record);
    json["regression"] = regression_json(record.regression);
    json["refinement"] = refinement_json(record.refined);
    json["logarithmic_decrement"] = decrement_json(record.decrement);
    json["displacement_decrement"] = decrement_json(record.displacement_decrement);
    list.push_back(std::move(json));
  }
  return list;
}

Json equation_scores_json(const AccelerationOutcome& result) {
  if (!result.comparison) return nullptr;
  Json list = Json::array();
  for (const identify::EquationScore& score : result.comparison->scores) {
    list.push_back({{"name", score.name},
                    {"status", std::string(to_string(score.status))},
                    {"names", score.refined.names},
                    {"values", numbers_json(score.refined.parameters)},
                    {"residual", json_number(score.refined.residual)},
                    {"aic_difference", json_number(score.aic_difference)},
                    {"bic_difference", json_number(score.bic_difference)},
                    {"weight", json_number(score.weight)},
                    {"predicted_from", json_number(score.predicted_from)},
                    {"prediction_error", json_number(score.prediction_error)},
                    {"relative_prediction_error", json_number(score.relative_prediction_error)}});
  }
  return list;
}

Json repeated_json(const std::vector<identify::RepeatedParameter>& parameters) {
  Json list = Json::array();
  for (const identify::RepeatedParameter& one : parameters) {
    list.push_back({{"name", one.name},
                    {"mean", json_number(one.mean)},
                    {"spread", json_number(one.spread)},
                    {"relative_spread", json_number(one.relative_spread)},
                    {"reported", json_number(one.reported)},
                    {"weighted_mean", json_number(one.weighted_mean)},
                    {"weighted_deviation", json_number(one.weighted_deviation)},
                    {"chi_square", json_number(one.chi_square)},
                    {"freedom", one.freedom},
                    {"probability", json_number(one.probability)},
                    {"consistent", one.consistent}});
  }
  return list;
}

Json static_json(const AccelerationOutcome& result) {
  if (!result.static_curve) return nullptr;
  const identify::StaticCurve& curve = *result.static_curve;
  const auto fit = [](const identify::StaticFit& one) {
    return Json{{"coefficients", numbers_json(one.coefficients)},
                {"deviations", numbers_json(one.deviations)},
                {"residual", json_number(one.residual)},
                {"aicc", json_number(one.aicc)}};
  };
  Json json{{"points", curve.points}};
  const std::optional<double>& mass = result.study.options.static_test->mass;
  json["mass"] = mass ? Json(*mass) : Json(nullptr);
  json["line"] = fit(curve.line);
  json["cubic"] = fit(curve.cubic);
  json["equation_force"] = numbers_json(result.equation_force);
  json["f"] = json_number(curve.f_value);
  json["p"] = json_number(curve.p_value);
  json["cubic_better"] = curve.cubic_better;
  return json;
}

Json acceleration_json(const AccelerationOutcome& result) {
  const AccelerationStudy& study = result.study;
  Json json = json_head("identify", study.title);
  json["method"] = "acceleration";
  json["study"] = study.file.filename().string();
  json["overrides"] = study.overrides;
  json["status"] = std::string(to_string(result.status));
  json["message"] = result.message;
  json["trusted"] = result.is_trusted();
  json["warnings"] = result.warnings;
  json["notes"] = study.notes;
  json["equation"] = study.equation->explicit_text;
  json["columns"] = Json::array();
  for (const ColumnUse& column : study.columns) {
    json["columns"].push_back({{"name", column.name},
                               {"column", column.column},
                               {"column_unit", column.column_unit},
                               {"unit", column.unit},
                               {"factor", column.factor}});
  }
  json["records"] = motion_records_json(result);
  json["comparison"] = equation_scores_json(result);
  json["repeatability"] = {{"regression", repeated_json(result.repeated_regression)},
                           {"refined", repeated_json(result.repeated_refinement)}};
  json["static"] = static_json(result);
  return json;
}

// Rows of the regression may be fewer than samples: NaN between them.
Eigen::VectorXd spread_out(const Eigen::VectorXd& rows, Eigen::Index samples, Eigen::Index every) {
  Eigen::VectorXd values = Eigen::VectorXd::Constant(samples, kNoNumber);
  for (Eigen::Index k = 0; k < rows.size() && k * every < samples; ++k) values(k * every) = rows(k);
  return values;
}

void write_motion(const AccelerationOutcome& result, std::size_t e,
                  const std::filesystem::path& file) {
  const identify::RecordFit& record = result.records[e];
  const identify::AccelerationRecord& data = result.study.records[e];
  const Eigen::Index n = data.samples();
  const Eigen::Index every = result.study.options.regression.reconstruction.every;
  Eigen::MatrixXd samples(n, 7);
  samples.col(0) = data.acceleration;
  samples.col(1) = record.fitted;
  samples.col(2) = record.residual;
  samples.col(3) = record.motion.displacement;
  samples.col(4) = record.motion.velocity;
  samples.col(5) = spread_out(record.joined_displacement, n, every);
  samples.col(6) = spread_out(record.joined_velocity, n, every);
  io::write_record(file, {signal::TimeAxis::uniform(n, data.step, data.start_time),
                          {{.name = "acceleration", .unit = "m/s^2"},
                           {.name = "acceleration_fitted", .unit = "m/s^2"},
                           {.name = "acceleration_residual", .unit = "m/s^2"},
                           {.name = "displacement", .unit = "m"},
                           {.name = "velocity", .unit = "m/s"},
                           {.name = "displacement_regression", .unit = "m"},
                           {.name = "velocity_regression", .unit = "m/s"}},
                          std::move(samples),
                          result.study.title});
}

// One row per window, at the time of its middle.
void write_windows(const AccelerationOutcome& result, std::size_t e,
                   const std::filesystem::path& file) {
  const identify::AccelerationRegression& regression = result.records[e].regression;
  std::vector<signal::Channel> channels = {{.name = "amplitude", .unit = "m"},
                                           {.name = "good"},
                                           {.name = "equivalent_stiffness", .unit = "1/s^2"},
                                           {.name = "equivalent_damping", .unit = "1/s"},
                                           {.name = "x0", .unit = "m"},
                                           {.name = "v0", .unit = "m/s"},
                                           {.name = "offset", .unit = "m/s^2"},
                                           {.name = "residual", .unit = "m/s^2"},
                                           {.name = "iterations"}};
  for (const std::string& name : regression.names) channels.push_back({.name = name});
  const auto rows = static_cast<Eigen::Index>(regression.windows.size());
  Eigen::MatrixXd samples =
      Eigen::MatrixXd::Constant(rows, static_cast<Eigen::Index>(channels.size()), kNoNumber);
  Eigen::VectorXd times(rows);
  for (Eigen::Index k = 0; k < rows; ++k) {
    const identify::WindowFit& window = regression.windows[static_cast<std::size_t>(k)];
    times(k) =
        window.time + 0.5 * regression.signals.step * static_cast<double>(window.samples - 1);
    samples.row(k).head(9) << window.amplitude, window.ok() ? 1.0 : 0.0,
        window.equivalent_stiffness, window.equivalent_damping, window.x0, window.v0, window.offset,
        window.residual, static_cast<double>(window.iterations);
    for (Eigen::Index i = 0; i < window.parameters.size(); ++i) {
      samples(k, 9 + i) = window.parameters(i);
    }
  }
  io::write_record(file, {signal::TimeAxis::given(std::move(times)), std::move(channels),
                          std::move(samples), result.study.title});
}

}  // namespace

void write_acceleration_result(const AccelerationOutcome& result,
                               const std::filesystem::path& folder) {
  for (std::size_t e = 0; e < result.records.size(); ++e) {
    const identify::RecordFit& record = result.records[e];
    const auto named = [&](const char* stem) {
      return folder / record_file_name(stem, e + 1, result.records.size());
    };
    if (record.motion.ok() && record.fitted.size() > 0) write_motion(result, e, named("motion"));
    if (!record.regression.windows.empty()) write_windows(result, e, named("windows"));
  }
  write_json(acceleration_json(result), folder / "result.json");
}

}  // namespace alembert::study
