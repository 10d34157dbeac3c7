#pragma once

#include <Eigen/Core>
#include <string_view>
#include <vector>

namespace alembert::identify {

/// One experiment: inputs and responses on one even time grid.
struct Experiment {
  Eigen::MatrixXd input;    ///< N x m forces u, all finite
  Eigen::MatrixXd output;   ///< N x p responses y; NaN marks a missing sample
  double step = 0.0;        ///< h in s
  double start_time = 0.0;  ///< s, of the first sample: what t is in equations that name it
  /// N x p factors of the residuals of single samples, 0 and above, for the output-error method
  /// alone; a sample of factor 0 is left out. Empty: 1 for all.
  Eigen::MatrixXd weight = {};

  [[nodiscard]] Eigen::Index samples() const noexcept { return input.rows(); }
  /// The factor of sample k of output i.
  [[nodiscard]] double weight_of(Eigen::Index k, Eigen::Index i) const {
    return weight.size() == 0 ? 1.0 : weight(k, i);
  }
};

/// Several experiments on the same system, each with its own start state.
using Experiments = std::vector<Experiment>;

/// Checks that there is at least one experiment, that all have the same step and channel counts,
/// as many input as output rows, finite inputs, at least one measured output each, and weights that
/// fit.
/// @throws InvalidInput with a message that begins with `function`.
void check_experiments(std::string_view function, const Experiments& experiments);

/// True if an output sample is missing.
[[nodiscard]] bool has_missing(const Experiments& experiments);

/// Number of measured output samples, all channels of all experiments.
[[nodiscard]] Eigen::Index measured_samples(const Experiments& experiments);

}  // namespace alembert::identify
