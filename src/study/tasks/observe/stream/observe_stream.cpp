#include "alembert/study/observe_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "alembert/core/error.hpp"
#include "study/tasks/observe/live_observer.hpp"
#include "study/tasks/observe/live_start.hpp"
#include "study/tasks/observe/stream/stream_table.hpp"

namespace alembert::study {

struct ObserveStream::State {
  explicit State(ObserveStudy given) : study(std::move(given)), table(study), start(study) {}

  ObserveStudy study;
  StreamTable table;
  LiveStart start;
  std::optional<LiveObserver> live;
  std::size_t taken = 0, failed = 0;
  std::string out;

  void check_settings() const;
  void begin();
  void take(double time, const std::vector<double>& readings);
  void write_header();
  void write_row(double time, const estimate::ObserverStep& step);
  void row();
};

void ObserveStream::State::check_settings() const {
  const auto fail = [&](const std::string& reason) {
    throw StudyError({.file = study.file.string()}, reason);
  };
  if (!study.fit_sigma.empty()) {
    fail("observe.fit-sigma needs a whole record; `alembert run` finds sigma");
  }
  if (study.fit_density) {
    fail("observe.density is needed for a stream; `alembert run` on a record finds one");
  }
}

// Starts the observer and takes the rows that were gathered for that.
void ObserveStream::State::begin() {
  const double instant = start.begin(study);
  try {
    live.emplace(study, instant);
  } catch (const InvalidInput& error) {
    throw StudyError({.file = study.file.string()}, "observe: " + error.reason());
  }
  write_header();
  for (const LiveRow& row : start.rows()) {
    if (row.time >= instant) take(row.time, row.readings);
  }
}

void ObserveStream::State::write_header() {
  out += "t [s]";
  for (const StateColumn& state : state_columns(study, live->observer().state_names())) {
    fmt::format_to(std::back_inserter(out), ",{0} [{1}],{0}_std [{1}]", state.column, state.unit);
  }
  out += ",nis,used";
}

void ObserveStream::State::write_row(double time, const estimate::ObserverStep& step) {
  const estimate::KinematicObserver& observer = live->observer();
  if (!out.empty()) out += '\n';
  fmt::format_to(std::back_inserter(out), "{}", time);
  const Eigen::MatrixXd covariance = observer.covariance();
  for (Eigen::Index i = 0; i < observer.mean().size(); ++i) {
    fmt::format_to(std::back_inserter(out), ",{:.9g},{:.4g}", observer.mean()(i),
                   std::sqrt(std::max(0.0, covariance(i, i))));
  }
  if (step.update.accepted && step.update.used > 0) {
    fmt::format_to(std::back_inserter(out), ",{:.4g},{}", step.update.nis, live->used());
  } else {
    fmt::format_to(std::back_inserter(out), ",,{}", live->used());
  }
}

void ObserveStream::State::take(double time, const std::vector<double>& readings) {
  const estimate::ObserverStep step = live->take(time, readings);
  ++taken;
  if (step.status != Status::Success) ++failed;
  write_row(time, step);
}

void ObserveStream::State::row() {
  if (live) {
    take(table.time(), table.readings());
    return;
  }
  start.take(table.time(), table.readings());
  if (start.ready()) begin();
}

ObserveStream::ObserveStream(ObserveStudy study)
    : state_(std::make_unique<State>(std::move(study))) {
  state_->check_settings();
}
ObserveStream::~ObserveStream() = default;
ObserveStream::ObserveStream(ObserveStream&&) noexcept = default;
ObserveStream& ObserveStream::operator=(ObserveStream&&) noexcept = default;

std::string_view ObserveStream::take(std::string_view line) {
  state_->out.clear();
  if (state_->table.take(line) == StreamTable::Line::Row) state_->row();
  return state_->out;
}

std::string_view ObserveStream::finish() {
  state_->out.clear();
  if (!state_->live && state_->start.possible()) state_->begin();
  return state_->out;
}

std::size_t ObserveStream::rows() const { return state_->table.rows(); }
std::size_t ObserveStream::waiting() const { return rows() - state_->taken; }
std::size_t ObserveStream::failed() const { return state_->failed; }
std::size_t ObserveStream::rejected() const { return state_->live ? state_->live->rejected() : 0; }
std::size_t ObserveStream::widened() const { return state_->live ? state_->live->widened() : 0; }
std::size_t ObserveStream::lost() const { return state_->live ? state_->live->lost() : 0; }

}  // namespace alembert::study
