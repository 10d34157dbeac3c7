#include "study/parts/linear/read_sensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "study/parts/data/sensor_errors.hpp"
#include "study/parts/data/tables_sensors.hpp"
#include "study/parts/names.hpp"
#include "study/schema/check_keys.hpp"

namespace alembert::study {
namespace {

const std::vector<std::string>& names_for(Quantity quantity, const LinearModel& model) {
  return quantity == Quantity::Force ? model.inputs : model.coordinates;
}

const std::vector<std::string>& units_for(Quantity quantity, const LinearModel& model) {
  switch (quantity) {
    case Quantity::Velocity:
      return model.velocity_units;
    case Quantity::Acceleration:
      return model.acceleration_units;
    case Quantity::Force:
      return model.force_units;
    case Quantity::Displacement:
    case Quantity::Signal:
      break;
  }
  return model.displacement_units;
}

Eigen::Index find_place(const TableReader& table, const std::string& key, const std::string& name,
                        Quantity quantity, const LinearModel& model) {
  const std::vector<std::string>& names = names_for(quantity, model);
  const Eigen::Index index = index_of(names, name);
  if (index < 0) {
    throw StudyError(table.place(key),
                     fmt::format("{}: the model has no {} \"{}\"{}", table.name(key),
                                 quantity == Quantity::Force ? "input" : "coordinate", name,
                                 suggestion(name, names)));
  }
  return index;
}

std::string weighted(double weight, const std::string& name, bool first) {
  const std::string sign = weight < 0.0 ? (first ? "-" : " - ") : (first ? "" : " + ");
  const double size = std::abs(weight);
  return sign + (size == 1.0 ? "" : shortest(size) + " ") + name;
}

}  // namespace

std::string read_place(const TableReader& table, const LinearModel& model,
                       SensorDescription& sensor) {
  const std::vector<std::string>& units = units_for(sensor.quantity, model);
  sensor.weights = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(units.size()));
  if (!table.has("at")) {
    throw StudyError(table.place("at"),
                     fmt::format("{} needs the key \"at\": where the sensor sits",
                                 table.name("at").substr(0, table.name("at").size() - 3)));
  }
  if (table.form("at") == kText) {
    sensor.place = table.text("at");
    const Eigen::Index i = find_place(table, "at", sensor.place, sensor.quantity, model);
    sensor.weights(i) = 1.0;
    return units[static_cast<std::size_t>(i)];
  }
  const TableReader at = table.table("at");
  std::string unit;
  for (const std::string& name : at.keys()) {
    const Eigen::Index i = find_place(at, name, name, sensor.quantity, model);
    const std::string& here = units[static_cast<std::size_t>(i)];
    if (!unit.empty() && here != unit) {
      at.fail(name,
              fmt::format("is in {}, the others in {}; one sensor cannot add them", here, unit));
    }
    unit = here;
    sensor.weights(i) = at.number(name);
    sensor.place += weighted(at.number(name), name, sensor.place.empty());
  }
  if (!sensor.weights.any()) {
    table.fail("at", "must give at least one weight that is not zero");
  }
  return unit;
}

namespace {

SensorDescription read_sensor(const TableReader& table, const std::string& name,
                              const LinearModel& model, const SampleGrid& grid) {
  SensorDescription sensor = sensor_place_keys().read(table);
  sensor.name = name;
  const std::string model_unit = read_place(table, model, sensor);
  read_sensor_unit(table, model_unit, sensor);
  read_sensor_errors(table, grid, sensor);
  return sensor;
}

std::vector<SensorDescription> read_all(const TableReader& table, const LinearModel& model,
                                        const SampleGrid& grid) {
  const Quantity quantity = sensor_place_keys().read(table).quantity;
  if (table.has("at")) {
    table.fail_at_key(
        "at", table.name("at") + ": `all` stands for every coordinate; name the sensor instead");
  }
  if (quantity == Quantity::Force) {
    table.fail("measures", "must be a motion in `all`; name the sensors of forces");
  }
  std::vector<SensorDescription> sensors;
  const auto n = model.system.degrees_of_freedom();
  for (Eigen::Index i = 0; i < n; ++i) {
    SensorDescription sensor;
    sensor.name = "y" + std::to_string(i + 1);
    sensor.quantity = quantity;
    sensor.place = model.coordinates[static_cast<std::size_t>(i)];
    sensor.weights = Eigen::VectorXd::Unit(n, i);
    read_sensor_unit(table, units_for(quantity, model)[static_cast<std::size_t>(i)], sensor);
    read_sensor_errors(table, grid, sensor);
    sensors.push_back(std::move(sensor));
  }
  return sensors;
}

void put(std::vector<SensorDescription>& sensors, SensorDescription sensor) {
  const auto same = std::find_if(sensors.begin(), sensors.end(), [&](const SensorDescription& old) {
    return old.name == sensor.name;
  });
  if (same == sensors.end()) {
    sensors.push_back(std::move(sensor));
  } else {
    *same = std::move(sensor);
  }
}

}  // namespace

std::vector<SensorDescription> read_sensors(const TableReader& sensors, const LinearModel& model,
                                            const SampleGrid& grid,
                                            std::vector<Problem>& problems) {
  std::vector<SensorDescription> list;
  if (sensors.has("all") || sensors.keys().empty()) {
    attempt(problems, [&] { list = read_all(sensors.table("all"), model, grid); });
  }
  for (const SensorDescription& sensor : list) {
    if (index_of(model.inputs, sensor.name) < 0) {
      continue;
    }
    attempt(problems, [&] {
      sensors.fail_at_key("all", fmt::format("{}: the model has an input named \"{}\", like a "
                                             "sensor of `all`",
                                             sensors.name("all"), sensor.name));
    });
  }
  for (const std::string& name : sensors.keys()) {
    if (name == "all") {
      continue;
    }
    attempt(problems, [&] {
      check_sensor_name(sensors, name, model.inputs);
      put(list, read_sensor(sensors.table(name), name, model, grid));
    });
  }
  return list;
}

}  // namespace alembert::study
