#include "reproductions/two_link/readings.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "alembert/core/random.hpp"
#include "reproductions/two_link/rig.hpp"

namespace alembert::reproductions::two_link {

Eigen::MatrixXd read_sensors(const Motion& motion, std::uint64_t seed, EncoderError encoders) {
  Eigen::MatrixXd readings = motion.exact;
  const double count = 2.0 * std::numbers::pi / kEncoderCounts;
  for (const int sensor : {ShoulderEncoder, ElbowEncoder}) {
    RandomStream random(seed, static_cast<std::uint64_t>(sensor));
    const double edge = random.uniform();
    for (double& value : readings.col(sensor)) {
      // A reading c stands for the angle (c + 1/2) count.
      value = encoders == EncoderError::Counts
                  ? std::floor(value / count + edge) - edge
                  : value / count - 0.5 + random.normal() / std::sqrt(12.0);
    }
  }
  const std::array<double, 2> sensitivity{kUpperSensitivity, kLowerSensitivity};
  for (const int sensor : {UpperAccelerometer, LowerAccelerometer}) {
    RandomStream random(seed, static_cast<std::uint64_t>(sensor));
    const double step =
        converter_step(sensitivity[static_cast<std::size_t>(sensor - UpperAccelerometer)]);
    for (double& value : readings.col(sensor)) {
      value = step * std::round((value + kAccelerometerNoise * random.normal()) / step);
    }
  }
  return readings;
}

}  // namespace alembert::reproductions::two_link
