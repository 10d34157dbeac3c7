#include "alembert/estimate/live_observer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "estimate/observe/live_judge.hpp"
#include "estimate/observe/live_start.hpp"

namespace alembert::estimate {

namespace {

constexpr double kNothingRead = std::numeric_limits<double>::quiet_NaN();
// Steps that are kept where a sensor is late; two of them for a row if instants lie between rows.
constexpr int kLateSteps = 4000;
// As those that are not judged.
constexpr std::size_t kRowsBeforeWatch = 100;

std::vector<double> delays_of(const model::planar::Mechanism& mechanism,
                              const std::vector<double>& given) {
  const auto sensors = static_cast<std::size_t>(mechanism.sensors());
  if (given.empty()) return std::vector<double>(sensors, 0.0);
  check::size("LiveObserver", "delays", static_cast<long long>(given.size()), mechanism.sensors());
  return given;
}

void check_watched_are_prompt(const std::vector<WatchedSignal>& watch,
                              const std::vector<double>& delays) {
  for (const WatchedSignal& one : watch) {
    if (one.sensor < 0 || static_cast<std::size_t>(one.sensor) >= delays.size()) continue;
    const double delay = delays[static_cast<std::size_t>(one.sensor)];
    if (delay == 0.0) continue;
    throw InvalidInput({.function = "LiveObserver",
                        .item = fmt::format("watch '{}'", one.name),
                        .argument = "sensor",
                        .rule = "must be one without delay",
                        .value = fmt::format("{} s", delay)});
  }
}

bool any_is_late(const std::vector<double>& delays) {
  return std::any_of(delays.begin(), delays.end(), [](double d) { return d != 0.0; });
}

}  // namespace

struct LiveObserver::State {
  struct Stamped {
    double instant;
    double value;
  };

  State(std::shared_ptr<const model::planar::Mechanism> given_mechanism, LiveOptions given_options)
      : mechanism(std::move(given_mechanism)),
        options(std::move(given_options)),
        delays(delays_of(*mechanism, options.delays)),
        start(*mechanism, options.given, delays),
        waiting(delays.size()),
        prompt(delays.size(), kNothingRead),
        late(prompt) {
    options.late_steps = any_is_late(delays) ? kLateSteps : 0;
    check_watched_are_prompt(options.watch, delays);
  }

  void begin_now();
  void take(double time, std::span<const double> readings);
  void queue_late(double time, std::span<const double> readings);
  [[nodiscard]] bool next_late(double time, double& instant);
  void take_late();
  void count(const ObserverStep& one);

