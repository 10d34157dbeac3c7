#include "alembert/estimate/watch/observer_watch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr const char* kWatch = "ObserverWatch";
constexpr double kMostOfGated = 4.0;  // deviations
constexpr long kFewestValues = 2;

std::string list_of(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

int state_named(const WatchedSignal& signal, const std::vector<std::string>& states) {
  const auto found = std::find(states.begin(), states.end(), signal.state);
  if (found != states.end()) return static_cast<int>(found - states.begin());
  throw InvalidInput({.function = kWatch,
                      .item = fmt::format("watch '{}'", signal.name),
                      .argument = "state",
                      .rule = "must be one of the estimated states: " + list_of(states),
                      .value = signal.state});
}

int row_of_sensor(const WatchedSignal& signal, const std::vector<int>& outputs) {
  const auto found = std::find(outputs.begin(), outputs.end(), signal.sensor);
  if (found != outputs.end()) return static_cast<int>(found - outputs.begin());
  throw InvalidInput({.function = kWatch,
                      .item = fmt::format("watch '{}'", signal.name),
                      .argument = "sensor",
                      .rule = "must be one that corrects the estimate",
                      .value = fmt::format("{}", signal.sensor)});
}

// For each signal the state, or the row of the outputs.
std::vector<int> rows_of(const std::vector<WatchedSignal>& signals,
                         const std::vector<std::string>& states, const std::vector<int>& outputs) {
  std::vector<int> rows;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const WatchedSignal& one = signals[i];
    rows.push_back(one.sensor < 0 ? state_named(one, states) : row_of_sensor(one, outputs));
    for (std::size_t j = 0; j < i; ++j) {
      if (signals[j].name != one.name) continue;
      throw InvalidInput({.function = kWatch,
                          .argument = "name",
                          .rule = "must be different for each signal",
                          .value = one.name});
    }
  }
  return rows;
}

// An innovation and its deviation.
struct Seen {
  double value = std::numeric_limits<double>::quiet_NaN();
  double deviation = std::numeric_limits<double>::quiet_NaN();
};

Seen bounded(double value, double deviation) {
  const double most = kMostOfGated * deviation;
  return {std::clamp(value, -most, most), deviation};
}

// Of one row of the outputs; NaN if it was not read.
Seen innovation_of(const Innovation<double, Eigen::Dynamic>& last, bool used, int row) {
  for (int i = 0; i < last.count; ++i) {
    if (last.rows[static_cast<std::size_t>(i)] != row) continue;
    // S = L Lᵀ
    double variance = 0.0;
    for (int j = 0; j <= i; ++j) variance += last.factor(i, j) * last.factor(i, j);
    const double deviation = std::sqrt(variance);
    return used ? Seen{last.values(i), deviation} : bounded(last.values(i), deviation);
  }
  for (int i = 0; i < last.gated; ++i) {
    if (last.gated_rows[static_cast<std::size_t>(i)] != row) continue;
    return bounded(last.gated_values(i), std::sqrt(last.gated_variances(i)));
  }
  return {};
}

// What a watch looks at in sample k.
Seen seen_at(const ObserverEstimate& estimate, bool is_state, Index column, Index k) {
  if (is_state) return {estimate.mean(k, column), estimate.deviation(k, column)};
  const Seen seen{estimate.innovation(k, column), estimate.innovation_deviation(k, column)};
  return std::isnan(estimate.whitened(k, column)) && std::isfinite(seen.value)
             ? bounded(seen.value, seen.deviation)
             : seen;
}

bool counts(const Seen& seen) { return std::isfinite(seen.value) && seen.deviation > 0.0; }

// The mean step of the values of a signal; 0: there are too few.
double mean_step(const ObserverEstimate& estimate, const Eigen::Ref<const VectorXd>& time,
                 bool is_state, Index column, Index first) {
  long count = 0;
  double begin = 0.0;
  double end = 0.0;
  for (Index k = first; k < time.size(); ++k) {
    if (!counts(seen_at(estimate, is_state, column, k))) continue;
    if (count++ == 0) begin = time(k);
    end = time(k);
  }
  return count < kFewestValues ? 0.0 : (end - begin) / static_cast<double>(count - 1);
}

void note_alarm(const SignalWatch& watch, const Seen& seen, double time, bool before,
                WatchReport& report) {
  if (watch.alarm() && !before) {
    report.alarms.push_back({.begin = watch.since(),
                             .onset = watch.onset(),
                             .direction = watch.direction(),
                             .value = seen.value,
                             .deviation = seen.deviation});
  }
  if (before && !watch.alarm()) report.alarms.back().end = time;
}

WatchReport watched(const ObserverEstimate& estimate, const Eigen::Ref<const VectorXd>& time,
                    const WatchedSignal& signal, Index column, Index first) {
  const bool is_state = signal.sensor < 0;
  WatchReport report;
  report.signal = signal;
  report.from = time(first);
  report.statistic = VectorXd::Constant(time.size(), std::numeric_limits<double>::quiet_NaN());
  const double step = mean_step(estimate, time, is_state, column, first);
  SignalWatch watch(signal, step);
  double deviations = 0.0;
  for (Index k = first; k < time.size(); ++k) {
    const Seen seen = seen_at(estimate, is_state, column, k);
    if (!counts(seen)) continue;
    const bool before = watch.alarm();
    const bool begun = watch.begun();
    (void)watch.take(time(k), seen.value, seen.deviation);
    if (!begun) continue;
    deviations += seen.deviation;
    report.statistic(k) = watch.statistic();
    note_alarm(watch, seen, time(k), before, report);
  }
  report.begun = watch.begun();
  report.design = watch.design();
  report.values = watch.values();
  if (is_state && report.values > 0) {
    report.least_excess = report.design.limit * deviations / static_cast<double>(report.values);
  }
  return report;
}

}  // namespace

ObserverWatch::ObserverWatch(const Observer& observer, const std::vector<WatchedSignal>& signals,
                             const std::vector<double>& steps)
    : rows_(rows_of(signals, observer.state_names(), observer.outputs())) {
  if (!steps.empty()) {
    check::size(kWatch, "steps", static_cast<long long>(steps.size()),
                static_cast<long long>(signals.size()));
  }
  for (std::size_t i = 0; i < signals.size(); ++i) {
    watches_.emplace_back(signals[i], steps.empty() ? 0.0 : steps[i]);
  }
}

void ObserverWatch::take(const Observer& observer, const ObserverStep& step, double time) {
  const bool used = step.update.used > 0 && step.update.accepted;
  for (std::size_t i = 0; i < watches_.size(); ++i) {
    if (watches_[i].signal().sensor < 0) {
      (void)watches_[i].take(time, observer.mean()(rows_[i]), observer.deviation(rows_[i]));
      continue;
    }
    const Seen seen = innovation_of(observer.innovation(), used, rows_[i]);
    (void)watches_[i].take(time, seen.value, seen.deviation);
  }
}

std::vector<WatchReport> watch_record(const ObserverEstimate& estimate,
                                      const Eigen::Ref<const VectorXd>& time,
                                      const std::vector<WatchedSignal>& signals, Index first) {
  const char* const name = "watch_record";
  check::size(name, "time", time.size(), estimate.mean.rows());
  check::in_range(name, "first", static_cast<double>(first), 0.0,
                  static_cast<double>(time.size() - 1));
  const std::vector<int> columns = rows_of(signals, estimate.names, estimate.outputs);
  std::vector<WatchReport> reports;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    reports.push_back(watched(estimate, time, signals[i], columns[i], first));
  }
  return reports;
}

}  // namespace alembert::estimate
