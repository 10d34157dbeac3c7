#pragma once

#include <limits>
#include <optional>
#include <string>

#include "alembert/core/enum_names.hpp"

/// Alarms on what an observer estimates and on its innovations.
namespace alembert::estimate {

/// When an alarm comes.
enum class WatchRule {
  /// One value is too far out. States: the estimate is so far beyond its limit that errors of the
  /// estimate alone would bring it there once in `false_alarms_every`, however they are correlated.
  Threshold,
  /// Page's cumulative sums of innovations: small changes that last are seen soon.
  Cusum,
};

constexpr auto enum_names(WatchRule) {
  return std::to_array<EnumName<WatchRule>>(
      {{WatchRule::Threshold, "threshold"}, {WatchRule::Cusum, "cusum"}});
}

/// What is watched: an estimated state against limits, or the innovations of a sensor.
struct WatchedSignal {
  std::string name;                    ///< of the alarm
  std::string state = {};              ///< a state of the observer, "force(load)"; "": a sensor
  int sensor = -1;                     ///< whose innovations; -1: a state
  std::optional<double> above = {};    ///< states: alarm where the true value is above it
  std::optional<double> below = {};    ///< states: or below it
  std::optional<WatchRule> rule = {};  ///< none: threshold for states, cusum for innovations
  /// The smallest change worth an alarm. Innovations: a lasting shift in their standard deviations
  /// (1 if it is not given); k = change/2. States: how far beyond the limit, in the unit of the
  /// state, for the delay alone.
  std::optional<double> change = {};
  double false_alarms_every = 3600.0;  ///< s, mean time between two of them
  /// Innovations, in s: the first so many are sound, and their spread and correlation are learnt;
  /// the watch begins after them. 0: they are white and as large as the filter expects.
  double learn = 0.0;
};

/// The rule of a signal: its own, or that which goes without saying.
[[nodiscard]] WatchRule rule_of(const WatchedSignal& signal);

/// The numbers of an alarm.
struct WatchDesign {
  WatchRule rule = WatchRule::Threshold;
  double step = 0.0;        ///< s from one value to the next
  double run_length = 0.0;  ///< values between false alarms, false_alarms_every/step
  double limit = 0.0;       ///< of the statistic: z of the threshold, h of the sums
  double reference = 0.0;   ///< k of the sums
  double scale = 1.0;       ///< learnt: the innovations count as so many times their deviation
  /// Mean s from a lasting shift of innovations by `change` to the alarm; NaN for states, whose
  /// delay is that of the filter: see detection_delay().
  double delay = std::numeric_limits<double>::quiet_NaN();
};

/// @param step s from one value to the next. @param scale of the innovations.
/// @throws InvalidInput for a signal that is neither state nor sensor or both, a state without a
///   limit or with the rule cusum, a sensor with limits, and numbers that are out of range: the run
///   length must be from 10 to 1e12 values, `change` of innovations from 0.1 to 10 after scaling.
[[nodiscard]] WatchDesign design_watch(const WatchedSignal& signal, double step,
                                       double scale = 1.0);

/// One signal, value by value.
///
/// Cumulative sums stay at their limit while the alarm lasts, and begin anew after it. An alarm
/// lasts until the sum that raised it is zero; until the estimate is back within the limit;
/// or until the innovation is below half of its own.
///
/// take() allocates nothing but once, when it has found the step or has learnt.
class SignalWatch {
 public:
  /// @param step s from one value to the next; 0: the mean of the first 20, after which the watch
  /// begins. @throws InvalidInput as design_watch().
  explicit SignalWatch(WatchedSignal signal, double step = 0.0);

  /// @param value an estimate or an innovation; NaN: there is none. @param deviation its standard
  /// deviation. @return whether there is an alarm. Times that do not rise are passed over.
  bool take(double time, double value, double deviation);

  [[nodiscard]] const WatchedSignal& signal() const noexcept { return signal_; }
  [[nodiscard]] bool begun() const noexcept { return begun_; }
  /// Of a watch that has begun.
  [[nodiscard]] const WatchDesign& design() const noexcept { return design_; }
  [[nodiscard]] bool alarm() const noexcept { return alarm_; }
  /// How far out the last value is: z, or the larger of both sums; compare with design().limit.
  [[nodiscard]] double statistic() const noexcept { return statistic_; }
  /// Of the present alarm, or the last one: when it began, and when the change may have, which for
  /// sums is when the sum was last zero. NaN: there was none.
  [[nodiscard]] double since() const noexcept { return since_; }
  [[nodiscard]] double onset() const noexcept { return onset_; }
  /// Upwards (1) or downwards (-1); 0: there was none.
  [[nodiscard]] int direction() const noexcept { return direction_; }
  [[nodiscard]] long values() const noexcept { return values_; }  ///< since it began
  [[nodiscard]] long alarms() const noexcept { return alarms_; }

 private:
  void find_step(double time);
  void learn(double time, double normalised);
  void begin(double scale);
  void take_state(double time, double value, double deviation) noexcept;
  void take_innovation(double time, double normalised) noexcept;
  void take_sums(double time, double normalised) noexcept;
  void raise(double time, double onset, int direction) noexcept;

  WatchedSignal signal_;
  WatchDesign design_ = {};
  double step_ = 0.0;
  bool begun_ = false, alarm_ = false;
  double first_ = std::numeric_limits<double>::quiet_NaN(), last_ = first_;  // times
  long counted_ = 0;                                                         // before it begins
  // Batches of what is learnt.
  double batch_sum_ = 0.0, batch_squares_ = 0.0;
  long in_batch_ = 0, batches_ = 0;
  double up_ = 0.0, down_ = 0.0, up_zero_ = 0.0, down_zero_ = 0.0;  // sums, and when they were zero
  double statistic_ = 0.0;
  double since_ = std::numeric_limits<double>::quiet_NaN(), onset_ = since_;
  int direction_ = 0;
  long values_ = 0, alarms_ = 0;
};

}  // namespace alembert::estimate
