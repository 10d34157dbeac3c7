#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "alembert/core/error.hpp"
#include "core/mapped.hpp"
#include "study/parts/linear/read_sensors.hpp"
#include "study/parts/names.hpp"
#include "study/schema/check_keys.hpp"
#include "study/tasks/identify/read_identify.hpp"

namespace alembert::study {
namespace {

const std::vector<std::string>& motion_units(model::Motion motion, const LinearModel& model) {
  return motion == model::Motion::Velocity       ? model.velocity_units
         : motion == model::Motion::Acceleration ? model.acceleration_units
                                                 : model.displacement_units;
}

// Where a sensor without `at` sits: at the coordinate of its name, else in order if there are as
// many outputs as coordinates.
Eigen::Index implied_coordinate(const NamedColumn& output, std::size_t number, std::size_t count,
                                const std::vector<std::string>& coordinates) {
  const Eigen::Index named = index_of(coordinates, output.name);
  if (named >= 0) {
    return named;
  }
  if (count != coordinates.size()) {
    throw StudyError(output.column.place,
                     fmt::format("{}: sensors.{}.at must say which of the {} coordinates it "
                                 "measures: there {} {} output{}",
                                 output.column.key, output.name, coordinates.size(),
                                 count == 1 ? "is" : "are", count, count == 1 ? "" : "s"));
  }
  return static_cast<Eigen::Index>(number);
}

OutputSensor output_sensor(const TableReader& table, const NamedColumn& output, std::size_t number,
                           std::size_t count, const LinearModel& model) {
  OutputSensor sensor;
  sensor.column.name = output.name;
  sensor.column.column = output.column.column;
  sensor.column.column_unit = table.optional_text("unit").value_or("");
  sensor.motion = *enum_named<model::Motion>(table.text("measures"));
  if (table.has("at")) {
    SensorDescription description;
    description.quantity = *enum_named<Quantity>(table.text("measures"));
    sensor.column.unit = read_place(table, model, description);
    sensor.place = description.place;
    sensor.weights = description.weights;
    const Eigen::Index one = index_of(model.coordinates, sensor.place);
    sensor.coordinate = one >= 0 && sensor.weights(one) == 1.0 ? one : -1;
  } else {
    sensor.coordinate = implied_coordinate(output, number, count, model.coordinates);
    const auto at = static_cast<std::size_t>(sensor.coordinate);
    sensor.place = model.coordinates[at];
    sensor.weights = Eigen::VectorXd::Unit(static_cast<Eigen::Index>(model.coordinates.size()),
                                           sensor.coordinate);
    sensor.column.unit = motion_units(sensor.motion, model)[at];
  }
  // Turned into the model's unit when the unit of the column is known.
  sensor.sigma = table.optional_number("sigma");
  return sensor;
}

void check_sensor_tables(const TableReader& sensors, const std::vector<NamedColumn>& outputs) {
  const std::vector<std::string> known =
      mapped(outputs, [](const NamedColumn& output) { return output.name; });
  for (const std::string& name : sensors.keys()) {
    if (name != "all" && index_of(known, name) < 0) {
      sensors.fail_at_key(name, fmt::format("{}: data.outputs names no \"{}\"{}",
                                            sensors.name(name), name, suggestion(name, known)));
    }
  }
  if (sensors.has("all") && sensors.table("all").has("at")) {
    sensors.table("all").fail_at_key(
        "at", "sensors.all.at: `all` stands for every output; name the sensor instead");
  }
}

// Noise known for some sensors only would need a rule for how to weigh the others.
void check_sigmas(const TableReader& sensors, const IdentifyStudy& study) {
  const auto known = std::count_if(study.outputs.begin(), study.outputs.end(),
                                   [](const OutputSensor& one) { return one.sigma.has_value(); });
  if (known == 0 || known == static_cast<std::ptrdiff_t>(study.outputs.size())) {
    return;
  }
  const auto without = std::find_if(study.outputs.begin(), study.outputs.end(),
                                    [](const OutputSensor& one) { return !one.sigma.has_value(); });
  throw StudyError(sensors.place(without->column.name),
                   fmt::format("sensors: sigma must be given for all outputs or none, \"{}\" has "
                               "none",
                               without->column.name));
}

}  // namespace

model::OutputMap output_map(const IdentifyStudy& study) {
  const auto p = static_cast<Eigen::Index>(study.outputs.size());
  const Eigen::Index n = study.model.system.L.rows();
  const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(p, n);
  model::OutputMap map{none, none, none};
  for (Eigen::Index i = 0; i < p; ++i) {
    const OutputSensor& sensor = study.outputs[static_cast<std::size_t>(i)];
    Eigen::MatrixXd& part = sensor.motion == model::Motion::Velocity       ? map.velocity
                            : sensor.motion == model::Motion::Acceleration ? map.acceleration
                                                                           : map.displacement;
    part.row(i) = sensor.weights.transpose();
  }
  return map;
}

void read_output_sensors(const TableReader& root, const std::vector<NamedColumn>& outputs,
                         IdentifyStudy& study, std::vector<Problem>& problems) {
  const TableReader sensors = root.table("sensors");
  attempt(problems, [&] { check_sensor_tables(sensors, outputs); });
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    attempt(problems, [&] {
      const std::string& name = outputs[i].name;
      const TableReader table =
          sensors.table(!sensors.has(name) && sensors.has("all") ? "all" : name);
      study.outputs.push_back(output_sensor(table, outputs[i], i, outputs.size(), study.model));
    });
  }
  if (study.outputs.size() == outputs.size()) {
    attempt(problems, [&] { check_sigmas(sensors, study); });
  }
}

}  // namespace alembert::study
