#include "identify/modes/projection/pole_deviation.hpp"

#include <cmath>
#include <numbers>

namespace alembert::identify::modes {

PoleDeviation pole_deviation(std::complex<double> pole, const Eigen::Matrix2d& covariance) {
  const double a = pole.real();
  const double b = pole.imag();
  const double n = std::abs(pole);
  const Eigen::Vector2d of_frequency = Eigen::Vector2d(a, b) / (2.0 * std::numbers::pi * n);
  const Eigen::Vector2d of_damping = Eigen::Vector2d(-b * b, a * b) / (n * n * n);
  return {.frequency_hz = std::sqrt(of_frequency.dot(covariance * of_frequency)),
          .damping_ratio = std::sqrt(of_damping.dot(covariance * of_damping))};
}

}  // namespace alembert::identify::modes
