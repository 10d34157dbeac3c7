#include "alembert/estimate/watch/signal_watch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/chi_square.hpp"
#include "alembert/core/error.hpp"
#include "alembert/estimate/watch/run_length.hpp"

namespace alembert::estimate {

namespace {

constexpr const char* kDesign = "design_watch";
constexpr long kValuesForStep = 20;
constexpr double kLongestRun = 1e12;
// What lasts longer than a batch is not learnt.
constexpr long kBatch = 50;
constexpr long kFewestBatches = 20;

double probability_beyond(double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); }

[[noreturn]] void refuse(const WatchedSignal& signal, std::string argument, std::string rule,
                         std::string value) {
  throw InvalidInput({.function = kDesign,
                      .item = fmt::format("watch '{}'", signal.name),
                      .argument = std::move(argument),
                      .rule = std::move(rule),
                      .value = std::move(value)});
}

void check_state(const WatchedSignal& signal) {
  if (!signal.above && !signal.below) {
    refuse(signal, "above or below", "must be given for a state", "neither");
  }
  if (rule_of(signal) == WatchRule::Cusum) {
    refuse(
        signal, "rule",
        "must be threshold for a state: its errors are correlated, and the filter has summed them "
        "already",
        "cusum");
  }
  for (const std::optional<double>& bound : {signal.above, signal.below}) {
    if (bound) check::finite(kDesign, "above or below", *bound);
  }
  if (signal.above && signal.below && *signal.below >= *signal.above) {
    refuse(signal, "below", "must be less than above",
           fmt::format("{} and {}", *signal.below, *signal.above));
  }
  if (signal.change) check::positive(kDesign, "change", *signal.change);
  if (signal.learn != 0.0) {
    refuse(signal, "learn", "must be 0 for a state", fmt::format("{}", signal.learn));
  }
}

void check_sensor(const WatchedSignal& signal) {
  if (signal.above || signal.below) {
    refuse(signal, "above or below", "must not be given for innovations, which should be zero",
           fmt::format("{}", signal.above ? *signal.above : *signal.below));
  }
  if (signal.change) check::in_range(kDesign, "change", *signal.change, 0.1, 10.0);
  check::non_negative(kDesign, "learn", signal.learn);
}

void check_signal(const WatchedSignal& signal) {
  if (signal.state.empty() == (signal.sensor < 0)) {
    refuse(signal, "state or sensor", "must be given, and not both",
           signal.state.empty() ? "neither" : "both");
  }
  check::positive(kDesign, "false_alarms_every", signal.false_alarms_every);
  if (signal.sensor < 0) {
    check_state(signal);
  } else {
    check_sensor(signal);
  }
}

// Mean number of values until |x + change| passes the limit.
double values_to_pass(double limit, double change) {
  return 1.0 / (probability_beyond(limit - change) + probability_beyond(limit + change));
}

void design_innovations(const WatchedSignal& signal, WatchDesign& design) {
  const double change = std::clamp(signal.change.value_or(1.0) / design.scale, 0.1, 10.0);
  if (design.rule == WatchRule::Threshold) {
    design.limit = threshold_limit(design.run_length);
    design.delay = design.step * values_to_pass(design.limit, change);
    return;
  }
  design.reference = 0.5 * change;
  design.limit = cusum_limit(design.reference, design.run_length);
  design.delay = design.step * two_sided_cusum_run_length(design.reference, design.limit, change);
}

}  // namespace

WatchRule rule_of(const WatchedSignal& signal) {
  return signal.rule.value_or(signal.sensor < 0 ? WatchRule::Threshold : WatchRule::Cusum);
}

WatchDesign design_watch(const WatchedSignal& signal, double step, double scale) {
  check_signal(signal);
  check::positive(kDesign, "step", step);
  check::positive(kDesign, "scale", scale);
  WatchDesign design{.rule = rule_of(signal),
                     .step = step,
                     .run_length = signal.false_alarms_every / step,
                     .scale = scale};
  if (!(design.run_length >= 10.0 && design.run_length <= kLongestRun)) {
    refuse(signal, "false_alarms_every",
           fmt::format("must be from 10 to 1e12 times the step of {:.6g} s", step),
           fmt::format("{} s", signal.false_alarms_every));
  }
  if (signal.sensor >= 0) {
    design_innovations(signal, design);
    return design;
  }
  const double limits = signal.above && signal.below ? 2.0 : 1.0;
  design.limit = threshold_limit(limits * design.run_length);
  return design;
}

