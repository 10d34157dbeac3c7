#include <fmt/format.h>

#include <cmath>

#include "alembert/core/text.hpp"
#include "report/page/text.hpp"
#include "report/page/vocabulary.hpp"
#include "report/tasks/monte_carlo/monte_carlo_sections.hpp"

namespace alembert::report {
namespace {

using document::ResultColumn;
using study::Compared;
using study::ErrorStatistics;
using study::kComparedCount;
using study::MonteCarloResult;
using study::MonteCarloStudy;

constexpr std::size_t kMostModeLines = 400;

std::vector<std::string> swept_header(const MonteCarloStudy& study) {
  std::vector<std::string> header;
  for (const study::SweepKey& key : study.sweep) header.push_back(key.key);
  return header;
}

std::vector<std::string> swept_cells(const MonteCarloStudy& study, std::size_t point) {
  std::vector<std::string> cells;
  const std::vector<std::size_t>& values = study.points[point].values;
  for (std::size_t k = 0; k < values.size(); ++k) cells.push_back(study.sweep[k].labels[values[k]]);
  return cells;
}

std::string percent_cell(double share, int digits = 3) {
  return std::isfinite(share) ? significant(100.0 * share, digits) : "-";
}

// The same column of M, D, K, the frequencies and the damping ratios.
std::vector<ResultColumn> of_each_quantity(const ResultColumn& column) {
  std::vector<ResultColumn> columns;
  for (std::size_t q = 0; q < kComparedCount; ++q) {
    const auto quantity = static_cast<Compared>(q);
    const std::string where = "errors/" + to_string(quantity) + "/";
    ResultColumn one = column;
    one.heading = compared_words(quantity);
    one.path = where + column.path;
    if (!column.lower.empty()) one.lower = where + column.lower;
    if (!column.upper.empty()) one.upper = where + column.upper;
    columns.push_back(std::move(one));
  }
  return columns;
}

// A row for each point: what was swept, then these columns.
Table point_table(Table table, const std::vector<ResultColumn>& columns,
                  const MonteCarloResult& result) {
  std::vector<ResultColumn> all;
  for (std::size_t k = 0; k < result.study.sweep.size(); ++k) {
    all.push_back({.path = fmt::format("values/{}", k), .heading = result.study.sweep[k].key});
  }
  all.insert(all.end(), columns.begin(), columns.end());
  const document::ResultTree tree = describe(result);
  table.header = headings_of(*tree.find("points"), all);
  table.rows = cells_of(*tree.find("points"), all, significant);
  return table;
}

Table error_table(const MonteCarloResult& result) {
  std::vector<ResultColumn> columns = of_each_quantity(
      {.path = "median", .digits = 3, .factor = 100.0, .lower = "p5", .upper = "p95"});
  columns.insert(columns.begin(), {.path = "succeeded", .heading = "succeeded"});
  return point_table(
      {.id = "errors",
       .title = "Relative errors [%]: median (5 %\u201395 % of the runs)",
       .header = {},
       .rows = {},
       .caption = "M, D, K: |X\u0302 - X|/|X| (Frobenius); frequencies, damping ratios: "
                  "rms over the modes"},
      columns, result);
}

Table coverage_table(const MonteCarloResult& result) {
  return point_table(
      {.id = "coverage-shares",
       .title = "Truth inside the 95 % intervals [%], with the 95 % interval of the share",
       .header = {},
       .rows = {},
       .caption = {}},
      of_each_quantity({.path = "coverage",
                        .digits = 3,
                        .factor = 100.0,
                        .lower = "coverage_lower",
                        .upper = "coverage_upper",
                        .band_digits = 3}),
      result);
}

Table ratio_table(const MonteCarloResult& result) {
  return point_table(
      {.id = "ratios",
       .title = "Rms of error over reported standard deviation",
       .header = {},
       .rows = {},
       .caption = "Over all entries or modes of all successful runs: 1 if the deviations "
                  "are honest, above 1 if they are too small"},
      of_each_quantity({.path = "ratio", .digits = 3}), result);
}

struct ModeMembers {
  double study::ModeStatistics::*truth, study::ModeStatistics::*bias, study::ModeStatistics::*rms,
      study::ModeStatistics::*reported, study::ModeStatistics::*coverage;
};

Table mode_table(const std::string& id, const std::string& title, const std::string& truth,
                 double factor, const ModeMembers& of, const MonteCarloResult& result) {
  Table table{.id = id,
              .title = title,
              .header = swept_header(result.study),
              .rows = {},
              .caption =
                  "Bias is the mean error; bias, rms error and reported deviation relative to "
                  "the true value. Runs that found another number of modes do not count"};
  table.header.insert(table.header.end(), {"mode", truth, "bias [%]", "rms error [%]",
                                           "reported [%]", "inside 95 % interval [%]"});
  std::size_t whole = 0;
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    const std::vector<study::ModeStatistics>& modes = result.points[p].modes;
    whole += modes.size();
    for (std::size_t i = 0; i < modes.size() && table.rows.size() < kMostModeLines; ++i) {
      const study::ModeStatistics& mode = modes[i];
      const double value = mode.*of.truth;
      std::vector<std::string> row = swept_cells(result.study, p);
      row.insert(row.end(),
                 {std::to_string(i + 1), significant(factor * value, 5),
                  percent_cell(mode.*of.bias / value), percent_cell(mode.*of.rms / value),
                  percent_cell(mode.*of.reported / value), percent_cell(mode.*of.coverage)});
      table.rows.push_back(std::move(row));
    }
  }
  if (whole > table.rows.size()) {
    table.caption +=
        fmt::format(". The first {} of {} lines; all are in result.json", table.rows.size(), whole);
  }
  return table;
}

bool has_intervals(const MonteCarloResult& result) {
  for (const study::PointStatistics& point : result.points) {
    for (const ErrorStatistics& one : point.errors) {
      if (std::isfinite(one.coverage)) return true;
    }
  }
  return false;
}

}  // namespace

