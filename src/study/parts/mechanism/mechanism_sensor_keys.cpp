#include "study/parts/mechanism/mechanism_sensor_keys.hpp"

#include <string>
#include <vector>

#include "core/mapped.hpp"

namespace alembert::study {
namespace {

using model::planar::Sensor;
using model::planar::SensorKind;

using SensorKeys = BoundKeys<Sensor>;

bool reads_a_point(const Sensor& sensor) {
  switch (sensor.kind) {
    case SensorKind::Displacement:
    case SensorKind::Velocity:
    case SensorKind::Acceleration:
      return true;
    case SensorKind::Angle:
    case SensorKind::AngularRate:
    case SensorKind::Inclination:
    case SensorKind::Length:
    case SensorKind::LengthRate:
    case SensorKind::Force:
    case SensorKind::Torque:
      break;
  }
  return false;
}

std::vector<std::string> names_of(const std::vector<SensorKind>& kinds) {
  return mapped(kinds, [](SensorKind kind) { return std::string(name_of(kind)); });
}

bool reads_no_point(const Sensor& sensor) { return !reads_a_point(sensor); }

void add_quantity_keys(SensorKeys& keys) {
  keys.key("kind", &Sensor::kind, {.help = "what it reads", .required = true})
      .key("of", &Sensor::of,
           {.help = "body (angle, angular-rate, inclination), cylinder (length, length-rate) or "
                    "force of [mechanism.forces] (force, torque)"})
      .used_when(reads_no_point, "has no place with kind = \"{kind}\", which needs \"at\"")
      .key("at", &Sensor::of, {.help = "body.point (displacement, velocity, acceleration)"})
      .used_when(reads_a_point, "has no place with kind = \"{kind}\", which needs \"of\"")
      .key("relative-to", &Sensor::relative_to,
           {.help = "the other body (angle, angular-rate) or point (displacement, velocity)"})
      .used_when("kind", names_of({SensorKind::Angle, SensorKind::AngularRate,
                                   SensorKind::Displacement, SensorKind::Velocity}))
      .key("axis", &Sensor::axis,
           {.help = "direction: on the body for acceleration and inclination, on relative-to for "
                    "displacement and velocity",
            .size = 2,
            .fallback_note = "[1, 0]"})
      .used_when("kind", names_of({SensorKind::Inclination, SensorKind::Displacement,
                                   SensorKind::Velocity, SensorKind::Acceleration}));
}

void add_reading_keys(SensorKeys& keys) {
  keys.other({.name = "sigma",  // no default: a sensor without counts needs it
              .forms = kNumber,
              .help = "standard deviation of the noise",
              .unit = "rad, m, s",
              .range = at_least(0.0)})
      .key("wrap", &Sensor::wrap,
           {.help = "the reading starts again after one turn (angle, inclination)"})
      .used_when("kind", names_of({SensorKind::Angle, SensorKind::Inclination}))
      .key("counts", &Sensor::counts,
           {.help = "encoder that gives counts: so many a turn (angle)", .range = above(0.0)})
      .used_when("kind", names_of({SensorKind::Angle}))
      .key("offset", &Sensor::offset, {.help = "known offset of the reading", .unit = "rad, m, s"})
      .other({.name = "delay",  // of the column, not of the sensor
              .forms = kNumber,
              .help = "a reading is stamped so long after its instant",
              .unit = "s",
              .fallback = "0.0"})
      .key("gravity", &Sensor::gravity, {.help = "the reading holds gravity (acceleration)"})
      .used_when("kind", names_of({SensorKind::Acceleration}));
}

}  // namespace

const SensorKeys& mechanism_sensor_keys() {
  static const SensorKeys keys = [] {
    SensorKeys list;
    add_quantity_keys(list);
    add_reading_keys(list);
    return list;
  }();
  return keys;
}

}  // namespace alembert::study
