#include "study/parts/mechanism/flexible/read_flexible.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "alembert/core/error.hpp"
#include "core/mapped.hpp"
#include "study/parts/mechanism/flexible/flexible_body_keys.hpp"
#include "study/parts/mechanism/read_mechanism.hpp"
#include "study/parts/names.hpp"
#include "study/schema/check_keys.hpp"

namespace alembert::study {
namespace {

using model::flexible::BeamSection;
using model::flexible::FlexibleBody;
using model::flexible::FlexibleDescription;
using model::flexible::FlexibleMechanism;
using model::flexible::FlexibleSensor;

BeamSection read_section(const TableReader& table) {
  const double modulus = table.number("modulus");
  const std::string kind = table.text("kind");
  BeamSection made;
  if (kind == "round") {
    made = model::flexible::round_section(table.number("diameter"), modulus, 1.0);
  } else if (kind == "rectangle") {
    made = model::flexible::rectangular_section(table.number("width"), table.number("height"),
                                                modulus, 1.0);
  } else {
    made = {.area = table.number("area"),
            .second_moment = table.number("second-moment"),
            .modulus = modulus};
  }
  made.density =
      table.has("density") ? table.number("density") : table.number("mass-per-length") / made.area;
  return made;
}

// Two between points, so that the inner ones bend in an antisymmetric way too.
int read_elements(const TableReader& body, std::size_t points) {
  if (body.has("elements")) return static_cast<int>(body.integer("elements"));
  return 2 * std::max(1, static_cast<int>(points) - 1);
}

FlexibleBody read_flexible_body(const TableReader& table, const std::string& name) {
  const TableReader points = table.table("points");
  FlexibleBody body{.name = name,
                    .section = read_section(table.table("section")),
                    .elements = read_elements(table, points.keys().size())};
  const TableReader lumps = table.table("lumps");
  for (const std::string& point : lumps.keys()) {
    const std::vector<std::string> known = points.keys();
    if (index_of(known, point) < 0) {
      lumps.fail_at_key(point, fmt::format("{}: the body has no point \"{}\"{}", lumps.name(point),
                                           point, suggestion(point, known)));
    }
    const TableReader lump = lumps.table(point);
    body.lumps.push_back(
        {.point = point, .mass = lump.number("mass"), .inertia = lump.number("inertia")});
  }
  return body;
}

// Rayleigh damping with the ratios ζ at two frequencies: α/(2ω) + βω/2 = ζ.
void damping_of_ratios(const TableReader& table, FlexibleDescription& made) {
  const std::vector<double> ratios = table.numbers("ratios");
  const std::vector<double> hz = table.numbers("at");
  const double w1 = 2.0 * std::numbers::pi * hz[0];
  const double w2 = 2.0 * std::numbers::pi * hz[1];
  if (!(w2 > w1)) table.fail("at", "must be two ascending frequencies");
  made.stiffness_damping = 2.0 * (ratios[1] * w2 - ratios[0] * w1) / (w2 * w2 - w1 * w1);
  made.mass_damping = 2.0 * ratios[0] * w1 - made.stiffness_damping * w1 * w1;
  if (made.stiffness_damping >= 0.0 && made.mass_damping >= 0.0) return;
  table.fail("ratios",
             fmt::format("need a negative part of {}: ratios of two frequencies can differ by the "
                         "ratio of the frequencies at most, {:.3g}",
                         made.stiffness_damping < 0.0 ? "K" : "M", w2 / w1));
}

void read_damping(const TableReader& mechanism, FlexibleDescription& made) {
  const TableReader table = mechanism.table("damping");
  if (table.has("ratios")) return damping_of_ratios(table, made);
  made.mass_damping = table.optional_number("mass").value_or(0.0);
  made.stiffness_damping = table.optional_number("stiffness").value_or(0.0);
}

void check_rigid_body(const TableReader& table) {
  for (const char* key : {"elements", "lumps"}) {
    if (table.has(key)) {
      table.fail_at_key(key, table.name(key) +
                                 " has no place without section, which makes the body "
                                 "flexible");
    }
  }
}

}  // namespace

std::shared_ptr<const FlexibleMechanism> read_flexible(const TableReader& mechanism,
                                                       const Eigen::VectorXd& start,
                                                       MechanismPlaces& places) {
  FlexibleDescription made;
  made.mechanism = read_mechanism(mechanism, places);
  const TableReader bodies = mechanism.table("bodies");
  for (const std::string& name : bodies.keys()) {
    const TableReader table = bodies.table(name);
    if (!table.has("section")) {
      check_rigid_body(table);
      continue;
    }
    made.bodies.push_back(read_flexible_body(table, name));
    places.add("flexible body", name, bodies.name(name), *bodies.value(name),
               bodies.key_place(name));
  }
  if (mechanism.has("parameters")) {
    mechanism.fail_at_key("parameters", "mechanism.parameters has no place with flexible bodies");
  }
  made.equations = mechanism.text("equations") == "published"
                       ? model::flexible::FlexibleEquations::Published
                       : model::flexible::FlexibleEquations::Complete;
  made.geometric_stiffening = mechanism.boolean("stiffening");
  read_damping(mechanism, made);
  if (start.size() != static_cast<Eigen::Index>(made.mechanism.coordinates.size())) {
    mechanism.fail("coordinates",
                   fmt::format("are {}, but simulate.start.coordinates has {} numbers",
                               made.mechanism.coordinates.size(), start.size()));
  }
  try {
    return std::make_shared<const FlexibleMechanism>(std::move(made), start);
  } catch (const InvalidInput& error) {
    throw places.placed(mechanism, error);
  }
}

std::shared_ptr<const model::flexible::FlexibleSensors> read_flexible_sensors(
    const TableReader& data, const TableReader& mechanism, const FlexibleMechanism& built,
    MechanismPlaces& places) {
  const TableReader sensors = data.table("sensors");
  check_names(data, "sensors", sensors.keys());
  std::vector<FlexibleSensor> list;
  for (const std::string& name : sensors.keys()) {
    const TableReader table = sensors.table(name);
    FlexibleSensor sensor{.name = name};
    flexible_sensor_keys().read(table, sensor);
    flexible_sensor_keys().refuse_unused(table, sensor);
    list.push_back(sensor);
    places.add("sensor", name, sensors.name(name), *sensors.value(name), sensors.key_place(name));
  }
  try {
    return std::make_shared<const model::flexible::FlexibleSensors>(built, std::move(list));
  } catch (const InvalidInput& error) {
    throw places.placed(mechanism, error);
  }
}

void refuse_flexible(const TableReader& mechanism) {
  const auto refuse = [](const TableReader& table, const char* key) {
    if (!table.has(key)) return;
    table.fail_at_key(key,
                      table.name(key) + " is for flexible bodies, which [simulate] alone takes");
  };
  const TableReader bodies = mechanism.table("bodies");
  for (const std::string& name : bodies.keys()) {
    for (const char* key : {"section", "elements", "lumps"}) refuse(bodies.table(name), key);
  }
  for (const char* key : {"equations", "stiffening", "damping"}) refuse(mechanism, key);
}

}  // namespace alembert::study
