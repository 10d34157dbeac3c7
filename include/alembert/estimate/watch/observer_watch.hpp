#pragma once

#include <Eigen/Core>
#include <limits>
#include <string>
#include <vector>

#include "alembert/estimate/observer.hpp"
#include "alembert/estimate/watch/signal_watch.hpp"

/// Alarms of an observer: row by row, and over a record.
namespace alembert::estimate {

/// Watches an observer while it runs. A reading that the gate keeps out counts as at most four
/// standard deviations, so that one outlier raises no alarm and a broken sensor does.
class ObserverWatch {
 public:
  /// @param steps s from one value of each signal to the next; empty: each is found from its first
  /// 20 values. @throws InvalidInput for a state or sensor that the observer has not, two signals
  /// of one name, and as SignalWatch.
  ObserverWatch(const Observer& observer, const std::vector<WatchedSignal>& signals,
                const std::vector<double>& steps = {});

  /// Looks at the observer after a step. Allocates nothing once all signals have begun.
  void take(const Observer& observer, const ObserverStep& step, double time);

  [[nodiscard]] const std::vector<SignalWatch>& signals() const noexcept { return watches_; }

 private:
  std::vector<SignalWatch> watches_;
  std::vector<int> rows_;  // of each: the state, or the row of the outputs
};

/// One alarm of a record.
struct WatchAlarm {
  double begin = 0.0;                                     ///< s, as the times of the record
  double end = std::numeric_limits<double>::quiet_NaN();  ///< NaN: it lasts
  double onset = 0.0;      ///< when the change may have begun: for sums, when the sum was last zero
  int direction = 0;       ///< upwards (1) or downwards (-1)
  double value = 0.0;      ///< estimate or innovation at the beginning
  double deviation = 0.0;  ///< of it
};

/// What one signal did over a record.
struct WatchReport {
  WatchedSignal signal;
  bool begun = false;  ///< false: the record was too short to learn, or has too few values
  WatchDesign design;  ///< of a watch that has begun
  double from = 0.0;   ///< s, time of the first sample that was looked at
  long values = 0;     ///< that were looked at
  std::vector<WatchAlarm> alarms;
  Eigen::VectorXd statistic;  ///< at each sample; NaN where there is none
  /// States: limit times the mean deviation, which an estimate must be beyond its bound to raise
  /// the alarm. NaN for innovations.
  double least_excess = std::numeric_limits<double>::quiet_NaN();
  /// States with `change`: s from a jump from the bound to `change` beyond it to the alarm, median
  /// and longest of the places looked at, by detection_delay(); infinite: it is not surely seen;
  /// NaN: it was not asked for, or is not known.
  double delay = std::numeric_limits<double>::quiet_NaN();
  double longest_delay = std::numeric_limits<double>::quiet_NaN();
};

/// Watches an estimate over its record, from sample `first` on. The step of each signal is the mean
/// one of its values there.
/// @param time of the samples. @throws InvalidInput as ObserverWatch, or if sizes do not fit.
[[nodiscard]] std::vector<WatchReport> watch_record(const ObserverEstimate& estimate,
                                                    const Eigen::Ref<const Eigen::VectorXd>& time,
                                                    const std::vector<WatchedSignal>& signals,
                                                    Eigen::Index first = 0);

}  // namespace alembert::estimate
