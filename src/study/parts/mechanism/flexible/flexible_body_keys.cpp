#include "study/parts/mechanism/flexible/flexible_body_keys.hpp"

#include <algorithm>

#include "core/mapped.hpp"
#include "study/schema/shared_keys.hpp"

namespace alembert::study {
namespace {

using model::flexible::FlexibleSensor;
using Kind = model::flexible::FlexibleSensorKind;

KeySpec positive_key(const std::string& name, const std::string& help, const std::string& unit,
                     bool required = true) {
  return {.name = name,
          .forms = kNumber,
          .help = help,
          .unit = unit,
          .range = above(0.0),
          .required = required};
}

const TableSpec& section_table() {
  static const TableSpec table{
      .path = "mechanism.bodies.NAME.section",
      .help =
          "What a flexible body is made of: a straight beam along the x axis of its frame, from "
          "its "
          "first point to its last.",
      .keys = {{.name = "kind",
                .forms = kText,
                .help = "shape of the section",
                .choices = {"round", "rectangle", "general"},
                .required = true},
               positive_key("modulus", "Young's modulus", "N/m^2"),
               positive_key("density", "density", "kg/m^3", false),
               positive_key("mass-per-length", "in place of density", "kg/m", false)},
      .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"density", "mass-per-length"}}},
      .tag = "kind",
      .variants = {{"round", "a solid rod", {positive_key("diameter", "diameter", "m")}},
                   {"rectangle",
                    "a flat bar",
                    {positive_key("width", "across the plane of motion", "m"),
                     positive_key("height", "in the plane of motion", "m")}},
                   {"general",
                    "any section",
                    {positive_key("area", "area A", "m^2"),
                     positive_key("second-moment",
                                  "second moment I about the axis normal to the plane", "m^4")}}}};
  return table;
}

const TableSpec& lump_table() {
  static const TableSpec table{.path = "mechanism.bodies.NAME.lumps.POINT",
                               .help = "A motor, a housing or a tool at a point of the body.",
                               .keys = {{.name = "mass",
                                         .forms = kNumber,
                                         .help = "mass",
                                         .unit = "kg",
                                         .range = at_least(0.0),
                                         .fallback = "0.0"},
                                        {.name = "inertia",
                                         .forms = kNumber,
                                         .help = "moment of inertia about the point",
                                         .unit = "kg m^2",
                                         .range = at_least(0.0),
                                         .fallback = "0.0"}}};
  return table;
}

const TableSpec& lumps_table() {
  static const KeySpec any{
      .name = "POINT", .forms = kTable, .help = "a point of the body", .table = &lump_table()};
  static const TableSpec table{.path = "mechanism.bodies.NAME.lumps",
                               .help = "Masses and inertias at points of a flexible body.",
                               .any_name = &any};
  return table;
}

const TableSpec& damping_table() {
  static const TableSpec table{
      .path = "mechanism.damping",
      .help =
          "Damping of flexible bodies, C = mass M + stiffness K. A mode at w rad/s has the ratio "
          "mass/(2 w) + stiffness w/2. Or the ratios at two frequencies.",
      .keys = {{.name = "mass",
                .forms = kNumber,
                .help = "part of the mass matrix",
                .unit = "1/s",
                .range = at_least(0.0)},
               {.name = "stiffness",
                .forms = kNumber,
                .help = "part of the stiffness matrix",
                .unit = "s",
                .range = at_least(0.0)},
               {.name = "ratios",
                .forms = kNumbers,
                .help = "damping ratios at two frequencies",
                .range = within(0.0, 0.99),
                .size = 2},
               {.name = "at",
                .forms = kNumbers,
                .help = "the two frequencies",
                .unit = "Hz",
                .range = above(0.0),
                .size = 2}},
      .rules = {{.kind = KeyRule::Kind::AtMostOne, .keys = {"mass", "ratios"}},
                {.kind = KeyRule::Kind::AtMostOne, .keys = {"stiffness", "ratios"}},
                {.kind = KeyRule::Kind::Needs, .keys = {"ratios", "at"}},
                {.kind = KeyRule::Kind::Needs, .keys = {"at", "ratios"}}}};
  return table;
}

bool reads_at_a_point(const FlexibleSensor& sensor) {
  return sensor.kind == Kind::Displacement || sensor.kind == Kind::Velocity ||
         sensor.kind == Kind::Acceleration;
}
bool reads_elsewhere(const FlexibleSensor& sensor) { return !reads_at_a_point(sensor); }

std::vector<std::string> kind_names(const std::vector<Kind>& kinds) {
  return mapped(kinds, [](Kind kind) { return std::string(name_of(kind)); });
}

