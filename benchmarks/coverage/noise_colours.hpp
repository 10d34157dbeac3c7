#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "alembert/core/random.hpp"

namespace alembert::benchmark {

/// "white", "AR 10", "N/20", "1/f", "resonant", "walk".
[[nodiscard]] const std::vector<std::string>& noise_colours();

/// Noise of rms 1. @param resonance frequency of "resonant" in cycles per sample.
///
/// AR 10 and N/20: first order with that time constant in samples. 1/f: first order with time
/// constants 1, 2, 4, ... up to N, of equal variance. Resonant: second order, damping ratio 0.05,
/// at a frequency of the system. Walk: a random walk, of rms 1 over the record.
[[nodiscard]] Eigen::VectorXd coloured_noise(const std::string& colour, Eigen::Index samples,
                                             double resonance, RandomStream& random);

/// What add_noise() adds.
struct NoiseToAdd {
  std::string colour;
  double resonance = 0.0;  ///< cycles per sample
  double size = 0.0;       ///< of the rms of a column
};

/// Adds noise to all columns, each of its own stream. @param first of the streams of a run, below
/// 100.
void add_noise(const NoiseToAdd& noise, std::uint64_t run, Eigen::MatrixXd& columns,
               std::uint64_t first = 0);

}  // namespace alembert::benchmark
