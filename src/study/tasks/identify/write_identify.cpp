#include <fmt/format.h>

#include <utility>

#include "alembert/io/table.hpp"
#include "alembert/study/identify.hpp"
#include "study/result/json.hpp"

namespace alembert::study {
namespace {

Json vector_json(const std::optional<Eigen::Vector3d>& values) {
  if (!values) return nullptr;
  return {{"mass", json_number((*values)(0))},
          {"damping", json_number((*values)(1))},
          {"stiffness", json_number((*values)(2))}};
}

Json matrix_json(const std::string& file, const Eigen::MatrixXd& values,
                 const Eigen::MatrixXd& deviations, const Definiteness& definiteness) {
  Json json = to_json(definiteness);
  json["file"] = file;
  json["values"] = rows_json(values);
  json["deviations"] = deviations.size() > 0 ? rows_json(deviations) : Json(nullptr);
  return json;
}

Json modes_json(const std::vector<identify::ModeVerdict>& modes) {
  Json list = Json::array();
  for (const identify::ModeVerdict& mode : modes) {
    list.push_back({{"frequency_hz", json_number(mode.frequency_hz)},
                    {"frequency_deviation", json_number(mode.frequency_std)},
                    {"damping_ratio", json_number(mode.damping)},
                    {"damping_deviation", json_number(mode.damping_std)},
                    {"shape_real", numbers_json(mode.shape.real())},
                    {"shape_imaginary", numbers_json(mode.shape.imag())},
                    {"shape_deviation", numbers_json(mode.shape_std)}});
  }
  return list;
}

Json identified_json(const IdentifyResult& result) {
  const LinearModel& model = result.study.model;
  const model::SecondOrder& system = result.refinement.system;
  Json json;
  json["degrees_of_freedom"] = model.system.L.rows();
  json["coordinates"] = model.coordinates;
  json["forces"] = rows_json(model.system.L);
  if (!result.has_system()) return json;
  json["passive"] = result.definiteness.passive();
  json["mass"] = matrix_json("mass.csv", system.M, result.deviations.M, result.definiteness.mass);
  json["damping"] =
      matrix_json("damping.csv", system.D, result.deviations.D, result.definiteness.damping);
  json["stiffness"] =
      matrix_json("stiffness.csv", system.K, result.deviations.K, result.definiteness.stiffness);
  json["modes"] = modes_json(result.modes);
  return json;
}

Json start_json(const IdentifyResult& result) {
  const identify::StartEstimate& start = result.start;
  Json json{{"method", name_of(start.method)},
            {"status", std::string(to_string(start.status))},
            {"message", start.message},
            {"words", start.words}};
  if (start.usable()) {
    json["mass_values"] = rows_json(start.matrices.M);
    json["damping_values"] = rows_json(start.matrices.D);
    json["stiffness_values"] = rows_json(start.matrices.K);
  }
  if (!start.windows.empty()) {
    json["window"] = start.window;
    json["windows"] = Json::array();
    for (const identify::WindowTrial& trial : start.windows) {
      json["windows"].push_back(
          {{"window", json_number(trial.window)}, {"cost", json_number(trial.cost)}});
    }
  }
  if (start.order > 0) {
    json["order"] = start.order;
    json["horizon"] = start.horizon;
    json["singular_values"] = numbers_json(start.singular_values);
    json["asymmetry"] = json_number(start.asymmetry);
  }
  if (start.candidates.empty()) return json;
  json["candidates"] = Json::array();
  for (const identify::Candidate& one : start.candidates) {
    json["candidates"].push_back({{"words", one.description},
                                  {"status", std::string(to_string(one.outcome.status))},
                                  {"cost", json_number(one.cost)},
                                  {"band_ratio", json_number(one.band_ratio)},
                                  {"band_limit", json_number(one.band_limit)},
                                  {"accepted", one.accepted}});
  }
  return json;
}

Json refine_json(const IdentifyResult& result) {
  const identify::LinearOptions& settings = result.study.settings;
  const identify::Refinement& refinement = result.refinement;
  if (!settings.refine) return nullptr;
  Json json;
  json["words"] = identify::refine_words(settings.refinement);
  json["status"] = std::string(to_string(refinement.status));
  json["message"] = refinement.message;
  json["iterations"] = refinement.iterations;
  json["cost"] = json_number(refinement.cost);
  json["cost_history"] = Json::array();
  for (const double cost : refinement.cost_history) {
    json["cost_history"].push_back(json_number(cost));
  }
  json["condition"] = json_number(refinement.condition);
  json["positive_enforced"] = refinement.positive_enforced;
  return json;
}

Json unknowns_json(const IdentifyResult& result) {
  Json list = Json::array();
  const identify::Refinement& refinement = result.refinement;
  if (refinement.theta.size() != result.problem.unknowns.size()) return list;
  for (Eigen::Index i = 0; i < refinement.theta.size(); ++i) {
    list.push_back({{"name", result.problem.unknowns.names[static_cast<std::size_t>(i)]},
                    {"value", json_number(refinement.theta(i))},
                    {"deviation", json_number(std::sqrt(refinement.covariance(i, i)))}});
  }
  return list;
}

Json pairs_json(const std::vector<identify::CorrelatedPair>& pairs) {
  Json list = Json::array();
  for (const identify::CorrelatedPair& pair : pairs) {
    list.push_back({{"first", pair.first},
                    {"second", pair.second},
                    {"correlation", json_number(pair.correlation)}});
  }
  return list;
}

Json column_json(const ColumnUse& column) {
  return {{"name", column.name},
          {"unit", column.unit},
          {"column", column.column},
          {"column_unit", column.column_unit},
          {"factor", column.factor}};
}

Json residual_json(const identify::ResidualVerdict& verdict) {
  return {{"fit", json_number(verdict.fit)},
          {"residual_rms", json_number(verdict.rms)},
          {"whiteness", json_number(verdict.whiteness)},
          {"whiteness_p", json_number(verdict.whiteness_p)}};
}

Json outputs_json(const IdentifyResult& result) {
  Json list = Json::array();
  for (std::size_t i = 0; i < result.study.outputs.size(); ++i) {
    const OutputSensor& sensor = result.study.outputs[i];
    Json json = column_json(sensor.column);
    json["measures"] = name_of(sensor.motion);
    json["at"] = sensor.place;
    if (result.refinement.noise.size() > 0) {
      json["noise"] = json_number(result.refinement.noise(static_cast<Eigen::Index>(i)));
    }
    if (i < result.outputs.size()) json.update(residual_json(result.outputs[i]));
    list.push_back(std::move(json));
  }
  return list;
}

Json data_json(const MeasuredData& data, const std::string& stem, bool written) {
  Json list = Json::array();
  for (std::size_t e = 0; e < data.experiments.size(); ++e) {
    const identify::Experiment& experiment = data.experiments[e];
    Json json{{"source", data.sources[e].file},
              {"start", data.sources[e].start_time},
              {"step", experiment.step},
              {"samples", experiment.samples()}};
    if (written) {
      json["prediction"] = {{"file", record_file_name(stem, e + 1, data.experiments.size())}};
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json validation_json(const IdentifyResult& result) {
  if (!result.validation) return nullptr;
  Json json;
  json["experiments"] = data_json(result.study.validation, "validation", true);
  json["outputs"] = Json::array();
  for (std::size_t i = 0; i < result.validation->outputs.size(); ++i) {
    Json one{{"name", result.study.outputs[i].column.name}};
    one.update(residual_json(result.validation->outputs[i]));
    json["outputs"].push_back(std::move(one));
  }
  return json;
}

Json comparison_json(const IdentifyResult& result) {
  Json list = Json::array();
  for (const identify::ComparedMethod& row : result.comparison) {
    list.push_back(
        {{"name", row.name},
         {"status", std::string(to_string(row.status))},
         {"message", row.message},
         {"difference", vector_json(Eigen::Vector3d(row.mass, row.damping, row.stiffness))},
         {"error", vector_json(row.error)},
         {"residual", json_number(row.residual)},
         {"iterations", row.iterations}});
  }
  return list;
}

Json remarks_json(const std::vector<identify::DataRemark>& remarks) {
  Json list = Json::array();
  for (const identify::DataRemark& remark : remarks) {
    list.push_back({{"channel", remark.channel}, {"text", remark.text}});
  }
  return list;
}

Json identify_json(const IdentifyResult& result) {
  const IdentifyStudy& study = result.study;
  Json json = json_head("identify", study.title);
  json["study"] = study.file.filename().string();
  json["overrides"] = study.overrides;
  json["status"] = std::string(to_string(result.status));
  json["message"] = result.message;
  json["warnings"] = result.warnings;
  json["remarks"] = remarks_json(study.remarks);
  json["notes"] = study.notes;
  json["model"] = identified_json(result);
  json["structure"] = study.structure;
  json["start"] = start_json(result);
  json["refine"] = refine_json(result);
  json["unknowns"] = unknowns_json(result);
  json["correlated"] = pairs_json(result.pairs);
  json["error"] = vector_json(result.error);
  json["expected_error"] = vector_json(result.expected_error);
  json["inputs"] = Json::array();
  for (const ColumnUse& input : study.inputs) json["inputs"].push_back(column_json(input));
  json["outputs"] = outputs_json(result);
  json["experiments"] = data_json(study.data, "prediction", !result.refinement.predictions.empty());
  json["validation"] = validation_json(result);
  json["comparison"] = comparison_json(result);
  return json;
}

// NAME, NAME_predicted and NAME_residual of every output.
signal::Record prediction_record(const IdentifyStudy& study, const identify::Experiment& experiment,
                                 double start, const Eigen::MatrixXd& prediction) {
  std::vector<signal::Channel> channels;
  Eigen::MatrixXd samples(experiment.samples(), 3 * experiment.output.cols());
  for (Eigen::Index i = 0; i < experiment.output.cols(); ++i) {
    const ColumnUse& column = study.outputs[static_cast<std::size_t>(i)].column;
    channels.push_back({.name = column.name, .unit = column.unit});
    channels.push_back({.name = column.name + "_predicted", .unit = column.unit});
    channels.push_back({.name = column.name + "_residual", .unit = column.unit});
    samples.col(3 * i) = experiment.output.col(i);
    samples.col(3 * i + 1) = prediction.col(i);
    samples.col(3 * i + 2) = experiment.output.col(i) - prediction.col(i);
  }
  return {signal::TimeAxis::uniform(experiment.samples(), experiment.step, start),
          std::move(channels), std::move(samples), study.title};
}

void write_predictions(const IdentifyStudy& study, const MeasuredData& data,
                       const std::vector<Eigen::MatrixXd>& predictions, const std::string& stem,
                       const std::filesystem::path& folder) {
  for (std::size_t e = 0; e < predictions.size(); ++e) {
    io::write_record(
        folder / record_file_name(stem, e + 1, data.experiments.size()),
        prediction_record(study, data.experiments[e], data.sources[e].start_time, predictions[e]));
  }
}

}  // namespace

void write_identify_result(const IdentifyResult& result, const std::filesystem::path& folder) {
  const IdentifyStudy& study = result.study;
  if (result.has_system()) {
    io::write_matrix(folder / "mass.csv", result.refinement.system.M);
    io::write_matrix(folder / "damping.csv", result.refinement.system.D);
    io::write_matrix(folder / "stiffness.csv", result.refinement.system.K);
  }
  write_predictions(study, study.data, result.refinement.predictions, "prediction", folder);
  if (result.validation) {
    write_predictions(study, study.validation, result.validation->prediction.predictions,
                      "validation", folder);
  }
  write_json(identify_json(result), folder / "result.json");
}

}  // namespace alembert::study
