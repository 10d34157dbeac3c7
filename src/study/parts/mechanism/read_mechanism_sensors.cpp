#include "study/parts/mechanism/read_mechanism_sensors.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "study/parts/mechanism/read_mechanism.hpp"
#include "study/parts/names.hpp"

namespace alembert::study {
namespace {

using model::planar::Sensor;
using model::planar::SensorKind;

/// What a kind of sensor takes of the keys that not all do.
struct SensorForm {
  std::string name;
  SensorKind kind;
  bool at;  ///< placed at a point; else of a body or cylinder
  std::vector<std::string> takes;
};

const std::vector<SensorForm>& sensor_forms() {
  static const std::vector<SensorForm> forms = {
      {"angle", SensorKind::Angle, false, {"relative-to", "wrap", "counts"}},
      {"angular-rate", SensorKind::AngularRate, false, {"relative-to"}},
      {"inclination", SensorKind::Inclination, false, {"axis", "wrap"}},
      {"displacement", SensorKind::Displacement, true, {"relative-to", "axis"}},
      {"velocity", SensorKind::Velocity, true, {"relative-to", "axis"}},
      {"acceleration", SensorKind::Acceleration, true, {"axis", "gravity"}},
      {"length", SensorKind::Length, false, {}},
      {"length-rate", SensorKind::LengthRate, false, {}}};
  return forms;
}

const SensorForm& form_of_sensor(const TableReader& table) {
  const std::string kind = table.text("kind");
  std::size_t at = 0;
  while (sensor_forms()[at].name != kind) ++at;  // the key allows no other
  return sensor_forms()[at];
}

void check_sensor_keys(const TableReader& table, const SensorForm& form) {
  const std::string wrong = form.at ? "of" : "at";
  if (table.has(wrong)) {
    table.fail_at_key(wrong, fmt::format("{} has no place with kind = \"{}\", which needs \"{}\"",
                                         table.name(wrong), form.name, form.at ? "at" : "of"));
  }
  for (const char* key : {"relative-to", "axis", "wrap", "counts", "gravity"}) {
    const bool taken = std::count(form.takes.begin(), form.takes.end(), key) > 0;
    if (table.has(key) && !taken) {
      table.fail_at_key(
          key, fmt::format("{} has no place with kind = \"{}\"", table.name(key), form.name));
    }
  }
}

Sensor read_mechanism_sensor(const TableReader& table, const std::string& name) {
  const SensorForm& form = form_of_sensor(table);
  check_sensor_keys(table, form);
  Sensor sensor{.name = name, .kind = form.kind};
  sensor.of = table.text(form.at ? "at" : "of");
  sensor.relative_to = table.text("relative-to");
  if (table.has("axis")) sensor.axis = table.vector("axis");
  sensor.gravity = table.boolean("gravity");
  sensor.offset = table.number("offset");
  sensor.wrap = table.boolean("wrap");
  sensor.counts = table.optional_number("counts");
  sensor.sigma = table.optional_number("sigma").value_or(0.0);
  if (sensor.sigma == 0.0 && !sensor.counts) {
    table.fail("sigma", "must be above 0 without counts, got 0");
  }
  return sensor;
}

}  // namespace

void read_mechanism_sensors(const TableReader& data,
                            model::planar::MechanismDescription& description,
                            MechanismPlaces& places) {
  const TableReader sensors = data.table("sensors");
  check_names(data, "sensors", sensors.keys());
  for (const std::string& name : sensors.keys()) {
    description.sensors.push_back(read_mechanism_sensor(sensors.table(name), name));
    places.add("sensor", name, sensors.name(name), *sensors.value(name), sensors.key_place(name));
  }
}

std::shared_ptr<const model::planar::Mechanism> read_mechanism_with_sensors(
    const TableReader& root, MechanismPlaces& places) {
  const TableReader mechanism = root.table("mechanism");
  model::planar::MechanismDescription description = read_mechanism(mechanism, places);
  read_mechanism_sensors(root.table("data"), description, places);
  try {
    return std::make_shared<const model::planar::Mechanism>(std::move(description));
  } catch (const InvalidInput& error) {
    throw places.placed(mechanism, error);
  }
}

void check_assembly(const TableReader& mechanism, const MechanismPlaces& places,
                    const model::planar::Mechanism& built, const Eigen::VectorXd& z,
                    const Eigen::VectorXd& p, std::vector<Problem>& problems) {
  model::planar::MechanismState state = built.make_state();
  state.p = p;
  const model::planar::Assembly assembly = built.assemble(z, state);
  if (assembly.ok()) return;
  for (const model::planar::Finding& finding : assembly.findings) {
    problems.push_back(places.placed(mechanism, finding));
  }
  if (assembly.findings.empty()) {
    problems.push_back({mechanism.place(""), "mechanism: " + assembly.message});
  }
}

}  // namespace alembert::study
