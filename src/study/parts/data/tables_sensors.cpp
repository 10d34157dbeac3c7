#include "study/schema/tables.hpp"

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

std::vector<KeySpec> place_keys() {
  return {{.name = "measures",
           .forms = kText,
           .help = "what the sensor sees",
           .choices = {"displacement", "velocity", "acceleration", "force"},
           .fallback = "\"displacement\""},
          {.name = "at",
           .forms = kText | kTable,
           .help = "coordinate (input, for a force), or a combination",
           .fallback_note = "in `all` every coordinate; elsewhere required",
           .table = &place_table()},
          {.name = "unit",
           .forms = kText,
           .help = "of the record, sigma, bias and range",
           .fallback_note = "that of the model"}};
}

std::vector<KeySpec> sensor_keys() {
  std::vector<KeySpec> keys = place_keys();
  const std::vector<KeySpec> errors = sensor_error_keys();
  keys.insert(keys.end(), errors.begin(), errors.end());
  return keys;
}

}  // namespace

std::vector<KeySpec> sensor_error_keys() {
  return {{.name = "sigma",
           .forms = kNumber,
           .help = "standard deviation of white noise",
           .unit = "sensor",
           .range = at_least(0.0),
           .fallback_note = "no noise"},
          {.name = "snr",
           .forms = kNumber,
           .help = "instead of sigma: signal-to-noise ratio of this record",
           .unit = "dB",
           .range = within(-200.0, 400.0)},
          {.name = "bias",
           .forms = kNumber,
           .help = "constant error, added",
           .unit = "sensor",
           .fallback = "0.0"},
          {.name = "bits",
           .forms = kInteger,
           .help = "resolution of the converter, with range",
           .range = within(1.0, 32.0)},
          {.name = "range",
           .forms = kNumbers,
           .help = "lowest and highest value of the converter; it clips",
           .unit = "sensor",
           .size = 2},
          {.name = "counts",
           .forms = kNumber,
           .help = "encoder: counts in a turn, for an angle in rad",
           .range = above(0.0)},
          {.name = "rate",
           .forms = kNumber,
           .help = "own sampling rate, at most 1/step",
           .unit = "Hz",
           .range = above(0.0),
           .fallback_note = "every sample"},
          {.name = "delay",
           .forms = kNumber,
           .help = "y(t) = x(t - delay)",
           .unit = "s",
           .range = at_least(0.0),
           .fallback = "0.0"}};
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
      .keys = sensor_keys(),
      .rules = sensor_error_rules()};
  return table;
}

}  // namespace alembert::study
