#include <fmt/format.h>

#include <algorithm>

#include "alembert/io/table.hpp"
#include "alembert/study/simulate.hpp"
#include "study/result/json.hpp"

namespace alembert::study {
namespace {

/// The model and what was found of it; one overload for each kind.
struct ModelJson {
  const SimulateResult& result;

  Json operator()(const LinearModel& model) const {
    Json json;
    json["degrees_of_freedom"] = model.system.degrees_of_freedom();
    json["coordinates"] = model.coordinates;
    json["passive"] = result.definiteness.passive();
    json["mass"] = to_json(result.definiteness.mass);
    json["damping"] = to_json(result.definiteness.damping);
    json["stiffness"] = to_json(result.definiteness.stiffness);
    json["modes"] = Json::array();
    for (const model::DampedMode& mode : result.modes) {
      json["modes"].push_back({{"frequency_hz", json_number(mode.frequency_hz)},
                               {"damping_ratio", json_number(mode.damping_ratio)}});
    }
    return json;
  }

  Json operator()(const EquationSystem& equations) const {
    Json json{{"states", equations.model.states()}, {"parameters", Json::array()}};
    for (std::size_t i = 0; i < equations.parameter_units.size(); ++i) {
      json["parameters"].push_back(
          {{"name", equations.model.parameters()[i]},
           {"unit", equations.parameter_units[i]},
           {"value", json_number(equations.parameters(static_cast<Eigen::Index>(i)))}});
    }
    return json;
  }

  Json operator()(const MovedMechanism& moved) const {
    Json json{{"bodies", moved.mechanism->bodies()}, {"coordinates", Json::array()}};
    for (const CoordinateMotion& one : moved.motion) {
      json["coordinates"].push_back({{"name", one.coordinate}, {"motion", one.words}});
    }
    const auto& parameters = moved.mechanism->description().parameters;
    json["lengths"] = Json::array();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      json["lengths"].push_back(
          {{"name", parameters[i].name}, {"error", moved.lengths(static_cast<Eigen::Index>(i))}});
    }
    json["seen"] = result.seen ? Json(result.seen->words) : Json::array();
    return json;
  }
};

/// How the model is moved; one overload for each kind.
struct MethodJson {
  const SimulateStudy& study;

  Json operator()(const LinearModel&) const {
    const integrate::LinearSimulationOptions& options = study.integration;
    return {{"method", name_of(options.method)},
            {"hold", integrate::uses_hold(options.method) ? Json(integrate::hold_name(options.hold))
                                                          : Json(nullptr)}};
  }
  Json operator()(const EquationSystem& equations) const {
    const identify::SimulationOptions& options = equations.simulation;
    return {{"method", name_of(options.integrator)},
            {"between", name_of(options.between)},
            {"substeps", options.substeps}};
  }
  Json operator()(const MovedMechanism&) const { return {{"method", "prescribed"}}; }
};

Json simulation_json(const SimulateStudy& study) {
  Json json;
  json["start"] = study.start_time;
  json["step"] = study.step;
  json["samples"] = study.samples;
  json.update(std::visit(MethodJson{study}, study.model));
  json["seed"] = study.seed;
  json["experiments"] = study.experiments;
  return json;
}

Json inputs_json(const SimulateStudy& study) {
  Json list = Json::array();
  for (const InputDescription& input : study.inputs) {
    Json json{{"name", input.name}, {"unit", input.unit}, {"kind", input.kind}};
    if (const auto* from_file = std::get_if<FileInput>(&input.source)) {
      json["column"] = from_file->column;
      json["column_unit"] = from_file->unit;
      json["factor"] = from_file->factor;
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json sensors_json(const SimulateStudy& study) {
  Json list = Json::array();
  for (const SensorDescription& sensor : study.sensors) {
    list.push_back({{"name", sensor.name},
                    {"unit", sensor.unit},
                    {"measures", name_of(sensor.quantity)},
                    {"at", sensor.place}});
    if (!sensor.column.empty()) list.back()["column"] = sensor.column;
  }
  return list;
}

Json record_json(const std::string& file, const signal::Record& record) {
  Json json;
  json["file"] = file;
  json["samples"] = record.size();
  json["start"] = record.time().start();
  json["step"] = record.time().step();
  json["channels"] = channels_json(record);
  return json;
}

Json experiment_json(const SimulateStudy& study, const Experiment& experiment) {
  Json json;
  json["number"] = experiment.number;
  json["sensors"] = Json::array();
  for (std::size_t i = 0; i < experiment.sensors.size(); ++i) {
    const SensorOutcome& outcome = experiment.sensors[i];
    json["sensors"].push_back(
        {{"name", study.sensors[i].name},
         {"samples", outcome.samples},
         {"sigma", json_number(outcome.sigma)},
         {"snr_db", outcome.snr_db ? json_number(*outcome.snr_db) : Json(nullptr)},
         {"clipped", outcome.clipped}});
  }
  json["record"] = record_json(record_file_name("record", experiment.number, study.experiments),
                               experiment.record);
  if (study.write_truth) {
    json["truth"] = record_json(record_file_name("truth", experiment.number, study.experiments),
                                experiment.truth);
  }
  return json;
}

Json result_json(const SimulateResult& result) {
  const SimulateStudy& study = result.study;
  Json json = json_head("simulate", study.title);
  json["study"] = study.file.filename().string();
  json["overrides"] = study.overrides;
  json["status"] = std::string(to_string(result.status));
  json["message"] = result.message;
  json["warnings"] = result.warnings;
  json["notes"] = study.notes;
  json["model"] = std::visit(ModelJson{result}, study.model);
  json["simulation"] = simulation_json(study);
  json["inputs"] = inputs_json(study);
  json["sensors"] = sensors_json(study);
  json["experiments"] = Json::array();
  for (const Experiment& experiment : result.experiments) {
    json["experiments"].push_back(experiment_json(study, experiment));
  }
  return json;
}

}  // namespace

std::string record_file_name(const std::string& stem, std::size_t number, std::size_t experiments) {
  if (experiments == 1) {
    return stem + ".csv";
  }
  // As many digits as the last one needs, two or more, so that names sort by number.
  const std::size_t digits = std::max<std::size_t>(2, std::to_string(experiments).size());
  return fmt::format("{}-{:0{}}.csv", stem, number, digits);
}

void write_simulate_result(const SimulateResult& result, const std::filesystem::path& folder) {
  const SimulateStudy& study = result.study;
  for (const Experiment& experiment : result.experiments) {
    io::write_record(folder / record_file_name("record", experiment.number, study.experiments),
                     experiment.record);
    if (study.write_truth) {
      io::write_record(folder / record_file_name("truth", experiment.number, study.experiments),
                       experiment.truth);
    }
  }
  write_json(result_json(result), folder / "result.json");
}

}  // namespace alembert::study
