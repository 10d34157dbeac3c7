#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "alembert/core/verdict.hpp"
#include "alembert/identify/modes/frf_modes.hpp"

/// Modes from free decays of several sensors after taps that nobody measured.
///
/// The eigensystem realization algorithm [JuangPappa1985] proposes poles for all orders from one
/// decomposition of the Hankel matrix of the decays; those followed over orders are fitted to the
/// samples together,
///
///   y_o(k) = Σ_r Re φ_or ξ_re exp(λ_r k step) + y0_o,
///
/// in each decay e, and stay where they lower the cost enough.
namespace alembert::identify {

struct DecayOptions {
  std::optional<double> from_hz = {};  ///< modes below are not reported
  /// Modes above are not reported; records are decimated to what it needs.
  std::optional<double> to_hz = {};
  /// Seconds after the largest sample at which a decay begins; none: two periods of the lowest
  /// frequency that the record shows.
  std::optional<double> start = {};
  /// Seconds that are used from there; none: until a tenth of the amplitude is left.
  std::optional<double> length = {};
  int largest_order = 40;        ///< states of the last model
  int shortest_track = 6;        ///< orders over which a pole must be followed to be a candidate
  Eigen::Index block_rows = 0;   ///< of the Hankel matrix; 0: up to 1000 rows, half of the samples
  double false_alarm = 0.01;     ///< see FrfModesOptions
  double largest_damping = 0.2;  ///< poles at and above are left out
  double largest_frequency_share = 0.01;  ///< of sd_f to f
  double largest_damping_share = 0.5;     ///< of sd_zeta to zeta
  double least_amplitude = 0.01;          ///< of the largest mode; smaller ones are left out
  std::vector<ModeWindow> windows = {};
};

/// The part of a record that was used.
struct DecayWindow {
  double peak = 0.0;    ///< s from the first sample of the record: largest sample
  double start = 0.0;   ///< s
  double length = 0.0;  ///< s
};

struct DecayModes : Outcome {
  std::vector<Mode> modes;      ///< ascending frequency; participation: one entry per decay
  std::vector<Mode> harmonics;  ///< steady vibrations that are no modes; `remark` says why
  std::vector<StabilityPoint> diagram;
  Eigen::VectorXd singular_values;   ///< of the Hankel matrix
  std::vector<DecayWindow> windows;  ///< one per record
  double step = 0.0;                 ///< s, after decimation
  Eigen::Index decimation = 1;
  std::size_t candidates = 0;
  std::vector<OutputFit> outputs;
  std::vector<Eigen::MatrixXd> measured, fitted;  ///< each decay, one column per output
  int iterations = 0;
  std::vector<std::string> warnings;
  Verdict verdict;
};

/// Finds the modes of free decays, one decay in each record.
/// @param records one row per sample, one column per response, no missing samples; equal columns.
/// @throws InvalidInput if sizes disagree, a number is not finite, a channel is constant, or a
///   decay has fewer than 64 samples.
[[nodiscard]] DecayModes identify_decay_modes(const std::vector<Eigen::MatrixXd>& records,
                                              double step, const DecayOptions& options = {});

}  // namespace alembert::identify
