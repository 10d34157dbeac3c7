#pragma once

#include <Eigen/Core>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "alembert/core/random.hpp"
#include "alembert/identify/modes/frf_data.hpp"

/// FRFs of modes that are known, from the sum over modes.
namespace alembert::test {

struct KnownMode {
  double frequency_hz = 0.0;
  double damping_ratio = 0.0;
  Eigen::VectorXd outputs, inputs;  ///< real shape at sensors and forces

  [[nodiscard]] std::complex<double> pole() const {
    const double omega = 2.0 * std::numbers::pi * frequency_hz;
    return {-damping_ratio * omega, omega * std::sqrt(1.0 - damping_ratio * damping_ratio)};
  }
};

/// Receptance of unit modal masses: φ_o φ_j/(ω_r² - ω² + 2iζω_r ω).
inline identify::FrfData frf_of(const std::vector<KnownMode>& modes, Eigen::Index lines,
                                double first_hz, double last_hz) {
  identify::FrfData data;
  data.outputs = modes.front().outputs.size();
  data.inputs = modes.front().inputs.size();
  data.frequencies_hz = Eigen::VectorXd::LinSpaced(lines, first_hz, last_hz);
  data.values = Eigen::MatrixXcd::Zero(lines, data.outputs * data.inputs);
  for (Eigen::Index k = 0; k < lines; ++k) {
    const double w = 2.0 * std::numbers::pi * data.frequencies_hz(k);
    for (const KnownMode& mode : modes) {
      const double n = std::abs(mode.pole());
      const std::complex<double> factor =
          1.0 / std::complex<double>(n * n - w * w, 2.0 * mode.damping_ratio * n * w);
      const Eigen::MatrixXcd residue =
          (mode.outputs * mode.inputs.transpose()).cast<std::complex<double>>() * factor;
      data.values.row(k) += residue.reshaped().transpose();
    }
  }
  return data;
}

/// Adds noise of this deviation to real and imaginary parts, and says so in the data.
inline void add_noise(identify::FrfData& data, double sigma, std::uint64_t seed) {
  RandomStream random(seed);
  for (Eigen::Index c = 0; c < data.values.cols(); ++c) {
    for (Eigen::Index k = 0; k < data.values.rows(); ++k) {
      data.values(k, c) += sigma * std::complex<double>(random.normal(), random.normal());
    }
  }
  data.line_deviation = Eigen::VectorXd::Constant(data.lines(), sigma);
}

/// Modes with random real shapes.
inline std::vector<KnownMode> random_modes(const std::vector<double>& frequencies,
                                           const std::vector<double>& dampings,
                                           Eigen::Index outputs, Eigen::Index inputs,
                                           std::uint64_t seed) {
  RandomStream random(seed);
  std::vector<KnownMode> modes;
  for (std::size_t r = 0; r < frequencies.size(); ++r) {
    modes.push_back(
        {frequencies[r], dampings[r], random.normal_vector(outputs), random.normal_vector(inputs)});
  }
  return modes;
}

}  // namespace alembert::test
