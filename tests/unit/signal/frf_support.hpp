#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>

#include "alembert/core/random.hpp"
#include "alembert/signal/excitation.hpp"
#include "alembert/signal/frf.hpp"

// What the tests of frequency responses share.
namespace alembert::signal::frf_test {

using Complex = std::complex<double>;

constexpr double kPi = std::numbers::pi;
constexpr double kStep = 0.01;

// One degree of freedom, discretised: y(k) = a1 y(k-1) + a2 y(k-2) + b0 u(k) + b1 u(k-1).
struct Filter {
  double a1 = 0.0, a2 = 0.0, b0 = 1.0, b1 = 0.0;

  Eigen::VectorXd operator()(const Eigen::VectorXd& u) const {
    Eigen::VectorXd y = Eigen::VectorXd::Zero(u.size());
    for (Eigen::Index k = 0; k < u.size(); ++k) {
      y(k) =
          b0 * u(k) + (k > 0 ? b1 * u(k - 1) + a1 * y(k - 1) : 0.0) + (k > 1 ? a2 * y(k - 2) : 0.0);
    }
    return y;
  }

  // (b0 + b1 z⁻¹) / (1 - a1 z⁻¹ - a2 z⁻²) at z = exp(2πi f step)
  [[nodiscard]] Complex response(double frequency_hz) const {
    const Complex back = std::polar(1.0, -2.0 * kPi * frequency_hz * kStep);
    return (b0 + b1 * back) / (1.0 - a1 * back - a2 * back * back);
  }
};

// Poles at radius 0.9: natural frequency 12 Hz, time constant 10 samples.
inline const Filter kResonant{2.0 * 0.9 * std::cos(2.0 * kPi * 0.12), -0.81, 0.3, 0.1};
inline const Filter kShort{0.0, 0.0, 1.0, 0.5};

inline Eigen::VectorXd white(Eigen::Index n, std::uint64_t seed) {
  return RandomStream(seed).normal_vector(n);
}

inline Complex at(const FrfResult& frf, std::size_t line, Eigen::Index i = 0, Eigen::Index j = 0) {
  return frf.response[line](i, j);
}

inline Eigen::VectorXd periodic(Eigen::Index samples, Eigen::Index period, std::uint64_t seed) {
  RandomStream random(seed);
  return multisine(samples,
                   {.period_samples = period, .lines = lines_in_band(period, kStep, 0.0, 50.0)},
                   random);
}

}  // namespace alembert::signal::frf_test
