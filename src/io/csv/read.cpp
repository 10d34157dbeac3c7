#include <fmt/core.h>
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/parallel.hpp"
#include "alembert/core/text.hpp"
#include "alembert/io/csv.hpp"
#include "io/csv/body.hpp"
#include "io/csv/layout.hpp"
#include "io/csv/source.hpp"
#include "io/file/memory_limit.hpp"
#include "io/record/record_parts.hpp"
#include "io/record/time_column.hpp"

namespace alembert::io {
namespace {

using csv::Body;
using csv::Layout;
using csv::Source;

constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

// Which columns are wanted, and what gives the time.
struct Plan {
  std::vector<std::size_t> channels;    // columns to store, in this order
  std::size_t time_column = kNoColumn;  // the column with the times, if it is read
  std::vector<std::size_t> left_out;    // columns of dates
  std::optional<double> step;           // s, where the axis is uniform by word; the column, if
  double start = 0.0;                   // read too, must agree with step and start
};

void check_options(const ReadOptions& options, const CsvOptions& csv) {
  const std::string_view separators(",;\t \0", 5);
  const std::string_view marks(".,\0", 3);
  if (separators.find(csv.separator) == std::string_view::npos) {
    throw InvalidInput({.function = "read_csv",
                        .argument = "separator",
                        .rule = "must be ',', ';', tab, blank or 0",
                        .value = fmt::format("'{}'", csv.separator)});
  }
  if (marks.find(csv.decimal_mark) == std::string_view::npos) {
    throw InvalidInput({.function = "read_csv",
                        .argument = "decimal_mark",
                        .rule = "must be '.', ',' or 0",
                        .value = fmt::format("'{}'", csv.decimal_mark)});
  }
  if (options.step) {
    check::positive("read_csv", "step", *options.step);
  }
  static_cast<void>(thread_count(csv.threads));
}

Place header_place(const Source& source, const Layout& layout) {
  return {.file = source.name(), .line = layout.header_line};
}

std::vector<std::string> names_of(const Layout& layout) {
  std::vector<std::string> names;
  for (const signal::Channel& column : layout.columns) {
    names.push_back(column.name);
  }
  return names;
}

// Finds columns by name.
class Columns {
 public:
  Columns(const Source& source, const Layout& layout) : source_(source), layout_(layout) {
    for (std::size_t c = 0; c < layout.columns.size(); ++c) {
      places_[layout.columns[c].name].push_back(c);
    }
  }

  // @throws DataError unless there is exactly one such column.
  [[nodiscard]] std::size_t find(const std::string& name) const {
    const auto found = places_.find(name);
    if (found == places_.end()) {
      throw DataError(header_place(source_, layout_),
                      unknown_name("channel", name, names_of(layout_)));
    }
    if (found->second.size() > 1) {
      throw DataError(header_place(source_, layout_),
                      fmt::format("channel '{}' stands twice, in columns {} and {}", name,
                                  found->second[0] + 1, found->second[1] + 1));
    }
    return found->second.front();
  }

