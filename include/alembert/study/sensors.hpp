#pragma once

#include <Eigen/Core>
#include <array>
#include <string>

#include "alembert/core/enum_names.hpp"
#include "alembert/signal/sensor.hpp"

/// Simulated sensors.
namespace alembert::study {

/// What a simulated sensor observes.
enum class Quantity {
  Displacement,
  Velocity,
  Acceleration,
  Force,
  Signal  ///< a state or definition of equations; what a sensor of a mechanism reads
};
constexpr auto enum_names(Quantity) {
  return std::to_array<EnumName<Quantity>>({{Quantity::Displacement, "displacement"},
                                            {Quantity::Velocity, "velocity"},
                                            {Quantity::Acceleration, "acceleration"},
                                            {Quantity::Force, "force"},
                                            {Quantity::Signal, "signal"}});
}

/// One simulated sensor: factor · Σ weights(i) x(i), then delay, sampling, noise, quantisation.
struct SensorDescription {
  std::string name;
  std::string column = {};  ///< of the record; "" for that of its name
  Quantity quantity = Quantity::Displacement;
  std::string place;        ///< where, in words: "q1", "q1 - q2"
  Eigen::VectorXd weights;  ///< of the coordinates, inputs (Force) or signals (Signal)
  std::string unit;         ///< of the record, sigma, bias and range
  double factor = 1.0;      ///< from the model's unit to the sensor's
  signal::SensorOptions options;
};

}  // namespace alembert::study
