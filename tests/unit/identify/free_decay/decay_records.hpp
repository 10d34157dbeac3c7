#pragma once

#include <Eigen/Core>
#include <cmath>
#include <numbers>

#include "alembert/core/random.hpp"

namespace alembert::test {

/// x = A exp(-ζ ω t) cos(ω √(1-ζ²) t + φ) with ω = 2π f.
struct Decay {
  double amplitude = 1.0;
  double frequency_hz = 1.0;
  double ratio = 0.01;
  double phase = 0.3;

  [[nodiscard]] double omega() const { return 2.0 * std::numbers::pi * frequency_hz; }
  [[nodiscard]] double damped() const { return omega() * std::sqrt(1.0 - ratio * ratio); }
  [[nodiscard]] double period() const { return 2.0 * std::numbers::pi / damped(); }
  [[nodiscard]] double decrement() const {
    return 2.0 * std::numbers::pi * ratio / std::sqrt(1.0 - ratio * ratio);
  }
  [[nodiscard]] double at(double t) const {
    return amplitude * std::exp(-ratio * omega() * t) * std::cos(damped() * t + phase);
  }
  [[nodiscard]] Eigen::VectorXd samples(Eigen::Index count, double step) const {
    Eigen::VectorXd values(count);
    for (Eigen::Index k = 0; k < count; ++k) values(k) = at(step * static_cast<double>(k));
    return values;
  }
};

inline Eigen::VectorXd noisy(const Eigen::VectorXd& values, double sigma, std::uint64_t seed) {
  RandomStream random(seed);
  return values + sigma * random.normal_vector(values.size());
}

}  // namespace alembert::test
