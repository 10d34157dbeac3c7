#pragma once

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "alembert/core/random.hpp"
#include "alembert/identify/acceleration_refine.hpp"

// Motions for the tests of identification from acceleration.
namespace alembert::identify::motion_cases {

// sn, cn and dn of Jacobi for the parameter m = k² by descending Landen transformation (arithmetic
// and geometric mean): nothing of the project's integrators is in it.
struct Jacobi {
  double sn, cn, dn;
};

inline Jacobi jacobi(double u, double m) {
  std::array<double, 12> a{}, c{};
  a[0] = 1.0;
  double b = std::sqrt(1.0 - m);
  std::size_t n = 0;
  for (; n + 1 < a.size() && std::abs(a[n] - b) > 1e-16; ++n) {
    a[n + 1] = 0.5 * (a[n] + b);
    c[n + 1] = 0.5 * (a[n] - b);
    b = std::sqrt(a[n] * b);
  }
  double phi = std::ldexp(a[n] * u, static_cast<int>(n));
  for (; n > 0; --n) phi = 0.5 * (phi + std::asin(c[n] / a[n] * std::sin(phi)));
  const double sn = std::sin(phi);
  return {sn, std::cos(phi), std::sqrt(1.0 - m * sn * sn)};
}

// x'' + b x + c x³ = 0 without damping.
struct ClosedMotion {
  double b = 0.0, c = 0.0;
  Eigen::VectorXd x, v, A;
};

// Softening: x = X sn(Ω t + phase), b = (1 + m) Ω², c = -2 m Ω²/X².
inline ClosedMotion softening(double amplitude, double omega, double m, double step,
                              Eigen::Index samples, double phase = 0.4) {
  ClosedMotion motion{(1.0 + m) * omega * omega, -2.0 * m * omega * omega / (amplitude * amplitude),
                      Eigen::VectorXd(samples), Eigen::VectorXd(samples), Eigen::VectorXd(samples)};
  for (Eigen::Index k = 0; k < samples; ++k) {
    const Jacobi j = jacobi(omega * step * static_cast<double>(k) + phase, m);
    motion.x(k) = amplitude * j.sn;
    motion.v(k) = amplitude * omega * j.cn * j.dn;
    motion.A(k) = -motion.b * motion.x(k) - motion.c * std::pow(motion.x(k), 3);
  }
  return motion;
}

// Hardening: x = X cn(Ω t), Ω² = b + c X², m = c X²/(2Ω²).
inline ClosedMotion hardening(double amplitude, double b, double c, double step,
                              Eigen::Index samples) {
  ClosedMotion motion{b, c, Eigen::VectorXd(samples), Eigen::VectorXd(samples),
                      Eigen::VectorXd(samples)};
  const double omega = std::sqrt(b + c * amplitude * amplitude);
  const double m = c * amplitude * amplitude / (2.0 * omega * omega);
  for (Eigen::Index k = 0; k < samples; ++k) {
    const Jacobi j = jacobi(omega * step * static_cast<double>(k), m);
    motion.x(k) = amplitude * j.cn;
    motion.v(k) = -amplitude * omega * j.sn * j.dn;
    motion.A(k) = -b * motion.x(k) - c * std::pow(motion.x(k), 3);
  }
  return motion;
}

// The oscillator of [Jaksic2002] in air.
inline constexpr double kA = 0.01067, kB = 36.78, kC = -444.7;
inline constexpr double kCycle = 1.083;  // s, at x0 = 0.1 m

inline Eigen::VectorXd vector(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

// What a recorder does to the acceleration.
struct Recorder {
  double noise = 0.0;   // m/s²
  double range = 0.0;   // ± m/s², of 12 bit; 0 for no rounding
  double offset = 0.0;  // m/s²
  std::uint64_t seed = 1;
};

inline MotionRecord recorded(const Eigen::VectorXd& acceleration, double step,
                             const Recorder& recorder = {}) {
  RandomStream random(recorder.seed);
  MotionRecord record;
  record.step = step;
  record.acceleration = acceleration;
  const double bit = 2.0 * recorder.range / 4096.0;
  for (double& value : record.acceleration) {
    value += recorder.offset + recorder.noise * random.normal();
    if (bit > 0.0) value = bit * std::round(value / bit);
  }
  return record;
}

inline MotionEquation duffing() { return read_motion_equation("x'' + a*x' + b*x + c*x^3 = 0"); }

inline Eigen::VectorXd duffing_motion(double x0, double rate, double seconds) {
  const auto samples = static_cast<Eigen::Index>(std::lround(seconds * rate)) + 1;
  return simulate_motion(duffing(), vector({kA, kB, kC}), x0, 0.0, 1.0 / rate, samples)
      .acceleration;
}

inline double percent(double value, double truth) { return 100.0 * (value / truth - 1.0); }

}  // namespace alembert::identify::motion_cases