  std::shared_ptr<const model::planar::Mechanism> mechanism;  // constant, shared with the observer
  LiveOptions options;
  std::vector<double> delays;  // of the sensors
  LiveStart start;
  std::size_t next_row = 0;  // of start.rows()
  double last_pushed = -std::numeric_limits<double>::infinity();
  std::optional<KinematicObserver> observer;
  std::optional<LiveJudge> judge;
  std::optional<ObserverWatch> watch;
  double begin = 0.0, time = 0.0;
  ObserverStep step;
  std::vector<std::deque<Stamped>> waiting;  // readings of each sensor that are not taken yet
  std::vector<double> prompt, late;
  int used = 0;
  std::size_t taken = 0, rejected = 0, widened = 0, lost = 0;
};

// Rows before the instant of the start have no estimate.
void LiveObserver::State::begin_now() {
  begin = time = start.begin(*mechanism, options.given, options.start);
  observer.emplace(mechanism, options);
  judge.emplace(*mechanism, *observer);
  watch.emplace(*observer, options.watch);
  while (next_row < start.rows().size() && start.rows().time(next_row) < begin) ++next_row;
}

void LiveObserver::State::queue_late(double row_time, std::span<const double> readings) {
  for (std::size_t s = 0; s < readings.size(); ++s) {
    if (delays[s] == 0.0 || std::isnan(readings[s])) continue;
    const double instant = row_time - delays[s];
    if (instant >= begin) waiting[s].push_back({instant, readings[s]});
  }
}

// The readings of the earliest instant until a time that are not taken yet; false: there are none.
bool LiveObserver::State::next_late(double until, double& instant) {
  instant = std::numeric_limits<double>::infinity();
  for (const std::deque<Stamped>& queue : waiting) {
    if (!queue.empty()) instant = std::min(instant, queue.front().instant);
  }
  if (!(instant <= until)) return false;
  for (std::size_t s = 0; s < waiting.size(); ++s) {
    const bool has = !waiting[s].empty() && waiting[s].front().instant == instant;
    late[s] = has ? waiting[s].front().value : kNothingRead;
    if (has) waiting[s].pop_front();
  }
  return true;
}

void LiveObserver::State::count(const ObserverStep& one) {
  if (one.update.accepted) used += one.update.used;
  rejected += static_cast<std::size_t>(one.update.rejected);
  if (one.widened) ++widened;
}

void LiveObserver::State::take_late() {
  double instant = 0.0;
  while (next_late(time, instant)) {
    const ObserverStep again = observer->step_late(time - instant, late);
    if (again.status == Status::Stopped) {
      lost += static_cast<std::size_t>(
          std::count_if(late.begin(), late.end(), [](double z) { return !std::isnan(z); }));
      continue;
    }
    count(again);
    if (step.status == Status::Success) step.status = again.status;
  }
}

void LiveObserver::State::take(double row_time, std::span<const double> readings) {
  for (std::size_t s = 0; s < readings.size(); ++s) {
    prompt[s] = delays[s] == 0.0 ? readings[s] : kNothingRead;
  }
  step = observer->step(row_time - time, prompt);
  judge->take(*observer, step, prompt);
  if (taken >= kRowsBeforeWatch) watch->take(*observer, step, row_time);
  time = row_time;
  used = 0;
  count(step);
  queue_late(row_time, readings);
  take_late();
  ++taken;
}

LiveObserver::LiveObserver(std::shared_ptr<const model::planar::Mechanism> mechanism,
                           LiveOptions options)
    : state_(std::make_unique<State>(std::move(mechanism), std::move(options))) {}
LiveObserver::~LiveObserver() = default;
LiveObserver::LiveObserver(LiveObserver&&) noexcept = default;
LiveObserver& LiveObserver::operator=(LiveObserver&&) noexcept = default;

void LiveObserver::push(double time, std::span<const double> readings) {
  State& me = *state_;
  check::size("LiveObserver", "readings", static_cast<long long>(readings.size()),
              static_cast<long long>(me.delays.size()));
  if (!(time > me.last_pushed) || !std::isfinite(time)) {
    throw InvalidInput({.function = "LiveObserver",
                        .argument = "time",
                        .rule = "must rise",
                        .value = fmt::format("{} after {}", time, me.last_pushed)});
  }
  me.last_pushed = time;
  if (me.observer) {
    me.start.rows().add(time, readings);
    return;
  }
  me.start.take(time, readings);
  if (me.start.ready()) me.begin_now();
}

void LiveObserver::finish() {
  if (!state_->observer && state_->start.possible()) state_->begin_now();
}

bool LiveObserver::next() {
  State& me = *state_;
  LiveRows& rows = me.start.rows();
  if (!me.observer) return false;
  if (me.next_row == rows.size()) return false;
  me.take(rows.time(me.next_row), rows.readings(me.next_row));
  ++me.next_row;
  if (me.next_row == rows.size()) {
    rows.clear();
    me.next_row = 0;
  }
  return true;
}

bool LiveObserver::started() const { return state_->observer.has_value(); }
const Observer& LiveObserver::observer() const { return *state_->observer; }
double LiveObserver::time() const { return state_->time; }
const ObserverStep& LiveObserver::step() const { return state_->step; }
int LiveObserver::used() const { return state_->used; }
const std::vector<SignalWatch>& LiveObserver::watch() const {
  static const std::vector<SignalWatch> none;
  return state_->watch ? state_->watch->signals() : none;
}
std::size_t LiveObserver::taken() const { return state_->taken; }
std::size_t LiveObserver::rejected() const { return state_->rejected; }
std::size_t LiveObserver::widened() const { return state_->widened; }
std::size_t LiveObserver::lost() const { return state_->lost; }

Verdict LiveObserver::verdict() const {
  Evidence evidence;
  if (!state_->judge) {
    evidence.add(TrustLevel::Caution, "there is no estimate yet");
    return evidence.verdict();
  }
  state_->judge->judge(*state_->mechanism, *state_->observer, evidence);
  if (state_->widened > 0) {
    evidence.add(TrustLevel::Caution,
                 fmt::format("the gate lost the motion and was opened {} times", state_->widened));
  }
  if (state_->lost > 0) {
    evidence.add(TrustLevel::Caution,
                 fmt::format("{} readings came too late to be used", state_->lost),
                 "look at the delays of the sensors");
  }
  return evidence.verdict();
}

}  // namespace alembert::estimate
