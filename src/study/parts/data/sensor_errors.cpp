#include "study/parts/data/sensor_errors.hpp"

#include <fmt/format.h>

#include "alembert/core/text.hpp"
#include "study/parts/data/tables_sensors.hpp"
#include "study/parts/names.hpp"
#include "study/parts/unit_conversion.hpp"

namespace alembert::study {

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
  if (!options.bits) return;
  const std::vector<double> range = table.numbers("range");
  if (range[0] >= range[1]) {
    table.fail("range", "must give the lower limit first");
  }
  options.range_lower = range[0];
  options.range_upper = range[1];
}

void check_encoder(const TableReader& table, const SensorDescription& sensor) {
  if (!sensor.options.counts_per_turn) {
    return;
  }
  const bool may_turn =
      sensor.quantity == Quantity::Displacement || sensor.quantity == Quantity::Signal;
  if (!may_turn || sensor.unit != "rad") {
    table.fail("counts", fmt::format("needs an angle in rad, this sensor measures {} in {}",
                                     name_of(sensor.quantity), sensor.unit));
  }
}

}  // namespace

void read_sensor_errors(const TableReader& table, const SampleGrid& grid,
                        SensorDescription& sensor) {
  signal::SensorOptions& options = sensor.options;
  options = sensor_error_keys().read(table);
  read_converter(table, options);
  check_encoder(table, sensor);
  // The rounding of 1/step must not refuse the very rate of the record.
  if (options.rate_hz && *options.rate_hz > (1.0 + 1e-9) / grid.step) {
    table.fail("rate", fmt::format("must be at most the sampling rate, {} Hz, got {}",
                                   shortest(1.0 / grid.step), shortest(*options.rate_hz)));
  }
  const double length = static_cast<double>(grid.samples) * grid.step;
  if (options.delay >= length) {
    table.fail("delay", fmt::format("must be less than the record, {} s, got {}", shortest(length),
                                    shortest(options.delay)));
  }
}

void check_sensor_name(const TableReader& sensors, const std::string& name,
                       const std::vector<std::string>& inputs) {
  if (!is_name(name)) {
    sensors.fail_at_key(name, fmt::format("{}: a name must begin with a letter and have no blanks, "
                                          "commas, quotes or brackets",
                                          sensors.name(name)));
  }
  if (index_of(inputs, name) >= 0) {
    sensors.fail_at_key(name,
                        fmt::format("{}: the model has an input of that name", sensors.name(name)));
  }
}

}  // namespace alembert::study
