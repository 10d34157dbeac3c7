#include "alembert/study/observe_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <vector>

#include "alembert/core/error.hpp"
#include "study/rule_of.hpp"
#include "study/start_from_readings.hpp"
#include "study/stream_table.hpp"

namespace alembert::study {
namespace {

constexpr double kNoReading = std::numeric_limits<double>::quiet_NaN();
constexpr int kMostLateSteps = 1000;

}  // namespace

struct ObserveStream::State {
  explicit State(ObserveStudy given)
      : study(std::move(given)),
        table(study),
        last(study.columns.size(), std::numeric_limits<double>::quiet_NaN()),
        last_time(study.columns.size(), 0.0) {}

  ObserveStudy study;
  StreamTable table;
  std::optional<estimate::KinematicObserver> observer;
  std::size_t waiting = 0, taken = 0, failed = 0, rejected = 0;
  double time = 0.0;
  std::vector<double> last, last_time;  // readings until the start
  std::string out;
  std::vector<bool> late;     // sensors whose readings are of a sample before
  std::vector<double> times;  // of the last samples, a ring
  std::vector<double> prompt, delayed;

  void check_settings() const;
  void prepare_delays();
  void take_delayed();
  [[nodiscard]] bool start_is_known();
  void begin_observer();
  void write_header();
  void write_row(const estimate::ObserverStep& step);
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

// Whether all coordinates have been read once; their last readings are then the start, the less
// certain the older they are.
bool ObserveStream::State::start_is_known() {
  if (!study.start_from_readings) return true;
  for (std::size_t i = 0; i < last.size(); ++i) {
    if (std::isnan(table.readings()[i])) continue;
    last[i] = table.readings()[i];
    last_time[i] = table.time();
  }
  const Eigen::MatrixXd readings =
      Eigen::Map<const Eigen::RowVectorXd>(last.data(), static_cast<Eigen::Index>(last.size()));
  const RecordStart found =
      start_from_readings(*study.mechanism, Eigen::VectorXd::Zero(1), readings);
  const auto known = [](const CoordinateStart& one) { return one.known; };
  if (!std::all_of(found.coordinates.begin(), found.coordinates.end(), known)) return false;
  estimate::ObserverStart& start = study.options.start;
  const double oldest = *std::min_element(last_time.begin(), last_time.end());
  const double drift = (table.time() - oldest) * start.sigma_zd;
  start.z.resize(static_cast<Eigen::Index>(found.coordinates.size()));
  double noise = 0.0;
  for (std::size_t i = 0; i < found.coordinates.size(); ++i) {
    start.z(static_cast<Eigen::Index>(i)) = found.coordinates[i].value(0);
    noise = std::max(noise, found.coordinates[i].deviation(0));
  }
  start.sigma_z = std::max(start.sigma_z, std::hypot(3.0 * noise, drift));
  return true;
}

void ObserveStream::State::begin_observer() {
  try {
    observer.emplace(study.mechanism, study.options);
  } catch (const InvalidInput& error) {
    throw StudyError({.file = study.file.string()}, "observe: " + rule_of(error));
  }
}

void ObserveStream::State::write_header() {
  out += "t [s]";
  for (const StateColumn& state : state_columns(study, observer->state_names())) {
    fmt::format_to(std::back_inserter(out), ",{0} [{1}],{0}_std [{1}]", state.column, state.unit);
  }
  out += ",nis,used\n";
}

void ObserveStream::State::write_row(const estimate::ObserverStep& step) {
  fmt::format_to(std::back_inserter(out), "{}", time);
  const Eigen::MatrixXd covariance = observer->covariance();
  for (Eigen::Index i = 0; i < observer->mean().size(); ++i) {
    fmt::format_to(std::back_inserter(out), ",{:.9g},{:.4g}", observer->mean()(i),
                   std::sqrt(std::max(0.0, covariance(i, i))));
  }
  const bool used = step.update.accepted && step.update.used > 0;
  if (used) {
    fmt::format_to(std::back_inserter(out), ",{:.4g},{}", step.update.nis, step.update.used);
  } else {
    out += ",,0";
  }
}

void ObserveStream::State::row() {
  if (!observer) {
    if (!start_is_known()) {
      ++waiting;
      return;
    }
    begin_observer();
    write_header();
    time = table.time();
  }
  for (std::size_t i = 0; i < prompt.size(); ++i) {
    prompt[i] = late[i] ? kNoReading : table.readings()[i];
  }
  const estimate::ObserverStep result = observer->step(table.time() - time, prompt);
  time = table.time();
  if (!times.empty()) take_delayed();
  ++taken;
  if (result.status != Status::Success) {
    ++failed;
  }
  rejected += static_cast<std::size_t>(result.update.rejected);
  write_row(result);
}

// Sensors with a delay correct samples of before.
void ObserveStream::State::prepare_delays() {
  for (const SensorColumn& column : study.columns) late.push_back(column.delay > 0.0);
  prompt.assign(study.columns.size(), kNoReading);
  delayed = prompt;
  if (std::find(late.begin(), late.end(), true) == late.end()) return;
  study.options.late_steps = kMostLateSteps;
  times.assign(kMostLateSteps, kNoReading);
}

// Each delayed reading goes to the sample nearest to its instant; one of before all that are kept
// is lost.
void ObserveStream::State::take_delayed() {
  const auto time_of = [&](std::size_t age) { return times[(taken - age) % times.size()]; };
  times[taken % times.size()] = table.time();
  const std::size_t oldest = std::min(taken, times.size() - 1);
  for (std::size_t i = 0; i < late.size(); ++i) {
    if (!late[i] || std::isnan(table.readings()[i])) continue;
    const double instant = table.time() - study.columns[i].delay;
    if (instant < time_of(oldest)) continue;
    std::size_t age = 0;
    while (age < oldest &&
           std::abs(time_of(age + 1) - instant) <= std::abs(time_of(age) - instant)) {
      ++age;
    }
    std::fill(delayed.begin(), delayed.end(), kNoReading);
    delayed[i] = table.readings()[i];
    (void)observer->step_late(static_cast<int>(age), delayed);
  }
}

ObserveStream::ObserveStream(ObserveStudy study)
    : state_(std::make_unique<State>(std::move(study))) {
  state_->check_settings();
  state_->prepare_delays();
}
ObserveStream::~ObserveStream() = default;
ObserveStream::ObserveStream(ObserveStream&&) noexcept = default;
ObserveStream& ObserveStream::operator=(ObserveStream&&) noexcept = default;

std::string_view ObserveStream::take(std::string_view line) {
  state_->out.clear();
  if (state_->table.take(line) == StreamTable::Line::Row) state_->row();
  return state_->out;
}

std::size_t ObserveStream::rows() const { return state_->table.rows(); }
std::size_t ObserveStream::waiting() const { return state_->waiting; }
std::size_t ObserveStream::failed() const { return state_->failed; }
std::size_t ObserveStream::rejected() const { return state_->rejected; }

}  // namespace alembert::study