 private:
  const Source& source_;
  const Layout& layout_;
  std::unordered_map<std::string, std::vector<std::size_t>> places_;
};

void plan_time(const Source& source, const Layout& layout, const Columns& columns,
               const ReadOptions& options, Plan& plan) {
  const bool first_is_time = is_time_name(layout.columns.front().name);
  // Dates are no channel. Cells of a column that nobody asks for are not looked at.
  if (layout.calendar && layout.calendar->date) plan.left_out.push_back(*layout.calendar->date);
  if (options.step) {
    plan.step = options.step;
    if (layout.calendar) plan.left_out.push_back(layout.calendar->time);
  } else if (!options.time.empty()) {
    plan.time_column = columns.find(options.time);
  } else if (layout.notes.step) {
    plan.step = layout.notes.step;
    plan.start = layout.notes.start;
    plan.time_column = first_is_time ? 0 : kNoColumn;
  } else if (layout.calendar) {
    plan.time_column = layout.calendar->time;
  } else if (first_is_time) {
    plan.time_column = 0;
  } else {
    throw NoTimeAxis(header_place(source, layout),
                     fmt::format("nothing says when the samples were taken: the first column is "
                                 "'{}', not a time; give the step or name the time channel",
                                 layout.columns.front().name));
  }
}

void plan_channels(const Source& source, const Layout& layout, const Columns& columns,
                   const ReadOptions& options, Plan& plan) {
  std::vector<bool> taken(layout.columns.size(), false);
  for (const std::string& name : options.channels) {
    const std::size_t column = columns.find(name);
    if (taken[column]) {
      throw InvalidInput({.function = "read_csv",
                          .argument = "channels",
                          .rule = "must not be repeated",
                          .value = fmt::format("'{}' twice", name)});
    }
    plan.channels.push_back(column);
    taken[column] = true;
  }
  if (options.channels.empty()) {
    for (std::size_t c = 0; c < layout.columns.size(); ++c) {
      const bool left_out =
          std::find(plan.left_out.begin(), plan.left_out.end(), c) != plan.left_out.end();
      if (c != plan.time_column && !left_out) {
        plan.channels.push_back(columns.find(layout.columns[c].name));
      }
    }
  }
  if (plan.channels.empty()) {
    throw DataError(header_place(source, layout), "there is no channel besides the time");
  }
}

// Asks for large pages: getting a large matrix in small ones takes a sixth of the reading time.
void ask_for_large_pages(const Eigen::MatrixXd& samples) {
#if defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t kPage = std::uintptr_t{1} << 21U;
  const auto begin = reinterpret_cast<std::uintptr_t>(samples.data());
  const std::uintptr_t end = begin + static_cast<std::uintptr_t>(samples.size()) * sizeof(double);
  const std::uintptr_t first = (begin + kPage - 1) / kPage * kPage;
  const std::uintptr_t last = end / kPage * kPage;
  if (first < last) {
    // Where the wish is not granted, nothing changes but the time.
    static_cast<void>(madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE));
  }
#endif
}

void check_order(const Body& body, const Layout& layout, const Plan& plan,
                 const Eigen::VectorXd& times) {
  const Eigen::Index k = first_disorder(times);
  if (k >= 0) {
    const std::string& name = layout.columns[plan.time_column].name;
    throw DataError(body.place(k, plan.time_column),
                    !std::isfinite(times(k))
                        ? fmt::format("the time '{}' is not finite", name)
                        : fmt::format("time {} s does not come after {} s of the row before "
                                      "(column '{}'); {}",
                                      shortest(times(k)), shortest(times(k - 1)), name,
                                      times(k) == times(k - 1)
                                          ? "if times are rounded so that rows share them, give "
                                            "the step between samples"
                                          : "if a counter begins anew there, give the step "
                                            "between samples; if a second record does, cut it "
                                            "off"));
  }
}

// t(k) = start + k step, within the digits a column may have lost.
void check_agreement(const Body& body, const Layout& layout, const Plan& plan,
                     const Eigen::VectorXd& times) {
  for (Eigen::Index k = 0; k < times.size(); ++k) {
    const double expected = plan.start + static_cast<double>(k) * *plan.step;
    const double tolerance = uniform_tolerance(*plan.step, std::abs(expected));
    if (!(std::abs(times(k) - expected) <= tolerance)) {
      throw DataError(body.place(k, plan.time_column),
                      fmt::format("time {} s is not the {} s that step and start in line {} say; "
                                  "mend the column or remove that line",
                                  shortest(times(k)), shortest(expected), layout.notes.step_line));
    }
  }
}

// Times of day fall back at midnight where no date says so. The first sample is at 0 s.
void count_from_first(Eigen::VectorXd& times) {
  constexpr double kDay = 86400.0;
  double days = 0.0;
  for (Eigen::Index k = 1; k < times.size(); ++k) {
    times(k) += days;
    if (times(k) < times(k - 1) - 0.5 * kDay) {
      days += kDay;
      times(k) += kDay;
    }
  }
  // Clocks count in decimals: what is left of the rounding of a difference goes.
  const double first = times.size() > 0 ? times(0) : 0.0;
  for (double& time : times) time = std::round((time - first) * 1e9) / 1e9;
}

signal::TimeAxis make_axis(const Body& body, const Layout& layout, const Plan& plan,
                           Eigen::VectorXd times) {
  if (layout.calendar && plan.time_column == layout.calendar->time) {
    count_from_first(times);
    check_order(body, layout, plan, times);
  } else if (plan.time_column != kNoColumn) {
    const signal::Channel& column = layout.columns[plan.time_column];
    convert_to_seconds(times, column.name, column.unit, body.place(0, plan.time_column));
    plan.step ? check_agreement(body, layout, plan, times) : check_order(body, layout, plan, times);
  }
  if (plan.step) {
    return signal::TimeAxis::uniform(body.rows(), *plan.step, plan.start);
  }
  return layout.notes.times_given ? signal::TimeAxis::given(std::move(times))
                                  : axis_from_times(std::move(times));
}

signal::Record read(Source& source, const ReadOptions& options, const CsvOptions& csv) {
  check_options(options, csv);
  const Layout layout = csv::find_layout(source, csv);
  const Columns columns(source, layout);
  Plan plan;
  plan_time(source, layout, columns, options, plan);
  plan_channels(source, layout, columns, options, plan);

  const Body body(source, layout, csv.threads);
  const auto width = static_cast<Eigen::Index>(plan.channels.size());
  require_room(source.name(), "a table", static_cast<std::uintmax_t>(body.rows()),
               plan.channels.size() + 1, sizeof(double), options.limits);
  Eigen::MatrixXd samples(body.rows(), width);
  ask_for_large_pages(samples);
  Eigen::VectorXd times(plan.time_column != kNoColumn ? body.rows() : 0);
  std::vector<double*> targets(layout.columns.size(), nullptr);
  std::vector<bool> missing_allowed(layout.columns.size(), true);
  std::vector<signal::Channel> channels;
  std::optional<Eigen::Index> time_as_channel;
  for (Eigen::Index c = 0; c < width; ++c) {
    const std::size_t column = plan.channels[static_cast<std::size_t>(c)];
    targets[column] = samples.col(c).data();
    channels.push_back(layout.columns[column]);
    if (column == plan.time_column) {
      time_as_channel = c;
    }
  }
  if (plan.time_column != kNoColumn) {
    targets[plan.time_column] = times.data();
    missing_allowed[plan.time_column] = false;
  }
  body.parse(targets, missing_allowed);
  if (time_as_channel) {
    samples.col(*time_as_channel) = times;
  }
  return {make_axis(body, layout, plan, std::move(times)), std::move(channels), std::move(samples),
          layout.notes.title};
}

}  // namespace

