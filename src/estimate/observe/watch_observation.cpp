#include "estimate/observe/watch_observation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/estimate/watch/jump_response.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kPlaces = 5;

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
