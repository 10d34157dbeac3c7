#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/signal/frf_estimators.hpp"
#include "alembert/signal/record.hpp"
#include "alembert/signal/spectrum.hpp"

namespace alembert::signal {

/// Where the errors are thought to be.
enum class FrfEstimator {
  H1,  ///< noise on the outputs
  H2,  ///< noise on the inputs; one input, or as many outputs as inputs
  Hv   ///< noise on both: total least squares, output by output
};

/// How frequency response functions are estimated.
struct FrfOptions {
  FrfEstimator estimator = FrfEstimator::H1;
  WelchOptions welch = {};  ///< how records are cut, unless they are periodic
  /// P > 0: the records repeat every P samples (multisine, PRBS). Periods are averaged before
  /// any product is formed, without window: there is no leakage and no bias from noise beyond
  /// that of the mean. With p inputs at least p experiments with different inputs are needed.
  Eigen::Index period_samples = 0;
  Eigen::Index settle_periods = 1;  ///< periods left out at the beginning, for transients to decay
  std::vector<int> lines = {};      ///< lines of the period to keep, increasing; empty: all
  /// Standard deviations of the noise on inputs and outputs, up to a common factor, for Hv. Both
  /// empty: each signal is scaled to unit power at each frequency, so that units change nothing.
  Eigen::VectorXd input_sigma = {};
  Eigen::VectorXd output_sigma = {};  ///< likewise, of each output
  /// Lines with input_condition() above this count as singular. The default leaves 6 of 16 digits.
  double largest_condition = 1e10;
};

/// Frequency response functions of p inputs and q outputs with their quality.
///
/// Lines at which the input spectral matrix is singular (inputs follow from each other there, or
/// one is not excited: below 1e-12 of its largest amplitude) have NaN responses.
struct FrfResult : Outcome {
  Eigen::VectorXd frequencies_hz;
  std::vector<Eigen::MatrixXcd> response;           ///< q x p per frequency, unit_y / unit_u
  std::vector<Eigen::MatrixXd> ordinary_coherence;  ///< q x p per frequency
  Eigen::MatrixXd multiple_coherence;  ///< one row per frequency, one column per output
  /// Standard deviation of |H|, q x p per frequency, from random errors (not from leakage or bias):
  ///
  ///   var |H_ij| = Svv_i (Suu⁻¹)_jj / (2n),   Svv_i = n/(n-p) (1 - γ²_i) Syy_ii
  ///
  /// with n effective averages and multiple coherence γ². For one input the relative deviation
  /// √((1 - γ²)/(2 n γ²)) [BendatPiersol2010] (but for n-p) is applied to each estimator's own
  /// |H|; with several inputs H2 and Hv take the deviation of H1, right for high coherence.
  /// Twice the variance at 0 and 1/(2 step), where H is real. Periodic records: Svv is the scatter
  /// of h u - y between periods. NaN where averages do not suffice.
  std::vector<Eigen::MatrixXd> magnitude_deviation;
  /// Standard deviation of the phase in rad: that of |H| over |H|, at most π/√3 (uniform phase).
  std::vector<Eigen::MatrixXd> phase_deviation;
  Eigen::VectorXd input_condition;           ///< per frequency
  std::vector<Eigen::Index> singular_lines;  ///< indices into frequencies_hz
  std::string warning;  ///< says where the input spectral matrix is singular, "" if nowhere
  Averaging averaging;  ///< segments or periods of all experiments
};

/// Samples of one experiment: one row per time, one column per channel; NaN where missing.
struct InputOutput {
  Eigen::MatrixXd inputs;
  Eigen::MatrixXd outputs;
};

/// Estimates frequency response functions from one or several experiments on the same system.
///
/// Spectra are averaged over the segments of all experiments; a segment in which any channel
/// misses a sample is not used (stretches between missing samples are).
///
/// @param step in s, > 0.
/// @returns Success, with `warning` set if some lines are singular, or Indefinite if all are.
/// @throws InvalidInput if sizes disagree, a sample is infinite, an option is out of range, or no
///   whole segment or period is left.
[[nodiscard]] FrfResult estimate_frf(const std::vector<InputOutput>& experiments, double step,
                                     const FrfOptions& options = {});

/// The same for the named channels of records, whose time axes must have one common step. Channels
/// are converted to the units they have in the first record; units that are not known are taken to
/// agree.
/// @throws InvalidInput also if a channel is unknown, the steps differ by more than 1e-3, or a
///   channel has another quantity than in the first record (N and mm).
[[nodiscard]] FrfResult estimate_frf(const Records& records, const std::vector<std::string>& inputs,
                                     const std::vector<std::string>& outputs,
                                     const FrfOptions& options = {});

}  // namespace alembert::signal