signal::Record read_csv(const std::filesystem::path& file, const ReadOptions& options,
                        const CsvOptions& csv) {
  return read_within_memory(file, [&] {
    Source source(file, options.limits);
    return read(source, options, csv);
  });
}

signal::Record read_csv_text(std::string_view text, const ReadOptions& options,
                             const CsvOptions& csv, const std::string& name) {
  Source source(text, name);
  return read(source, options, csv);
}

Eigen::MatrixXd read_csv_matrix(const std::filesystem::path& file, const CsvOptions& csv,
                                const ReadLimits& limits) {
  check_options({}, csv);
  Source source(file, limits);
  CsvOptions without_header = csv;
  without_header.header = CsvHeader::Absent;
  const Layout layout = csv::find_layout(source, without_header);
  const Body body(source, layout, csv.threads);
  const std::size_t width = layout.columns.size();
  require_room(source.name(), "a matrix", static_cast<std::uintmax_t>(body.rows()), width,
               sizeof(double), limits);
  Eigen::MatrixXd matrix(body.rows(), static_cast<Eigen::Index>(width));
  std::vector<double*> targets(width);
  for (std::size_t c = 0; c < width; ++c) {
    targets[c] = matrix.col(static_cast<Eigen::Index>(c)).data();
  }
  body.parse(targets, std::vector<bool>(width, false));
  return matrix;
}

}  // namespace alembert::io
