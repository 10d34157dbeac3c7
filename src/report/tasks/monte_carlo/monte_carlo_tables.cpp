#include <fmt/format.h>

#include <cmath>

#include "alembert/core/text.hpp"
#include "report/page/text.hpp"
#include "report/page/vocabulary.hpp"
#include "report/tasks/monte_carlo/monte_carlo_sections.hpp"

namespace alembert::report {
namespace {

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

// "1.23 (0.8\u20131.9)"
std::string band_cell(double middle, double lower, double upper, int digits) {
  if (!std::isfinite(middle)) return "-";
  return fmt::format("{} ({}\u2013{})", significant(100.0 * middle, 3),
                     significant(100.0 * lower, digits), significant(100.0 * upper, digits));
}

Table error_table(const MonteCarloResult& result) {
  Table table{.id = "errors",
              .title = "Relative errors [%]: median (5 %\u201395 % of the runs)",
              .header = swept_header(result.study),
              .rows = {},
              .caption =
                  "M, D, K: |X\u0302 - X|/|X| (Frobenius); frequencies, damping ratios: rms "
                  "over the modes"};
  table.header.emplace_back("succeeded");
  for (std::size_t q = 0; q < kComparedCount; ++q) {
    table.header.push_back(compared_words(static_cast<Compared>(q)));
  }
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    const study::PointStatistics& point = result.points[p];
    std::vector<std::string> row = swept_cells(result.study, p);
    row.push_back(fmt::format("{} of {}", point.converged, point.runs));
    for (const ErrorStatistics& one : point.errors) {
      row.push_back(band_cell(one.median, one.p5, one.p95, 2));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table coverage_table(const MonteCarloResult& result) {
  Table table{.id = "coverage-shares",
              .title = "Truth inside the 95 % intervals [%], with the 95 % interval of the share",
              .header = swept_header(result.study),
              .rows = {},
              .caption = {}};
  for (std::size_t q = 0; q < kComparedCount; ++q) {
    table.header.push_back(compared_words(static_cast<Compared>(q)));
  }
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    std::vector<std::string> row = swept_cells(result.study, p);
    for (const ErrorStatistics& one : result.points[p].errors) {
      row.push_back(band_cell(one.coverage, one.coverage_lower, one.coverage_upper, 3));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table ratio_table(const MonteCarloResult& result) {
  Table table{.id = "ratios",
              .title = "Rms of error over reported standard deviation",
              .header = swept_header(result.study),
              .rows = {},
              .caption =
                  "Over all entries or modes of all successful runs: 1 if the deviations "
                  "are honest, above 1 if they are too small"};
  for (std::size_t q = 0; q < kComparedCount; ++q) {
    table.header.push_back(compared_words(static_cast<Compared>(q)));
  }
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    std::vector<std::string> row = swept_cells(result.study, p);
    for (const ErrorStatistics& one : result.points[p].errors) {
      row.push_back(std::isfinite(one.ratio) ? significant(one.ratio, 3) : "-");
    }
    table.rows.push_back(std::move(row));
  }
  return table;
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
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    const std::vector<study::ModeStatistics>& modes = result.points[p].modes;
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
