#include "benchmarks/coverage/noise_colours.hpp"

#include <cmath>
#include <numbers>

namespace alembert::benchmark {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

// Stationary noise of first order and variance 1.
VectorXd first_order(double time_constant, Index samples, RandomStream& random) {
  const double a = std::exp(-1.0 / time_constant);
  VectorXd noise = random.normal_vector(samples);
  for (Index k = 1; k < samples; ++k) {
    noise(k) = a * noise(k - 1) + std::sqrt(1.0 - a * a) * noise(k);
  }
  return noise;
}

VectorXd octaves(Index samples, RandomStream& random) {
  VectorXd sum = VectorXd::Zero(samples);
  int count = 0;
  for (double tau = 1.0; tau <= static_cast<double>(samples); tau *= 2.0, ++count) {
    sum += first_order(tau, samples, random);
  }
  return sum / std::sqrt(count);
}

// x_k = 2 r cos(w) x_k-1 - r² x_k-2 + e, after a run-in of many time constants.
VectorXd second_order(double frequency, Index samples, RandomStream& random) {
  constexpr double kDamping = 0.05;
  const double w = 2.0 * std::numbers::pi * frequency;
  const double r = std::exp(-kDamping * w);
  const auto first = static_cast<Index>(20.0 / (kDamping * w));
  VectorXd all = random.normal_vector(first + samples);
  for (Index k = 2; k < all.size(); ++k) {
    all(k) += 2.0 * r * std::cos(w) * all(k - 1) - r * r * all(k - 2);
  }
  // Variance of AR(2) with a1 = 2 r cos w, a2 = -r².
  const double a1 = 2.0 * r * std::cos(w);
  const double a2 = -r * r;
  const double variance = (1.0 - a2) / ((1.0 + a2) * ((1.0 - a2) * (1.0 - a2) - a1 * a1));
  return all.tail(samples) / std::sqrt(variance);
}

VectorXd walk(Index samples, RandomStream& random) {
  VectorXd noise = random.normal_vector(samples);
  for (Index k = 1; k < samples; ++k) noise(k) += noise(k - 1);
  return noise / std::sqrt(0.5 * static_cast<double>(samples));
}

}  // namespace

const std::vector<std::string>& noise_colours() {
  static const std::vector<std::string> names = {"white", "AR 10",    "N/20",
                                                 "1/f",   "resonant", "walk"};
  return names;
}

VectorXd coloured_noise(const std::string& colour, Index samples, double resonance,
                        RandomStream& random) {
  if (colour == "AR 10") return first_order(10.0, samples, random);
  if (colour == "N/20") return first_order(static_cast<double>(samples) / 20.0, samples, random);
  if (colour == "1/f") return octaves(samples, random);
  if (colour == "resonant") return second_order(resonance, samples, random);
  if (colour == "walk") return walk(samples, random);
  return random.normal_vector(samples);
}

void add_noise(const NoiseToAdd& noise, std::uint64_t run, Eigen::MatrixXd& columns,
               std::uint64_t first) {
  for (Index i = 0; i < columns.cols(); ++i) {
    RandomStream random(20261117, 100 * run + first + static_cast<std::uint64_t>(i));
    const VectorXd values = columns.col(i);
    const double rms = std::sqrt((values.array() - values.mean()).square().mean());
    columns.col(i) +=
        noise.size * rms * coloured_noise(noise.colour, columns.rows(), noise.resonance, random);
  }
}

}  // namespace alembert::benchmark
