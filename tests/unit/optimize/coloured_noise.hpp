#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <string>

#include "alembert/core/random.hpp"
#include "alembert/optimize/coloured_covariance.hpp"
#include "alembert/signal/fft.hpp"

/// Linear fits and noise of known colour, for the coverage of intervals.
namespace alembert::optimize::coloured_noise {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// y = J θ + e, and the frequency (cycles per sample) at which resonant noise sits.
struct LinearFit {
  MatrixXd J;
  double resonance = 0.0;
};

/// Damped sine with free amplitude, decay, phase and offset.
inline LinearFit damped_sine(Index N = 1200) {
  MatrixXd J(N, 4);
  for (Index i = 0; i < N; ++i) {
    const double t = static_cast<double>(i);
    const double phase = 2.0 * std::numbers::pi * 0.02 * t + 0.4;
    const double decay = std::exp(-0.003 * t);
    J.row(i) << decay * std::sin(phase), -t * decay * std::sin(phase), decay * std::cos(phase), 1.0;
  }
  return {.J = J, .resonance = 0.02};
}

/// Cubic polynomial and two sines.
inline LinearFit polynomial_and_sines(Index N = 800) {
  MatrixXd J(N, 6);
  for (Index i = 0; i < N; ++i) {
    const double x = 2.0 * static_cast<double>(i) / static_cast<double>(N - 1) - 1.0;
    const double turn = 2.0 * std::numbers::pi * x;
    J.row(i) << 1.0, x, x * x, x * x * x, std::sin(3.3 * turn), std::cos(15.2 * turn);
  }
  return {.J = J, .resonance = 15.2 * 2.0 / static_cast<double>(N)};
}

/// e_t = a e_{t-1} + w_t with the time constant in samples, variance 1.
inline VectorXd first_order(Index N, double time_constant, RandomStream& random) {
  const double a = std::exp(-1.0 / time_constant);
  VectorXd e = random.normal_vector(N);
  for (Index t = 1; t < N; ++t) e(t) = a * e(t - 1) + std::sqrt(1.0 - a * a) * e(t);
  return e;
}

/// e_t = 2ρ cos(ω) e_{t-1} - ρ² e_{t-2} + w_t.
inline VectorXd resonant(Index N, double frequency, double damping, RandomStream& random) {
  const double omega = 2.0 * std::numbers::pi * frequency;
  const double rho = std::exp(-damping * omega);
  const double turn = 2.0 * rho * std::cos(omega * std::sqrt(1.0 - damping * damping));
  const Index settle = 3000;
  VectorXd e = random.normal_vector(N + settle);
  for (Index t = 2; t < e.size(); ++t) e(t) += turn * e(t - 1) - rho * rho * e(t - 2);
  return e.tail(N);
}

/// Power 1/f down to an eighth of the record's lowest frequency.
inline VectorXd flicker(Index N, RandomStream& random) {
  signal::FftPlan plan(8 * N);
  Eigen::VectorXcd spectrum = plan.forward_real(random.normal_vector(8 * N));
  spectrum(0) = 0.0;
  for (Index k = 1; k < spectrum.size(); ++k) spectrum(k) /= std::sqrt(static_cast<double>(k));
  return plan.inverse_real(spectrum).head(N);
}

inline VectorXd random_walk(Index N, RandomStream& random) {
  VectorXd e = random.normal_vector(N);
  for (Index t = 1; t < N; ++t) e(t) += e(t - 1);
  return e;
}

/// Noise by name; "resonance" has damping 0.06, "sharp resonance" 0.02.
inline VectorXd noise_named(const std::string& name, const LinearFit& fit, RandomStream& random) {
  const Index N = fit.J.rows();
  if (name == "white") return random.normal_vector(N);
  if (name == "10") return first_order(N, 10.0, random);
  if (name == "N/20") return first_order(N, static_cast<double>(N) / 20.0, random);
  if (name == "N/10") return first_order(N, static_cast<double>(N) / 10.0, random);
  if (name == "1/f") return flicker(N, random);
  if (name == "resonance") return resonant(N, fit.resonance, 0.06, random);
  if (name == "sharp resonance") return resonant(N, fit.resonance, 0.02, random);
  return random_walk(N, random);
}

/// Errors of the estimate and the residuals that noise leaves.
struct Fitted {
  VectorXd error;
  ColouredBlock block;
};

inline Fitted fitted(const MatrixXd& J, const VectorXd& noise) {
  const VectorXd error = J.householderQr().solve(noise);
  return {.error = error, .block = {.jacobian = J, .residual = noise - J * error}};
}

/// Hits of 95 % intervals and verdicts.
struct Coverage {
  VectorXd hits;             ///< share of runs, per parameter
  double unsure = 0.0;       ///< share of runs that are called lower limit or unknown
  double slow = 0.0;         ///< share of runs above lower_limit_share
  double low_freedom = 0.0;  ///< share of runs with some ν below 4
  double with_peaks = 0.0;
};

inline Coverage coverage(const LinearFit& fit, const std::string& noise, int runs,
                         std::uint64_t seed, const ColouredOptions& options = {}) {
  Coverage result{.hits = VectorXd::Zero(fit.J.cols())};
  const double weight = 1.0 / runs;
  for (int run = 0; run < runs; ++run) {
    RandomStream random(seed, static_cast<std::uint64_t>(run));
    const Fitted one = fitted(fit.J, noise_named(noise, fit, random));
    const ColouredCovariance found = coloured_covariance({one.block}, options);
    const VectorXd width = found.half_widths();
    result.hits += weight * (one.error.array().abs() <= width.array()).cast<double>().matrix();
    result.unsure += found.knowledge == Knowledge::Known ? 0.0 : weight;
    result.slow += found.slow_share > 0.65 ? weight : 0.0;
    result.low_freedom += found.freedom.minCoeff() < 4.0 ? weight : 0.0;
    result.with_peaks += found.spectra[0].peaks ? weight : 0.0;
  }
  return result;
}

}  // namespace alembert::optimize::coloured_noise
