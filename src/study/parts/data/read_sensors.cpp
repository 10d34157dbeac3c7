#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "study/parts/linear/read_model.hpp"
#include "study/schema/check_keys.hpp"
#include "study/tasks/simulate/read_simulate.hpp"

namespace alembert::study {
namespace {

const std::vector<std::string>& names_for(Quantity quantity, const ModelDescription& model) {
  return quantity == Quantity::Force ? model.inputs : model.coordinates;
}

const std::vector<std::string>& units_for(Quantity quantity, const ModelDescription& model) {
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

Quantity quantity_of(const TableReader& sensor) {
  const std::string word = sensor.text("measures");
  for (const Quantity quantity : {Quantity::Velocity, Quantity::Acceleration, Quantity::Force}) {
    if (to_string(quantity) == word) {
      return quantity;
    }
  }
  return Quantity::Displacement;
}

Eigen::Index find_place(const TableReader& table, const std::string& key, const std::string& name,
                        Quantity quantity, const ModelDescription& model) {
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

std::string read_place(const TableReader& table, const ModelDescription& model,
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

void read_sensor_unit(const TableReader& table, const std::string& model_unit,
                      SensorDescription& sensor) {
  sensor.unit = table.optional_text("unit").value_or(model_unit);
  const std::optional<double> factor = conversion(model_unit, sensor.unit);
  if (!factor) {
    table.fail("unit", fmt::format("must fit {}, the unit of the model, got \"{}\"", model_unit,
                                   sensor.unit));
  }
  sensor.factor = *factor;
}

namespace {

void read_converter(const TableReader& table, signal::SensorOptions& options) {
  if (!table.has("bits")) {
    return;
  }
  options.bits = static_cast<int>(table.integer("bits"));
  const std::vector<double> range = table.numbers("range");
  if (range[0] >= range[1]) {
    table.fail("range", "must give the lower limit first");
  }
  options.range_lower = range[0];
  options.range_upper = range[1];
}

void read_encoder(const TableReader& table, SensorDescription& sensor) {
  sensor.options.counts_per_turn = table.optional_number("counts");
  if (!sensor.options.counts_per_turn) {
    return;
  }
  const bool may_turn =
      sensor.quantity == Quantity::Displacement || sensor.quantity == Quantity::Signal;
  if (!may_turn || sensor.unit != "rad") {
    table.fail("counts", fmt::format("needs an angle in rad, this sensor measures {} in {}",
                                     to_string(sensor.quantity), sensor.unit));
  }
}

}  // namespace

void read_sensor_errors(const TableReader& table, const SimulateStudy& study,
                        SensorDescription& sensor) {
  signal::SensorOptions& options = sensor.options;
  options.sigma = table.optional_number("sigma");
  options.snr_db = table.optional_number("snr");
  options.bias = table.number("bias");
  options.delay = table.number("delay");
  options.rate_hz = table.optional_number("rate");
  read_converter(table, options);
  read_encoder(table, sensor);
  // The rounding of 1/step must not refuse the very rate of the record.
  if (options.rate_hz && *options.rate_hz > (1.0 + 1e-9) / study.step) {
    table.fail("rate", fmt::format("must be at most the sampling rate, {} Hz, got {}",
                                   shortest(1.0 / study.step), shortest(*options.rate_hz)));
  }
  const double length = static_cast<double>(study.samples) * study.step;
  if (options.delay >= length) {
    table.fail("delay", fmt::format("must be less than the record, {} s, got {}", shortest(length),
                                    shortest(options.delay)));
  }
}

void check_sensor_name(const TableReader& sensors, const std::string& name,
                       const ModelDescription& model) {
  if (!is_name(name)) {
    sensors.fail_at_key(name, fmt::format("{}: a name must begin with a letter and have no blanks, "
                                          "commas, quotes or brackets",
                                          sensors.name(name)));
  }
  if (index_of(model.inputs, name) >= 0) {
    sensors.fail_at_key(name,
                        fmt::format("{}: the model has an input of that name", sensors.name(name)));
  }
}

namespace {

SensorDescription read_sensor(const TableReader& table, const std::string& name,
                              const SimulateStudy& study) {
  SensorDescription sensor;
  sensor.name = name;
  sensor.quantity = quantity_of(table);
  const std::string model_unit = read_place(table, study.model, sensor);
  read_sensor_unit(table, model_unit, sensor);
  read_sensor_errors(table, study, sensor);
  return sensor;
}

std::vector<SensorDescription> read_all(const TableReader& table, const SimulateStudy& study) {
  const Quantity quantity = quantity_of(table);
  if (table.has("at")) {
    table.fail_at_key(
        "at", table.name("at") + ": `all` stands for every coordinate; name the sensor instead");
  }
  if (quantity == Quantity::Force) {
    table.fail("measures", "must be a motion in `all`; name the sensors of forces");
  }
  std::vector<SensorDescription> sensors;
  const auto n = study.model.system.degrees_of_freedom();
  for (Eigen::Index i = 0; i < n; ++i) {
    SensorDescription sensor;
    sensor.name = "y" + std::to_string(i + 1);
    sensor.quantity = quantity;
    sensor.place = study.model.coordinates[static_cast<std::size_t>(i)];
    sensor.weights = Eigen::VectorXd::Unit(n, i);
    read_sensor_unit(table, units_for(quantity, study.model)[static_cast<std::size_t>(i)], sensor);
    read_sensor_errors(table, study, sensor);
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

std::string to_string(Quantity quantity) {
  switch (quantity) {
    case Quantity::Velocity:
      return "velocity";
    case Quantity::Acceleration:
      return "acceleration";
    case Quantity::Force:
      return "force";
    case Quantity::Signal:
      return "signal";
    case Quantity::Displacement:
      break;
  }
  return "displacement";
}

void read_sensors(const TableReader& simulate, SimulateStudy& study,
                  std::vector<Problem>& problems) {
  const TableReader sensors = simulate.table("sensors");
  if (sensors.has("all") || sensors.keys().empty()) {
    attempt(problems, [&] { study.sensors = read_all(sensors.table("all"), study); });
  }
  for (const SensorDescription& sensor : study.sensors) {
    if (index_of(study.model.inputs, sensor.name) < 0) {
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
      check_sensor_name(sensors, name, study.model);
      put(study.sensors, read_sensor(sensors.table(name), name, study));
    });
  }
}

}  // namespace alembert::study
