#include "alembert/study/observe_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/io/csv.hpp"
#include "study/check_keys.hpp"
#include "study/mapped.hpp"
#include "study/read_observe.hpp"
#include "study/read_simulate.hpp"
#include "study/rule_of.hpp"

namespace alembert::study {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kInput = "standard input";

std::vector<std::string_view> cells_of(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(separator, begin), line.size());
    cells.push_back(trimmed(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return cells;
}

bool is_missing(std::string_view cell) {
  return cell.empty() || cell == "-" || cell == "NA" || cell == "nan" || cell == "NaN" ||
         cell == "NAN";
}

char separator_of(std::string_view header) {
  for (const char c : {'\t', ';', ','}) {
    if (header.find(c) != std::string_view::npos) return c;
  }
  return ',';
}

// Names and units as the reader of files understands them: it is shown a table of one row.
std::vector<signal::Channel> header_channels(std::string_view header, char separator) {
  const auto separators =
      static_cast<std::size_t>(std::count(header.begin(), header.end(), separator));
  std::string text(header);
  text += "\n0";
  for (std::size_t i = 0; i < separators; ++i) text += std::string(1, separator) + "0";
  return io::read_csv_text(text + "\n", {.step = 1.0},
                           {.separator = separator,
                            .decimal_mark = '.',
                            .header = io::CsvHeader::Present,
                            .threads = 1},
                           kInput)
      .channels();
}

bool looks_like_time(const std::string& name) {
  return name == "t" || name == "T" || name == "time" || name == "Time";
}

}  // namespace

struct ObserveStream::State {
  ObserveStudy study;
  std::optional<estimate::KinematicObserver> observer;
  std::size_t line = 0, rows = 0, failed = 0, rejected = 0;
  char separator = ',';
  bool begun = false;
  std::vector<signal::Channel> columns;
  std::optional<std::size_t> time_at;
  double time_factor = 1.0;
  std::vector<std::size_t> sensor_at;
  std::vector<double> readings;
  double time = 0.0;
  std::string out;

  [[noreturn]] void fail(const std::string& reason, std::size_t column = 0) const {
    throw DataError({.file = kInput, .line = line, .column = column}, reason);
  }
  void find_time();
  void find_sensors();
  void begin(std::string_view header);
  double number(std::string_view line_text, std::string_view cell) const;
  double next_time(std::string_view text, const std::vector<std::string_view>& cells);
  void begin_observer();
  void write_header();
  void write_row();
  void row(std::string_view text);
};

void ObserveStream::State::find_time() {
  const auto names = mapped(columns, [](const signal::Channel& one) { return one.name; });
  if (!study.time_column.empty()) {
    const auto found = std::find(names.begin(), names.end(), study.time_column);
    if (found == names.end()) {
      fail(fmt::format("data.time: no column \"{}\"{}", study.time_column,
                       suggestion(study.time_column, names)));
    }
    time_at = static_cast<std::size_t>(found - names.begin());
  } else if (study.step == 0.0) {
    if (!looks_like_time(names.front())) {
      fail("the first column is no time; give data.time or data.step");
    }
    time_at = 0;
  }
  if (!time_at || columns[*time_at].unit.empty()) return;
  const std::optional<double> factor = conversion(columns[*time_at].unit, "s");
  if (!factor) fail(fmt::format("column \"{}\" is no time in s", names[*time_at]));
  time_factor = *factor;
}

void ObserveStream::State::find_sensors() {
  const auto names = mapped(columns, [](const signal::Channel& one) { return one.name; });
  for (std::size_t i = 0; i < study.columns.size(); ++i) {
    SensorColumn& use = study.columns[i];
    const auto found = std::find(names.begin(), names.end(), use.column);
    if (found == names.end()) {
      fail(fmt::format("no column \"{}\"{}", use.column, suggestion(use.column, names)));
    }
    sensor_at.push_back(static_cast<std::size_t>(found - names.begin()));
    use.column_unit = columns[sensor_at.back()].unit;
    use.factor = reading_factor(
        {.key = "data.sensors", .column = use.column, .place = {.file = kInput, .line = line}}, use,
        study.mechanism->description().sensors[i], study.notes);
  }
  readings.assign(study.columns.size(), kMissing);
}

void ObserveStream::State::begin(std::string_view header) {
  separator = separator_of(header);
  columns = header_channels(header, separator);
  find_time();
  find_sensors();
  begun = true;
}

double ObserveStream::State::number(std::string_view text, std::string_view cell) const {
  if (is_missing(cell)) return kMissing;
  const char* begin = cell.data() + (cell.front() == '+' ? 1 : 0);
  const char* const end = cell.data() + cell.size();
  double value = 0.0;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error == std::errc() && stop == end && std::isfinite(value)) return value;
  fail(fmt::format("\"{}\" is not a number", cell),
       static_cast<std::size_t>(cell.data() - text.data()) + 1);
}

