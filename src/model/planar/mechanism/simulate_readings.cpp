#include "alembert/model/planar/simulate_readings.hpp"

#include <numbers>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"

namespace alembert::model::planar {

RecordedSensor recorded_sensor(const Sensor& sensor, const signal::SensorOptions& errors) {
  if (sensor.counts && errors.bits) {
    throw InvalidInput({.function = "recorded_sensor",
                        .item = "sensor '" + sensor.name + "'",
                        .argument = "bits",
                        .rule = "has no place with counts"});
  }
  constexpr double kWholeTurn = 2.0 * std::numbers::pi;
  RecordedSensor record{.factor = sensor.counts ? *sensor.counts / kWholeTurn : 1.0,
                        .unit = sensor.counts ? "count" : sensor_unit(sensor.kind),
                        .options = errors};
  signal::SensorOptions& options = record.options;
  if (!options.sigma && !options.snr_db) options.sigma = sensor.sigma;
  if (options.sigma) *options.sigma *= record.factor;
  options.bias = record.factor * (options.bias + sensor.offset);
  options.whole_counts = sensor.counts.has_value();
  if (sensor.wrap) options.turn = sensor.counts.value_or(kWholeTurn);
  options.empty_before = true;
  return record;
}

Eigen::MatrixXd simulate_readings(const Mechanism& mechanism,
                                  const Eigen::Ref<const Eigen::MatrixXd>& readings, double step,
                                  const RandomStream& random,
                                  const std::vector<signal::SensorOptions>& errors) {
  const char* name = "simulate_readings";
  const std::vector<Sensor>& sensors = mechanism.description().sensors;
  check::size(name, "columns of readings", readings.cols(), mechanism.sensors());
  if (!errors.empty()) {
    check::size(name, "errors", static_cast<long long>(errors.size()), mechanism.sensors());
  }
  Eigen::MatrixXd records(readings.rows(), readings.cols());
  for (std::size_t s = 0; s < sensors.size(); ++s) {
    const RecordedSensor record =
        recorded_sensor(sensors[s], errors.empty() ? signal::SensorOptions{} : errors[s]);
    RandomStream stream = random.child(s);
    const auto column = static_cast<Eigen::Index>(s);
    const Eigen::VectorXd exact = record.factor * readings.col(column);
    records.col(column) = signal::simulate_sensor(exact, step, record.options, stream).values;
  }
  return records;
}

}  // namespace alembert::model::planar
