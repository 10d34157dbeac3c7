#pragma once

#include "alembert/estimate/watch/signal_watch.hpp"

namespace alembert::estimate {

/// Spread of the sums of innovations over as many values as a change takes to be found. White
/// innovations have a variance of 1 for each value; correlated ones more, and with it more false
/// alarms than promised.
class WatchSpread {
 public:
  explicit WatchSpread(const WatchDesign& design);

  /// @param normalised innovation over its deviation and the scale of the design.
  void add(double normalised) noexcept;
  /// What was summed so far is left out: an alarm came.
  void begin_anew() noexcept;

  /// Mean time between false alarms in s with the least variance that 999 of 1000 records leave
  /// open. The promised one with fewer than 20 sums, or where that variance is not above 1.
  [[nodiscard]] double false_alarms_every() const;

 private:
  WatchDesign design_;
  long length_ = 1;  // values of a sum
  double sum_ = 0.0, squares_ = 0.0;
  long summed_ = 0, sums_ = 0;
};

}  // namespace alembert::estimate