BoundKeys<FlexibleSensor> made_sensor_keys() {
  BoundKeys<FlexibleSensor> keys;
  keys.key("kind", &FlexibleSensor::kind, {.help = "what it reads", .required = true})
      .key("of", &FlexibleSensor::of,
           {.help = "body or body.point (angle, angular-rate), flexible body (curvature, strain), "
                    "force of [mechanism.forces] (force, torque)"})
      .used_when(reads_elsewhere, "has no place with kind = \"{kind}\", which needs \"at\"")
      .key("at", &FlexibleSensor::of, {.help = "body.point (displacement, velocity, acceleration)"})
      .used_when(reads_at_a_point, "has no place with kind = \"{kind}\", which needs \"of\"")
      .key("relative-to", &FlexibleSensor::relative_to,
           {.help = "the other body or point, which carries the axis"})
      .used_when("kind",
                 kind_names({Kind::Angle, Kind::AngularRate, Kind::Displacement, Kind::Velocity}))
      .key("axis", &FlexibleSensor::axis,
           {.help = "direction: on the body for acceleration, on relative-to for displacement and "
                    "velocity",
            .size = 2,
            .fallback_note = "[1, 0]"})
      .used_when("kind", kind_names({Kind::Displacement, Kind::Velocity, Kind::Acceleration}))
      .key("along", &FlexibleSensor::along,
           {.help = "place along the x axis of the body (curvature, strain)", .unit = "m"})
      .used_when("kind", kind_names({Kind::Curvature, Kind::Strain}))
      .key("distance", &FlexibleSensor::distance,
           {.help = "of the gauge from the middle of the section, towards +y of the body (strain)",
            .unit = "m"})
      .used_when("kind", kind_names({Kind::Strain}))
      .key("gravity", &FlexibleSensor::gravity,
           {.help = "the reading holds gravity (acceleration)"})
      .used_when("kind", kind_names({Kind::Acceleration}))
      .key("sigma", &FlexibleSensor::sigma,
           {.help = "standard deviation of the noise", .unit = "rad, m, s", .range = at_least(0.0)})
      .key("offset", &FlexibleSensor::offset,
           {.help = "known offset of the reading", .unit = "rad, m, s"})
      .other({.name = "delay",
              .forms = kNumber,
              .help = "a reading is stamped so long after its instant",
              .unit = "s",
              .fallback = "0.0"})
      .other({.name = "column",
              .forms = kText,
              .help = "column of the record that [simulate] writes",
              .fallback_note = "the name of the sensor"});
  return keys;
}

const TableSpec& flexible_sensor_table() {
  static const TableSpec table{
      .path = "data.sensors.NAME",
      .help = "A sensor on the mechanism: reading = quantity + offset + noise.",
      .keys = flexible_sensor_keys().specs(),
      .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"of", "at"}}},
      .model = kForFlexible};
  return table;
}

const TableSpec& flexible_sensors_table() {
  static const KeySpec any{.name = "NAME",
                           .forms = kTable,
                           .help = "the sensor NAME",
                           .table = &flexible_sensor_table()};
  static const TableSpec table{.path = "data.sensors",
                               .help = "Encoders, gauges, accelerometers, positions.",
                               .any_name = &any,
                               .model = kForFlexible};
  return table;
}

}  // namespace

std::vector<KeySpec> flexible_body_keys() {
  return {{.name = "section",
           .forms = kTable,
           .help = "the body is flexible and made of this; it takes its mass from here",
           .fallback_note = "rigid",
           .table = &section_table()},
          {.name = "elements",
           .forms = kInteger,
           .help = "beam elements along a flexible body; every point is a node",
           .range = within(1.0, 200.0),
           .fallback_note = "two between points"},
          {.name = "lumps",
           .forms = kTable,
           .help = "masses and inertias at points of a flexible body",
           .fallback_note = "none",
           .table = &lumps_table()}};
}

std::vector<KeySpec> flexible_mechanism_keys() {
  return {{.name = "equations",
           .forms = kText,
           .help = "terms that are kept with flexible bodies: published leaves out small ones",
           .choices = {"published", "complete"},
           .fallback = "\"complete\""},
          {.name = "stiffening",
           .forms = kBoolean,
           .help = "tension stiffens flexible bodies, as in fast rotation",
           .fallback = "false"},
          {.name = "damping",
           .forms = kTable,
           .help = "damping of flexible bodies",
           .fallback_note = "none",
           .table = &damping_table()}};
}

const BoundKeys<FlexibleSensor>& flexible_sensor_keys() {
  static const BoundKeys<FlexibleSensor> keys = made_sensor_keys();
  return keys;
}

const TableSpec& flexible_data_table() {
  static const TableSpec table{.path = "data",
                               .help = "The sensors of a mechanism with flexible bodies.",
                               .keys = {{.name = "sensors",
                                         .forms = kTable,
                                         .help = "what is measured",
                                         .required = true,
                                         .table = &flexible_sensors_table()}},
                               .model = kForFlexible};
  return table;
}

bool has_flexible_bodies(const Value& root) {
  const Entry* mechanism = root.find("mechanism");
  const Entry* bodies = mechanism == nullptr ? nullptr : mechanism->value.find("bodies");
  const Table* each = bodies == nullptr ? nullptr : bodies->value.table();
  return each != nullptr && std::any_of(each->begin(), each->end(), [](const Entry& body) {
           return body.value.table() != nullptr && body.value.find("section") != nullptr;
         });
}

}  // namespace alembert::study
