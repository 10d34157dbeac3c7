#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "alembert/core/verdict.hpp"
#include "alembert/identify/modes/frf_modes.hpp"

/// Modes from responses alone, under forces that nobody measured (wind, traffic): covariance-driven
/// stochastic subspace identification with all orders from one decomposition, and deviations from
/// the scatter of the covariances over blocks [ReyndersPintelonDeRoeck2008].
namespace alembert::identify {

struct AmbientOptions {
  std::optional<double> from_hz = {};  ///< modes below are not reported
  /// Modes above are not reported; records are decimated to what it needs.
  std::optional<double> to_hz = {};
  Eigen::Index block_rows = 0;            ///< q: lags 1 .. 2q-1; 0: 50, or more with few references
  int smallest_order = 10;                ///< states of the first model
  int largest_order = 80;                 ///< states of the last model
  int order_step = 2;                     ///< states from one model to the next
  int blocks = 0;                         ///< 0: one for 1024 samples, 8 to 32
  Eigen::Index references = 6;            ///< principal components taken beyond so many channels
  double largest_damping = 0.15;          ///< poles at and above are left out
  double largest_frequency_share = 0.01;  ///< of sd_f to f
  double largest_damping_share = 0.5;     ///< of sd_zeta to zeta
  /// Share of the orders in which a mode must be seen with a damping that is known; one that is
  /// seen in as many and in 0.8 of those from its first one is reported without.
  double least_orders = 0.4;
  std::vector<ModeWindow> windows = {};
};

struct AmbientModes : Outcome {
  std::vector<Mode> modes;  ///< ascending frequency; each the pole of median damping of its track
  std::vector<StabilityPoint> diagram;
  Eigen::VectorXd singular_values;  ///< of the block Hankel matrix of covariances
  Eigen::Index block_rows = 0;      ///< as used
  int blocks = 0;                   ///< as used
  Eigen::Index decimation = 1;      ///< of the records
  std::vector<std::string> warnings;
  Verdict verdict;
};

/// Finds modes that are seen in most orders with deviations that are small enough.
/// @param records one row per sample, one column per response, no missing samples; all of equal
///   columns.
/// @throws InvalidInput if sizes disagree, a number is not finite, a channel is constant, or the
///   records are shorter than 8 blocks of 2 q samples.
[[nodiscard]] AmbientModes identify_ambient_modes(const std::vector<Eigen::MatrixXd>& records,
                                                  double step, const AmbientOptions& options = {});

}  // namespace alembert::identify