SignalWatch::SignalWatch(WatchedSignal signal, double step)
    : signal_(std::move(signal)), step_(step) {
  check_signal(signal_);
  check::non_negative("SignalWatch", "step", step);
  if (step_ == 0.0) return;
  design_ = design_watch(signal_, step_);
  begun_ = signal_.learn == 0.0;
}

bool SignalWatch::take(double time, double value, double deviation) {
  if (!std::isfinite(value) || !(deviation > 0.0) || time <= last_) return alarm_;
  if (!begun_) {
    if (std::isnan(first_)) first_ = time;
    ++counted_;
    if (signal_.learn > 0.0) learn(time, value / deviation);
    if (step_ == 0.0) find_step(time);
    last_ = time;
    return false;
  }
  ++values_;
  if (signal_.sensor < 0) {
    take_state(time, value, deviation);
  } else {
    take_innovation(time, value / (deviation * design_.scale));
  }
  last_ = time;
  return alarm_;
}

void SignalWatch::find_step(double time) {
  if (counted_ < kValuesForStep) return;
  step_ = (time - first_) / static_cast<double>(counted_ - 1);
  if (signal_.learn == 0.0) begin(1.0);
}

// Sums of a batch have the variance 50 (1 + 2 Σ ρ_l) for stationary values: by it they are white.
// The upper 95 % limit of its estimate is taken, so that alarms are rather too seldom.
void SignalWatch::learn(double time, double normalised) {
  batch_sum_ += normalised;
  if (++in_batch_ < kBatch) return;
  batch_squares_ += batch_sum_ * batch_sum_ / static_cast<double>(kBatch);
  batch_sum_ = 0.0;
  in_batch_ = 0;
  ++batches_;
  if (batches_ < kFewestBatches || time - first_ < signal_.learn) return;
  if (step_ == 0.0) step_ = (time - first_) / static_cast<double>(counted_ - 1);
  const double squares = batch_squares_ / chi_square_quantile(0.05, static_cast<double>(batches_));
  begin(std::max(1.0, std::sqrt(squares)));
}

void SignalWatch::begin(double scale) {
  design_ = design_watch(signal_, step_, scale);
  begun_ = true;
}

void SignalWatch::raise(double time, double onset, int direction) noexcept {
  if (alarm_) return;
  alarm_ = true;
  ++alarms_;
  since_ = time;
  onset_ = onset;
  direction_ = direction;
}

void SignalWatch::take_state(double time, double value, double deviation) noexcept {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  const double over = signal_.above ? (value - *signal_.above) / deviation : kNone;
  const double under = signal_.below ? (*signal_.below - value) / deviation : kNone;
  statistic_ = std::max(over, under);
  if (statistic_ > design_.limit) {
    raise(time, time, over > under ? 1 : -1);
  } else if (statistic_ < 0.0) {
    alarm_ = false;
  }
}

void SignalWatch::take_innovation(double time, double normalised) noexcept {
  if (design_.rule == WatchRule::Cusum) {
    take_sums(time, normalised);
    return;
  }
  statistic_ = std::abs(normalised);
  if (statistic_ > design_.limit) {
    raise(time, time, normalised > 0.0 ? 1 : -1);
  } else if (statistic_ < 0.5 * design_.limit) {
    alarm_ = false;
  }
}

// S⁺ = max(0, S + x − k), one sum for each direction
void SignalWatch::take_sums(double time, double normalised) noexcept {
  const double before = std::isnan(last_) ? time : last_;
  if (up_ == 0.0) up_zero_ = before;
  if (down_ == 0.0) down_zero_ = before;
  up_ = std::max(0.0, up_ + normalised - design_.reference);
  down_ = std::max(0.0, down_ - normalised - design_.reference);
  statistic_ = std::max(up_, down_);
  if (statistic_ > design_.limit) {
    const bool upwards = up_ > down_;
    raise(time, upwards ? up_zero_ : down_zero_, upwards ? 1 : -1);
    up_ = std::min(up_, design_.limit);
    down_ = std::min(down_, design_.limit);
  } else if (alarm_ && (direction_ > 0 ? up_ : down_) == 0.0) {
    alarm_ = false;
    up_ = down_ = 0.0;
  }
}

}  // namespace alembert::estimate
