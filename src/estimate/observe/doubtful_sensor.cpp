#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/estimate/start_from_readings.hpp"

namespace alembert::estimate {
namespace {

using Eigen::Index;

// Counts that were written as angles with few digits are whole only nearly.
constexpr double kNearlyWhole = 0.05;
constexpr double kMostFractions = 0.1;  // of the readings
constexpr Index kFewestToDoubt = 20;
constexpr double kWidthToDoubt = 4.0;  // five different values at least
// Rounding to whole numbers alone has a standard deviation of 1/√12 = 0.29.
constexpr double kSigmaOfRounding = 0.25;

/// How far the readings of a sensor are from whole numbers.
struct Wholeness {
  Index readings = 0;
  Index fractions = 0;
  double example = 0.0;  // a fraction
  double largest = 0.0;  // distance from a whole number
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -std::numeric_limits<double>::infinity();
};

Wholeness wholeness_of(const Eigen::Ref<const Eigen::VectorXd>& column) {
  Wholeness found;
  for (const double reading : column) {
    if (!std::isfinite(reading)) continue;
    ++found.readings;
    const double apart = std::abs(reading - std::round(reading));
    found.largest = std::max(found.largest, apart);
    found.lowest = std::min(found.lowest, reading);
    found.highest = std::max(found.highest, reading);
    if (apart <= kNearlyWhole) continue;
    if (found.fractions++ == 0) found.example = reading;
  }
  return found;
}

}  // namespace

DoubtfulSensor doubtful_sensor(const model::planar::Mechanism& mechanism,
                               const Eigen::Ref<const Eigen::MatrixXd>& readings) {
  for (int s = 0; s < mechanism.sensors(); ++s) {
    const auto& sensor = mechanism.description().sensors[static_cast<std::size_t>(s)];
    const Wholeness found = wholeness_of(readings.col(s));
    if (found.readings < kFewestToDoubt) continue;
    const bool fractions =
        static_cast<double>(found.fractions) > kMostFractions * static_cast<double>(found.readings);
    if (sensor.counts && fractions) {
      return {s, "must be whole numbers with `counts`; a column in rad or deg needs its unit",
              fmt::format("{:.6g}", found.example)};
    }
    const bool whole = found.largest == 0.0 && found.highest - found.lowest >= kWidthToDoubt;
    if (!sensor.counts && mechanism.sensor_order(s) == 0 && whole &&
        sensor.sigma < kSigmaOfRounding) {
      return {
          s,
          fmt::format("must have fractions of a {} with a sigma of {:.3g}; an encoder that "
                      "counts needs `counts`, another unit is to be named",
                      model::planar::sensor_unit(sensor.kind), sensor.sigma),
          fmt::format("whole numbers only, from {:.6g} to {:.6g}", found.lowest, found.highest)};
    }
  }
  return {};
}

}  // namespace alembert::estimate
