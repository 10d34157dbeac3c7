#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "alembert/estimate/observe.hpp"

/// Noise levels of an observer from a record without truth, and how far from the best they are
/// where the truth is known.
namespace alembert::estimate {

struct TuneObserverOptions : ObserveOptions {
  bool sigmas = false;       ///< the sigma of every sensor that has one is sought too
  long max_evaluations = 0;  ///< runs for the best levels by the truth; 0: 60 for each level
};

/// Rms errors of one state against the truth, over the scored samples, not smoothed.
struct TunedError {
  int state = 0;       ///< of tuned.states
  double tuned = 0.0;  ///< with the levels of greatest likelihood
  double best = 0.0;   ///< with those of the least errors
};

/// What was found.
struct [[nodiscard]] ObserverTuning : Outcome {
  ObserveResult tuned;            ///< with the levels of greatest likelihood in `fitted`
  std::vector<FittedLevel> best;  ///< levels of least errors; empty: no truth, or two stages
  std::vector<TunedError> errors;
  /// How much larger the errors are than the least ones: geometric mean of tuned/best over the
  /// states, less one; NaN without a truth.
  double excess = 0.0;
  long evaluations = 0;  ///< runs for `best`
};

/// Finds the densities of motion and forces (and sigmas) of greatest likelihood, whatever the
/// options give, by observe(). With a truth the levels are sought again, around these, for which
///
///   Σ ln rms_i   over the states whose truth is given
///
/// is least: what no user can know, to compare with. The same motion model is kept.
/// @throws InvalidInput as observe(), or for the input form, which has no levels that the readings
///   tell.
[[nodiscard]] ObserverTuning tune_observer(
    std::shared_ptr<const model::planar::Mechanism> mechanism,
    const Eigen::Ref<const Eigen::VectorXd>& time,
    const Eigen::Ref<const Eigen::MatrixXd>& readings, const TuneObserverOptions& options = {});

}  // namespace alembert::estimate