double ObserveStream::State::next_time(std::string_view text,
                                       const std::vector<std::string_view>& cells) {
  if (!time_at) return rows == 0 ? 0.0 : time + study.step;
  const double now = time_factor * number(text, cells[*time_at]);
  if (std::isnan(now)) fail("the row has no time");
  if (rows > 0 && !(now > time)) {
    fail(fmt::format("times must rise, got {} s after {} s", shortest(now), shortest(time)));
  }
  return now;
}

void ObserveStream::State::begin_observer() {
  if (study.fit_density) {
    throw StudyError(
        {.file = study.file.string()},
        "observe.density is needed for a stream; `alembert run` on a record finds one");
  }
  if (study.start_from_readings) {
    const Eigen::MatrixXd first = Eigen::Map<const Eigen::RowVectorXd>(
        readings.data(), static_cast<Eigen::Index>(readings.size()));
    study.options.start.z = coordinates_from_readings(*study.mechanism, first);
    if (!study.options.start.z.allFinite()) {
      fail("the first row does not give all coordinates; give observe.start.coordinates");
    }
  }
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
  out += '\n';
}

void ObserveStream::State::write_row() {
  fmt::format_to(std::back_inserter(out), "{}", time);
  const Eigen::MatrixXd covariance = observer->covariance();
  for (Eigen::Index i = 0; i < observer->mean().size(); ++i) {
    fmt::format_to(std::back_inserter(out), ",{:.9g},{:.4g}", observer->mean()(i),
                   std::sqrt(std::max(0.0, covariance(i, i))));
  }
}

void ObserveStream::State::row(std::string_view text) {
  const std::vector<std::string_view> cells = cells_of(text, separator);
  if (cells.size() != columns.size()) {
    fail(fmt::format("the row has {} cells, the header {}", cells.size(), columns.size()));
  }
  const double now = next_time(text, cells);
  for (std::size_t i = 0; i < readings.size(); ++i) {
    readings[i] = study.columns[i].factor * number(text, cells[sensor_at[i]]);
  }
  const double step = rows == 0 ? 0.0 : now - time;
  time = now;
  if (!observer) {
    begin_observer();
    write_header();
  }
  const estimate::ObserverStep result = observer->step(step, readings);
  ++rows;
  if (result.status != Status::Success) {
    ++failed;
  } else if (!result.update.accepted && result.update.used > 0) {
    ++rejected;
  }
  write_row();
}

ObserveStream::ObserveStream(ObserveStudy study) : state_(std::make_unique<State>()) {
  state_->study = std::move(study);
}
ObserveStream::~ObserveStream() = default;
ObserveStream::ObserveStream(ObserveStream&&) noexcept = default;
ObserveStream& ObserveStream::operator=(ObserveStream&&) noexcept = default;

std::string_view ObserveStream::take(std::string_view line) {
  State& me = *state_;
  ++me.line;
  me.out.clear();
  const std::string_view text = trimmed(line);
  if (text.empty() || text.front() == '#') return me.out;
  if (me.begun) {
    me.row(line.back() == '\r' ? line.substr(0, line.size() - 1) : line);
  } else {
    me.begin(text);
  }
  return me.out;
}

std::size_t ObserveStream::rows() const { return state_->rows; }
std::size_t ObserveStream::failed() const { return state_->failed; }
std::size_t ObserveStream::rejected() const { return state_->rejected; }

}  // namespace alembert::study
