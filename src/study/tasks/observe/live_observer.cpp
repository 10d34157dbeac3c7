#include "study/tasks/observe/live_observer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/mapped.hpp"

namespace alembert::study {
namespace {

constexpr double kNothingRead = std::numeric_limits<double>::quiet_NaN();
// Steps that are kept where a sensor is late; two of them for a row if instants lie between rows.
constexpr int kLateSteps = 4000;

estimate::KinematicObserverOptions with_late_steps(estimate::KinematicObserverOptions options,
                                                   const std::vector<double>& delays) {
  const bool prompt = std::all_of(delays.begin(), delays.end(), [](double d) { return d == 0.0; });
  options.late_steps = prompt ? 0 : kLateSteps;
  return options;
}

}  // namespace

LiveObserver::LiveObserver(const ObserveStudy& study, double begin)
    : delays_(mapped(study.columns, [](const SensorColumn& one) { return one.delay; })),
      observer_(study.mechanism, with_late_steps(study.options, delays_)),
      begin_(begin),
      time_(begin),
      waiting_(delays_.size()),
      prompt_(delays_.size(), kNothingRead),
      late_(prompt_) {}

void LiveObserver::queue_late(double time, const std::vector<double>& readings) {
  for (std::size_t s = 0; s < readings.size(); ++s) {
    if (delays_[s] == 0.0 || std::isnan(readings[s])) continue;
    const double instant = time - delays_[s];
    if (instant >= begin_) waiting_[s].push_back({instant, readings[s]});
  }
}

// The readings of the earliest instant until `time` that are not taken yet; false: there are none.
bool LiveObserver::next_late(double time, double& instant) {
  instant = std::numeric_limits<double>::infinity();
  for (const std::deque<Stamped>& queue : waiting_) {
    if (!queue.empty()) instant = std::min(instant, queue.front().instant);
  }
  if (!(instant <= time)) return false;
  for (std::size_t s = 0; s < waiting_.size(); ++s) {
    const bool has = !waiting_[s].empty() && waiting_[s].front().instant == instant;
    late_[s] = has ? waiting_[s].front().value : kNothingRead;
    if (has) waiting_[s].pop_front();
  }
  return true;
}

void LiveObserver::count(const estimate::ObserverStep& step) {
  if (step.update.accepted) used_ += step.update.used;
  rejected_ += static_cast<std::size_t>(step.update.rejected);
  if (step.widened) ++widened_;
}

estimate::ObserverStep LiveObserver::take(double time, const std::vector<double>& readings) {
  for (std::size_t s = 0; s < readings.size(); ++s) {
    prompt_[s] = delays_[s] == 0.0 ? readings[s] : kNothingRead;
  }
  estimate::ObserverStep result = observer_.step(time - time_, prompt_);
  time_ = time;
  used_ = 0;
  count(result);
  queue_late(time, readings);
  double instant = 0.0;
  while (next_late(time, instant)) {
    const estimate::ObserverStep late = observer_.step_late(time - instant, late_);
    if (late.status == Status::Stopped) {
      lost_ += static_cast<std::size_t>(
          std::count_if(late_.begin(), late_.end(), [](double z) { return !std::isnan(z); }));
      continue;
    }
    count(late);
    if (result.status == Status::Success) result.status = late.status;
  }
  return result;
}

}  // namespace alembert::study