std::string compared_words(Compared quantity) {
  switch (quantity) {
    case Compared::Mass:
      return "M";
    case Compared::Damping:
      return "D";
    case Compared::Stiffness:
      return "K";
    case Compared::Frequencies:
      return "frequencies";
    case Compared::DampingRatios:
      break;
  }
  return "damping ratios";
}

std::string point_words(const MonteCarloStudy& study, std::size_t point) {
  std::vector<std::string> words;
  const std::vector<std::size_t>& values = study.points[point].values;
  for (std::size_t k = 0; k < values.size(); ++k) {
    words.push_back(fmt::format("{} = {}", study.sweep[k].key, study.sweep[k].labels[values[k]]));
  }
  return words.empty() ? "this study" : join(words, ", ");
}

Section monte_carlo_error_section(const MonteCarloResult& result) {
  Section section{.title = "Errors", .blocks = {}};
  section.blocks.push_back(error_table(result));
  for (Plot& plot : error_plots(result)) section.blocks.push_back(std::move(plot));
  return section;
}

Section monte_carlo_interval_section(const MonteCarloResult& result) {
  Section section{.title = "Intervals", .blocks = {}};
  if (!has_intervals(result)) return section;
  section.blocks.push_back(coverage_table(result));
  for (Plot& plot : coverage_plots(result)) section.blocks.push_back(std::move(plot));
  section.blocks.push_back(ratio_table(result));
  for (Plot plot : {reported_plot(result), ratio_histogram(result)}) {
    if (!plot.curves.empty()) section.blocks.push_back(std::move(plot));
  }
  return section;
}

Section monte_carlo_mode_section(const MonteCarloResult& result) {
  using study::ModeStatistics;
  const ModeMembers frequency{&ModeStatistics::frequency, &ModeStatistics::frequency_bias,
                              &ModeStatistics::frequency_rms, &ModeStatistics::frequency_reported,
                              &ModeStatistics::frequency_coverage};
  const ModeMembers damping{&ModeStatistics::damping, &ModeStatistics::damping_bias,
                            &ModeStatistics::damping_rms, &ModeStatistics::damping_reported,
                            &ModeStatistics::damping_coverage};
  Section section{.title = "Modes", .blocks = {}};
  for (Table table : {mode_table("mode-frequencies", "Frequency of each mode", "frequency [Hz]",
                                 1.0, frequency, result),
                      mode_table("mode-damping", "Damping ratio of each mode", "damping ratio [%]",
                                 100.0, damping, result)}) {
    if (!table.rows.empty()) section.blocks.push_back(std::move(table));
  }
  return section;
}

Section monte_carlo_failure_section(const MonteCarloResult& result) {
  Section section{.title = "Failed runs", .blocks = {}};
  Table table{.id = "failures",
              .title = "Runs that did not succeed",
              .header = swept_header(result.study),
              .rows = {},
              .caption = "They take no part in the statistics. runs.csv holds each one's message"};
  table.header.insert(table.header.end(), {"status", "runs", "first run", "message of the first"});
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    for (const study::FailureCount& failure : result.points[p].failures) {
      std::vector<std::string> row = swept_cells(result.study, p);
      row.insert(row.end(), {std::string(to_string(failure.status)), std::to_string(failure.count),
                             std::to_string(failure.first_run + 1), failure.message});
      table.rows.push_back(std::move(row));
    }
  }
  if (!table.rows.empty()) section.blocks.push_back(std::move(table));
  return section;
}

}  // namespace alembert::report
