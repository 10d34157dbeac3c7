#include "study/parts/data/tables_sensors.hpp"

#include "study/schema/shared_keys.hpp"

namespace alembert::study {
namespace {

const TableSpec& place_table() {
  static const KeySpec weight{
      .name = "NAME", .forms = kNumber, .help = "weight of the coordinate (or input) NAME"};
  static const TableSpec table{
      .path = "simulate.sensors.NAME.at",
      .help = "A combination, for example { q1 = 1.0, q2 = -1.0 } for relative motion.",
      .any_name = &weight};
  return table;
}

}  // namespace

BoundKeys<SensorDescription> sensor_place_keys() {
  return BoundKeys<SensorDescription>()
      .key("measures", &SensorDescription::quantity,
           {.help = "what the sensor sees",
            .choices = {"displacement", "velocity", "acceleration", "force"}})
      .other({.name = "at",
              .forms = kText | kTable,
              .help = "coordinate (input, for a force), or a combination",
              .fallback_note = "in `all` every coordinate; elsewhere required",
              .table = &place_table()})
      .other({.name = "unit",
              .forms = kText,
              .help = "of the record, sigma, bias and range",
              .fallback_note = "that of the model"});
}

const BoundKeys<signal::SensorOptions>& sensor_error_keys() {
  using signal::SensorOptions;
  static const auto keys =
      BoundKeys<SensorOptions>()
          .key("sigma", &SensorOptions::sigma,
               {.help = "standard deviation of white noise",
                .unit = "sensor",
                .range = at_least(0.0),
                .fallback_note = "no noise"})
          .key("snr", &SensorOptions::snr_db,
               {.help = "instead of sigma: signal-to-noise ratio of this record",
                .unit = "dB",
                .range = within(-200.0, 400.0)})
          .key("bias", &SensorOptions::bias, {.help = "constant error, added", .unit = "sensor"})
          .key("bits", &SensorOptions::bits,
               {.help = "resolution of the converter, with range", .range = within(1.0, 32.0)})
          .other({.name = "range",
                  .forms = kNumbers,
                  .help = "lowest and highest value of the converter; it clips",
                  .unit = "sensor",
                  .size = 2})
          .key("counts", &SensorOptions::counts_per_turn,
               {.help = "encoder: counts in a turn, for an angle in rad", .range = above(0.0)})
          .key("rate", &SensorOptions::rate_hz,
               {.help = "own sampling rate, at most 1/step",
                .unit = "Hz",
                .range = above(0.0),
                .fallback_note = "every sample"})
          .key("delay", &SensorOptions::delay,
               {.help = "y(t) = x(t - delay)", .unit = "s", .range = at_least(0.0)});
  return keys;
}

std::vector<KeyRule> sensor_error_rules() {
  return {{.kind = KeyRule::Kind::AtMostOne, .keys = {"sigma", "snr"}},
          {.kind = KeyRule::Kind::AtMostOne, .keys = {"bits", "counts"}},
          {.kind = KeyRule::Kind::Needs, .keys = {"bits", "range"}},
          {.kind = KeyRule::Kind::Needs, .keys = {"range", "bits"}}};
}

const TableSpec& sensor_table() {
  static const TableSpec table{
      .path = "simulate.sensors.NAME",
      .help =
          "One sensor. Its errors act in this order: delay, own rate, bias, noise, "
          "quantisation.",
      .keys = joined(sensor_place_keys().specs(), sensor_error_keys().specs()),
      .rules = sensor_error_rules()};
  return table;
}

}  // namespace alembert::study
