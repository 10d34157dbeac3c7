#include "alembert/study/observe_stream.hpp"

#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/estimate/live_observer.hpp"
#include "study/tasks/observe/describe_watch.hpp"
#include "study/tasks/observe/stream/stream_table.hpp"

namespace alembert::study {
namespace {

// A reading that comes late is not part of the row that is watched.
void check_watched_are_prompt(const ObserveStudy& study) {
  for (const estimate::WatchedSignal& one : study.options.watch) {
    if (one.sensor < 0 || study.columns[static_cast<std::size_t>(one.sensor)].delay == 0.0) {
      continue;
    }
    throw StudyError(
        {.file = study.file.string()},
        fmt::format("observe.watch.{} needs a sensor without delay in a stream", one.name));
  }
}

// A stream cannot look back on all of its readings.
void check_settings(const ObserveStudy& study) {
  const auto fail = [&](const std::string& reason) {
    throw StudyError({.file = study.file.string()}, reason);
  };
  if (study.options.form == estimate::ObserverForm::TwoStage) {
    fail(
        "observe.form = \"two-stage\" needs a whole record; in a stream take \"output\", which "
        "finds "
        "forces and motion together");
  }
  if (!study.options.fit_sigma.empty()) {
    fail("observe.fit-sigma needs a whole record; `alembert run` finds sigma");
  }
  if (study.options.fit_density) {
    fail("observe.density is needed for a stream; `alembert run` on a record finds one");
  }
  check_watched_are_prompt(study);
}

estimate::LiveOptions live_options(const ObserveStudy& study) {
  estimate::LiveOptions options;
  static_cast<estimate::KinematicObserverOptions&>(options) = study.options;
  options.given = study.options.given;
  options.watch = study.options.watch;
  for (const SensorColumn& one : study.columns) options.delays.push_back(one.delay);
  return options;
}

}  // namespace

struct ObserveStream::State {
  State(ObserveStudy given, const StreamOptions& given_options)
      : study(std::move(given)),
        options(given_options),
        table(study),
        live(study.mechanism, live_options(study)) {}

  ObserveStudy study;
  StreamOptions options;
  StreamTable table;
  estimate::LiveObserver live;
  bool has_header = false;
  std::size_t failed = 0, skipped = 0;
  std::string first_skipped;
  std::string out, news;
  std::vector<bool> alarms;          // of each watch, after the last row
  std::vector<std::string> watched;  // what each watches, in words

  [[nodiscard]] bool take_row(std::string_view line);
  void push();
  void finish();
  void write_estimates();
  void write_header();
  void write_row();
  void write_alarms();
  [[noreturn]] void fail(const InvalidInput& error) const {
    throw StudyError({.file = study.file.string()}, "observe: " + error.reason());
  }
};

// False for a line without readings, and for a row that cannot be read where such are skipped.
bool ObserveStream::State::take_row(std::string_view line) {
  if (!options.skip_bad || !table.begun()) return table.take(line) == StreamTable::Line::Row;
  try {
    return table.take(line) == StreamTable::Line::Row;
  } catch (const DataError& error) {
    if (++skipped == 1) first_skipped = error.what();
    return false;
  }
}

void ObserveStream::State::push() {
  try {
    live.push(table.time(), table.readings());
  } catch (const InvalidInput& error) {
    fail(error);
  }
}

void ObserveStream::State::finish() {
  try {
    live.finish();
  } catch (const InvalidInput& error) {
    fail(error);
  }
}

void ObserveStream::State::write_header() {
  has_header = true;
  out += "t [s]";
  for (const estimate::StateColumn& state :
       estimate::state_columns(*study.mechanism, study.options, live.observer().state_names())) {
    fmt::format_to(std::back_inserter(out), ",{0} [{1}],{0}_std [{1}]", state.column, state.unit);
  }
  out += ",nis,used";
  for (const estimate::WatchedSignal& one : study.options.watch) {
    out += ",alarm_" + one.name;
    watched.push_back(
        watched_words(*study.mechanism, study.options, live.observer().state_names(), one));
  }
  alarms.assign(watched.size(), false);
}

void ObserveStream::State::write_row() {
  const estimate::Observer& observer = live.observer();
  const estimate::UpdateReport& update = live.step().update;
  if (!out.empty()) out += '\n';
  fmt::format_to(std::back_inserter(out), "{}", live.time());
  for (int i = 0; i < observer.states(); ++i) {
    fmt::format_to(std::back_inserter(out), ",{:.9g},{:.4g}", observer.mean()(i),
                   observer.deviation(i));
  }
  if (update.accepted && update.used > 0) {
    fmt::format_to(std::back_inserter(out), ",{:.4g},{}", update.nis, live.used());
  } else {
    fmt::format_to(std::back_inserter(out), ",,{}", live.used());
  }
  write_alarms();
}

void ObserveStream::State::write_alarms() {
  for (std::size_t i = 0; i < alarms.size(); ++i) {
    const estimate::SignalWatch& watch = live.watch()[i];
    out += watch.alarm() ? ",1" : ",0";
    if (watch.alarm() == alarms[i]) continue;
    alarms[i] = watch.alarm();
    fmt::format_to(std::back_inserter(news), "{} {}: {}, t = {:.6g} s\n",
                   alarms[i] ? "ALARM" : "over ", watch.signal().name, watched[i], live.time());
  }
}

void ObserveStream::State::write_estimates() {
  if (live.started() && !has_header) write_header();
  while (live.next()) {
    if (live.step().status != Status::Success) ++failed;
    write_row();
  }
}

ObserveStream::ObserveStream(ObserveStudy study, const StreamOptions& options) {
  check_settings(study);
  state_ = std::make_unique<State>(std::move(study), options);
}
ObserveStream::~ObserveStream() = default;
ObserveStream::ObserveStream(ObserveStream&&) noexcept = default;
ObserveStream& ObserveStream::operator=(ObserveStream&&) noexcept = default;

std::string_view ObserveStream::take(std::string_view line) {
  state_->out.clear();
  state_->news.clear();
  if (state_->take_row(line)) {
    state_->push();
    state_->write_estimates();
  }
  return state_->out;
}

std::string_view ObserveStream::finish() {
  state_->out.clear();
  state_->news.clear();
  state_->finish();
  state_->write_estimates();
  return state_->out;
}

std::string_view ObserveStream::news() const { return state_->news; }
std::size_t ObserveStream::rows() const { return state_->table.rows(); }
std::size_t ObserveStream::waiting() const { return rows() - state_->live.taken(); }
std::size_t ObserveStream::failed() const { return state_->failed; }
std::size_t ObserveStream::rejected() const { return state_->live.rejected(); }
std::size_t ObserveStream::widened() const { return state_->live.widened(); }
std::size_t ObserveStream::lost() const { return state_->live.lost(); }
std::size_t ObserveStream::skipped() const { return state_->skipped; }
const std::string& ObserveStream::first_skipped() const { return state_->first_skipped; }

Verdict ObserveStream::verdict() const {
  Verdict verdict = state_->live.verdict();
  if (state_->skipped == 0) return verdict;
  if (verdict.level == TrustLevel::Good) verdict.level = TrustLevel::Caution;
  verdict.reasons.push_back(fmt::format("{} rows could not be read and were skipped, first {}",
                                        state_->skipped, state_->first_skipped));
  return verdict;
}

}  // namespace alembert::study
