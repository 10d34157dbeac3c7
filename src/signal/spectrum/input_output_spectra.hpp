#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/signal/frf.hpp"

namespace alembert::signal {

// Spectral densities of inputs and outputs at one frequency. The full matrix of the outputs is
// kept only where it is needed: with 100 outputs it would be most of the memory.
struct LineSpectra {
  Eigen::MatrixXcd Suu;      // p x p
  Eigen::MatrixXcd Syu;      // q x p
  Eigen::VectorXd Syy;       // diagonal, q
  Eigen::MatrixXcd Syy_all;  // q x q, or empty

  LineSpectra() = default;
  LineSpectra(Eigen::Index inputs, Eigen::Index outputs, bool all_outputs);

  // Adds weight z zᴴ, z = (u, y).
  void add(const Eigen::Ref<const Eigen::VectorXcd>& z, double weight);
};

// Averages of all experiments at all lines.
struct AveragedSpectra {
  double step = 0.0;
  Eigen::VectorXd frequencies_hz;
  Averaging averaging;
  std::vector<LineSpectra> signal;  // for the response
  std::vector<LineSpectra> total;   // for the coherence; empty: as signal
  std::vector<LineSpectra> noise;   // covariance of the mean between periods; empty: unknown
  double experiments = 0.0;
};

// Averages over segments, cut as options.welch says.
AveragedSpectra average_segments(const std::vector<InputOutput>& experiments, double step,
                                 const FrfOptions& options);

// Averages over the periods of each experiment, then over experiments.
AveragedSpectra average_periods(const std::vector<InputOutput>& experiments, double step,
                                const FrfOptions& options);

}  // namespace alembert::signal
