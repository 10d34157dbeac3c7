#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alembert/core/progress.hpp"
#include "alembert/core/status.hpp"
#include "alembert/core/verdict.hpp"
#include "alembert/estimate/judge.hpp"
#include "alembert/estimate/kinematic_observer.hpp"
#include "alembert/estimate/start_from_readings.hpp"
#include "alembert/estimate/watch/observer_watch.hpp"

/// The motion of a mechanism from a record of its sensors, in one call.
namespace alembert::estimate {

/// How observe() works: the observer, and what is done before and after it.
struct ObserveOptions : KinematicObserverOptions {
  GivenStart given = {};  ///< what of `start` is given; the rest comes from the first readings
  /// Output form: the densities of the motion are found from the readings; false: those of
  /// `output_noise` are taken.
  bool fit_density = true;
  /// With fit_density: the motion model that fits the readings better is taken in place of
  /// output.motion.
  bool fit_motion = false;
  std::vector<int> fit_sigma = {};  ///< output form: sensors whose sigma is a guess, to be found
  bool keep_covariances = false;    ///< of all states at every sample, in the estimate
  bool smooth = false;              ///< estimate from the whole record too, not only from the past
  /// s after the first sample, from which consistency is judged; none: when the standard deviations
  /// have settled.
  std::optional<double> scored_from = {};
  Workspace workspace = {};               ///< where the sensors are examined
  KnownMotion truth = {};                 ///< of each sample of the record, to compare with
  std::vector<WatchedSignal> watch = {};  ///< alarms, from the first scored sample on
  const StopFlag* stop = nullptr;         ///< then the status is Stopped, and nothing is judged
};

/// A noise level that was found from the readings.
struct FittedLevel {
  std::string name;  ///< "density of angle(crank)", "sigma of encoder"
  double value = 0.0;
  double log_deviation = 0.0;  ///< standard deviation of ln(value); NaN where it is not known
};

/// What was found.
struct [[nodiscard]] ObserveResult : Outcome {
  std::shared_ptr<const model::planar::Mechanism> mechanism;  ///< with the sigma that were found
  ObserveOptions options;           ///< as used: with start, densities and workspace
  Eigen::Index first = 0;           ///< sample of the record at which the estimate begins
  KinematicEstimate estimate;       ///< of the samples from `first` on
  std::vector<FittedLevel> fitted;  ///< noise levels, where the options ask for them
  std::vector<StateColumn> states;
  std::vector<SensorScore> sensors;  ///< one for each sensor of the mechanism
  ConsistencyVerdict consistency;
  std::optional<TruthReport> truth;  ///< errors, where the true motion is given
  Eigen::Index scored = 0;           ///< samples that the verdict looks at
  double scored_from = 0.0;          ///< s after the first sample of the estimate
  std::vector<WatchReport> watch;    ///< one for each of options.watch
  ObservabilityReport observability;
  std::vector<std::string> observability_words;  ///< sentences
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
  Verdict verdict;       ///< with the warnings among its reasons
  double seconds = 0.0;  ///< that the estimation took
};

/// Estimates the motion and judges it: takes the start from the first readings, finds noise levels,
/// filters, smooths, scores the sensors, judges the innovations and examines what the sensors see.
/// @param time of the samples in s, rising. @param readings samples x sensors of the mechanism, as
/// they come from the sensors; NaN: missing. Sensors with times of their own: merge_readings().
/// @throws InvalidInput for wrong sizes, a coordinate that nothing gives at the start, unknown
/// forces that the record cannot tell (check_forces_seen()), or as the observer.
[[nodiscard]] ObserveResult observe(std::shared_ptr<const model::planar::Mechanism> mechanism,
                                    const Eigen::Ref<const Eigen::VectorXd>& time,
                                    const Eigen::Ref<const Eigen::MatrixXd>& readings,
                                    const ObserveOptions& options = {});

}  // namespace alembert::estimate
