#include "estimate/observe/watch_observation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/estimate/watch/jump_response.hpp"
#include "estimate/watch/watch_spread.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kPlaces = 5;
constexpr double kKeptPart = 0.5;  // of the promised time
constexpr double kMostDeviations = 4.0;

bool asks_for_delay(const WatchReport& report) {
  return report.signal.sensor < 0 && report.signal.change && report.begun;
}

// Places of the scored part, evenly, the last one among them.
std::vector<Index> places_of(Index samples, Index scored) {
  std::vector<Index> places;
  for (Index i = 1; i <= kPlaces; ++i) {
    const Index place = samples - scored + (scored * i) / kPlaces - 1;
    if (places.empty() || place > places.back()) places.push_back(place);
  }
  return places;
}

bool inputs_are_known(const Observer& observer, const VectorXd& readings) {
  const std::vector<int>& inputs = observer.model().layout().inputs;
  return std::none_of(inputs.begin(), inputs.end(),
                      [&](int sensor) { return std::isnan(readings(sensor)); });
}

/// Delays of each watched state at each place.
std::vector<std::vector<double>> delays_along(const Eigen::Ref<const VectorXd>& time,
                                              const Eigen::Ref<const MatrixXd>& readings,
                                              const ObserveResult& result) {
  KinematicObserver observer(result.mechanism, result.options);
  std::vector<std::vector<double>> delays(result.watch.size());
  const double step = (time(time.size() - 1) - time(0)) / static_cast<double>(time.size() - 1);
  const std::vector<std::string>& names = observer.state_names();
  // The last reading of each sensor: inputs may come less often.
  VectorXd row = VectorXd::Constant(readings.cols(), std::nan("")), known = row;
  Index sample = 0;
  for (const Index place : places_of(time.size(), result.scored)) {
    for (; sample <= place; ++sample) {
      row = readings.row(sample).transpose();
      known = row.array().isNaN().select(known, row);
      const double since = sample == 0 ? 0.0 : time(sample) - time(sample - 1);
      (void)observer.step(since, {row.data(), static_cast<std::size_t>(row.size())});
    }
    if (!inputs_are_known(observer, known)) continue;
    for (std::size_t i = 0; i < result.watch.size(); ++i) {
      const WatchReport& report = result.watch[i];
      if (!asks_for_delay(report)) continue;
      const auto state = std::find(names.begin(), names.end(), report.signal.state);
      delays[i].push_back(detection_delay(
          observer, step, {known.data(), static_cast<std::size_t>(known.size())},
          static_cast<int>(state - names.begin()), *report.signal.change, report.design.limit));
    }
  }
  return delays;
}

// Median and longest.
void take_delays(std::vector<double> delays, WatchReport& report) {
  if (delays.empty()) return;
  std::sort(delays.begin(), delays.end());
  report.delay = delays[delays.size() / 2];
  report.longest_delay = delays.back();
}

// The promised time, or less where the innovations between the alarms spread more than white ones.
double false_alarms_every(const ObserverEstimate& estimate, const Eigen::Ref<const VectorXd>& time,
                          const WatchReport& report) {
  const auto found =
      std::find(estimate.outputs.begin(), estimate.outputs.end(), report.signal.sensor);
  const auto column = static_cast<Index>(found - estimate.outputs.begin());
  WatchSpread spread(report.design);
  auto alarm = report.alarms.begin();
  for (Index k = 0; k < time.size(); ++k) {
    if (std::isnan(report.statistic(k))) continue;
    // NaN: the alarm lasts.
    while (alarm != report.alarms.end() && time(k) >= alarm->end) ++alarm;
    if (alarm != report.alarms.end() && time(k) >= alarm->begin) {
      spread.begin_anew();
      continue;
    }
    const double z = estimate.innovation(k, column) /
                     (estimate.innovation_deviation(k, column) * report.design.scale);
    spread.add(std::clamp(z, -kMostDeviations, kMostDeviations));
  }
  return spread.false_alarms_every();
}

// Innovations of the highest sensor may be correlated and the verdict good, but then the promise
// is not kept.
void warn_of_spread(const ObserverEstimate& estimate, const Eigen::Ref<const VectorXd>& time,
                    const WatchReport& report, std::vector<std::string>& warnings) {
  if (!report.begun || report.signal.sensor < 0) return;
  const double promised = report.signal.false_alarms_every;
  const double every = false_alarms_every(estimate, time, report);
  if (!(every < kKeptPart * promised)) return;
  warnings.push_back(fmt::format(
      "watch {}: the innovations are correlated or larger than expected, which raises false alarms "
      "every {:.3g} s or more often in place of {:.3g} s; let it learn from a {}sound stretch, or "
      "find the noise levels anew",
      report.signal.name, every, promised, report.signal.learn > 0.0 ? "longer " : ""));
}

}  // namespace

void watch_observation(const Eigen::Ref<const VectorXd>& time,
                       const Eigen::Ref<const MatrixXd>& readings, ObserveResult& result) {
  const ObserveOptions& options = result.options;
  if (options.watch.empty() || result.scored == 0) return;
  result.watch = watch_record(result.estimate, time, options.watch, time.size() - result.scored);
  for (const WatchReport& report : result.watch) {
    if (report.begun) continue;
    result.warnings.push_back(fmt::format(
        "watch {}: the record is too short for it: it has not begun", report.signal.name));
  }
  for (const WatchReport& report : result.watch) {
    warn_of_spread(result.estimate, time, report, result.warnings);
  }
  if (result.consistency.judged && !result.consistency.good) {
    result.warnings.push_back(
        "the watch may raise more false alarms than promised, and miss others: its deviations are "
        "those of an observer that is not consistent");
  }
  const bool any = std::any_of(result.watch.begin(), result.watch.end(), asks_for_delay);
  // Two stages are no one filter, whose response could be told.
  if (!any || options.form == ObserverForm::TwoStage) return;
  const std::vector<std::vector<double>> delays = delays_along(time, readings, result);
  for (std::size_t i = 0; i < delays.size(); ++i) take_delays(delays[i], result.watch[i]);
}

}  // namespace alembert::estimate
