#pragma once

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include "alembert/study/study.hpp"
#include "support/study_changes.hpp"

namespace alembert::test {

/// A slider-crank with an encoder and an accelerometer; tests add or change keys.
inline const std::string kCrank = R"toml(title = "Crank"
[mechanism]
gravity = [0.0, 0.0]
bodies.crank = { points = { O = [-0.07, 0.0], A = [0.07, 0.0] } }
bodies.rod = { points = { A = [-0.28, 0.0], B = [0.28, 0.0] }, start = [0.07, 0.27, 1.8] }
bodies.slider = { points = { B = [0.0, 0.0] } }
joints = [
  { revolute = ["ground", "crank.O"] },
  { revolute = ["crank.A", "rod.A"] },
  { revolute = ["rod.B", "slider.B"] },
  { prismatic = ["ground", "slider.B"], axis = [0.0, 1.0] },
]
coordinates = ["angle(crank)"]
parameters.r = { length = ["crank.O", "crank.A"] }
[data]
file = "crank.csv"
sensors.encoder = { column = "theta", kind = "angle", of = "crank", sigma = 0.003, wrap = true }
sensors.accel = { column = "a", kind = "acceleration", at = "slider.B", axis = [0.0, 1.0], sigma = 0.03 }
[observe]
density = 160.0
start.velocities = [12.0]
start.velocity-sigma = 2.0
scored-from = 0.3
)toml";

/// Angle, velocity and acceleration of the crank at a time.
struct CrankTruth {
  double q, w, al;
};
inline CrankTruth crank_truth(double t) {
  const double omega = 4.0 * std::numbers::pi;
  return {12.56 * t + 1.256 / omega * std::sin(omega * t), 12.56 + 1.256 * std::cos(omega * t),
          -1.256 * omega * std::sin(omega * t)};
}

/// Acceleration of the slider, y = l sin q + √(r² - l² cos² q), in closed form.
inline double slider_acceleration(const CrankTruth& truth, double l = 0.14, double r = 0.56) {
  const double s = std::sin(truth.q);
  const double c = std::cos(truth.q);
  const double root = std::sqrt(r * r - l * l * c * c);
  const double first = l * c + l * l * s * c / root;
  const double second =
      -l * s + l * l * (c * c - s * s) / root - std::pow(l * l * s * c, 2) / std::pow(root, 3);
  return first * truth.al + second * truth.w * truth.w;
}

/// A record of the crank as CSV text at 1 kHz; angles wrapped; bias of the accelerometer.
inline std::string crank_record(int samples, std::uint64_t seed, double bias = 0.0,
                                const std::string& header = "t [s],theta [rad],a [m/s^2]") {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0.0, 1.0);
  std::string text = header + "\n";
  for (int k = 0; k < samples; ++k) {
    const CrankTruth truth = crank_truth(1e-3 * k);
    const double turn = 2.0 * std::numbers::pi;
    double theta = truth.q + 0.003 * normal(random);
    theta -= turn * std::floor(theta / turn);
    const double a = slider_acceleration(truth) + bias + 0.03 * normal(random);
    text += std::to_string(1e-3 * k) + "," + std::to_string(theta) + "," + std::to_string(a) + "\n";
  }
  return text;
}

/// A crank whose jerk is white noise of density 160, as the filter assumes, with the usual noise.
inline std::string white_jerk_record(int samples, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0.0, 1.0);
  CrankTruth truth{0.0, 12.0, 0.0};
  std::string text = "t [s],theta [rad],a [m/s^2]\n";
  for (int k = 0; k < samples; ++k) {
    const double theta = std::remainder(truth.q + 0.003 * normal(random), 2.0 * std::numbers::pi);
    const double a = slider_acceleration(truth) + 0.03 * normal(random);
    text += fmt::format("{:.3f},{:.8f},{:.8f}\n", 1e-3 * k, theta, a);
    // Constant jerk over a step: its variance is the density over the step.
    const double h = 1e-3;
    const double jerk = std::sqrt(160.0 / h) * normal(random);
    truth.q += h * truth.w + h * h / 2.0 * truth.al + h * h * h / 6.0 * jerk;
    truth.w += h * truth.al + h * h / 2.0 * jerk;
    truth.al += h * jerk;
  }
  return text;
}

}  // namespace alembert::test
