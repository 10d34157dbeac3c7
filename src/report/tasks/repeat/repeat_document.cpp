#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "alembert/core/text.hpp"
#include "alembert/report/repeat_report.hpp"
#include "report/page/text.hpp"
#include "report/parts/study_sections.hpp"
#include "report/tasks/repeat/repeat_sections.hpp"

namespace alembert::report {
namespace {

using document::ResultColumn;
using document::ResultTree;
using study::RepeatResult;
using study::RepeatStudy;

// A row for each item of a list of every point, with the swept values before it.
Table table_of_items(Table table, const std::string& list, const std::vector<ResultColumn>& columns,
                     const RepeatResult& result, const ResultTree& tree) {
  for (const study::SweepKey& key : result.study.sweep) table.header.push_back(key.key);
  bool headed = false;
  const std::vector<ResultTree>& points = tree.at("points").entries();
  for (std::size_t p = 0; p < points.size(); ++p) {
    const ResultTree& items = points[p].at(list);
    if (items.entries().empty()) continue;
    const std::vector<std::string> headings = headings_of(items, columns);
    if (!headed) table.header.insert(table.header.end(), headings.begin(), headings.end());
    headed = true;
    for (const std::vector<std::string>& cells : cells_of(items, columns, significant)) {
      std::vector<std::string> row;
      const std::vector<std::size_t>& values = result.study.points[p].values;
      for (std::size_t k = 0; k < values.size(); ++k) {
        row.push_back(result.study.sweep[k].labels[values[k]]);
      }
      row.insert(row.end(), cells.begin(), cells.end());
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

// A row for each point.
Table table_of_points(Table table, const std::vector<ResultColumn>& columns,
                      const RepeatResult& result, const ResultTree& tree) {
  std::vector<ResultColumn> all;
  for (std::size_t k = 0; k < result.study.sweep.size(); ++k) {
    all.push_back({.path = fmt::format("values/{}", k), .heading = result.study.sweep[k].key});
  }
  all.insert(all.end(), columns.begin(), columns.end());
  table.header = headings_of(tree.at("points"), all);
  table.rows = cells_of(tree.at("points"), all, significant);
  return table;
}

Section repeat_endings(const RepeatResult& result, const ResultTree& tree) {
  Section section{.title = "Verdict", .blocks = {}};
  if (!result.ok()) {
    section.blocks.push_back(Paragraph{
        fmt::format("{}: {}", to_string(result.status), result.message), Paragraph::Kind::Bad});
  }
  const std::string before =
      study::journal_words(result.resumed, result.passed_over, result.runs.size());
  if (!before.empty()) section.blocks.push_back(Paragraph{before + "."});
  for (const std::string& reason : result.verdict.reasons) {
    section.blocks.push_back(Paragraph{reason, Paragraph::Kind::Warning});
  }
  if (result.verdict.level == TrustLevel::Good) {
    section.blocks.push_back(Paragraph{
        "The runs scatter as the task says: no interval or covariance is too small beyond chance.",
        Paragraph::Kind::Good});
  }
  section.blocks.push_back(
      table_of_points({.id = "endings",
                       .title = "Runs and their verdicts",
                       .header = {},
                       .rows = {},
                       .caption = "Verdicts are those that the task gives of each run"},
                      {{.path = "succeeded", .heading = "succeeded"},
                       {.path = "verdicts/good", .heading = "good"},
                       {.path = "verdicts/caution", .heading = "caution"},
                       {.path = "verdicts/bad", .heading = "bad"}},
                      result, tree));
  for (const std::string& note : result.study.notes) section.blocks.push_back(Paragraph{note});
  return section;
}

Section repeat_parameters(const RepeatResult& result, const ResultTree& tree) {
  Section section{.title = "Parameters", .blocks = {}};
  Table table = table_of_items(
      {.id = "parameters",
       .title = "Bias, scatter and intervals",
       .header = {},
       .rows = {},
       .caption = "Bias: mean error with its standard deviation; scatter: standard deviation of "
                  "the values; reported: rms of the deviations that the task gives. Scatter over "
                  "reported is 1 if these are honest. Share of truths inside the 95 % intervals "
                  "with its own 95 % interval"},
      "parameters",
      {{.path = "name"},
       {.path = "unit"},
       {.path = "truth", .digits = 5},
       {.path = "bias", .deviation = "bias_deviation", .deviation_text = with_deviation},
       {.path = "scatter", .digits = 3},
       {.path = "reported", .digits = 3},
       {.path = "ratio", .digits = 3},
       {.path = "coverage",
        .heading = "inside 95 % [%]",
        .digits = 3,
        .factor = 100.0,
        .lower = "coverage_lower",
        .upper = "coverage_upper",
        .band_digits = 3}},
      result, tree);
  if (table.rows.empty()) return section;
  section.blocks.push_back(std::move(table));
  for (Plot& plot : estimate_plots(result)) section.blocks.push_back(std::move(plot));
  return section;
}

Section repeat_states(const RepeatResult& result, const ResultTree& tree) {
  Section section{.title = "States", .blocks = {}};
  Table table = table_of_items(
      {.id = "states",
       .title = "Errors of the states",
       .header = {},
       .rows = {},
       .caption = "Over the scored samples of all runs. NEES: mean of (error over standard "
                  "deviation)\u00b2, 1 if the deviations are honest, with its 95 % band"},
      "states",
      {{.path = "name"},
       {.path = "unit"},
       {.path = "bias", .digits = 3},
       {.path = "rms", .digits = 3},
       {.path = "reported", .digits = 3},
       {.path = "covered", .heading = "within 1.96 std [%]", .digits = 3, .factor = 100.0},
       {.path = "nees", .digits = 3, .lower = "nees_lower", .upper = "nees_upper"}},
      result, tree);
  if (table.rows.empty()) return section;
  section.blocks.push_back(std::move(table));
  section.blocks.push_back(table_of_points(
      {.id = "joint-nees",
       .title = "All states together",
       .header = {},
       .rows = {},
       .caption = "Joint NEES e\u1d40P\u207b\u00b9e, with the 95 % band of its mean over all runs"},
      {{.path = "nees/mean",
        .heading = "joint NEES",
        .digits = 3,
        .lower = "nees/lower",
        .upper = "nees/upper",
        .band_digits = 3},
       {.path = "nees/expected", .heading = "expected", .digits = 3},
       {.path = "nees/inside",
        .heading = "runs inside their own band [%]",
        .digits = 3,
        .factor = 100.0}},
      result, tree));
  for (Plot& plot : nees_plots(result)) section.blocks.push_back(std::move(plot));
  return section;
}

Section repeat_failures(const RepeatResult& result, const ResultTree& tree) {
  Section section{.title = "Failed runs", .blocks = {}};
  Table table = table_of_items(
      {.id = "failures",
       .title = "Runs that did not succeed",
       .header = {},
       .rows = {},
       .caption = "They take no part in the statistics. runs.csv holds each one's message"},
      "failures",
      {{.path = "status"},
       {.path = "count", .heading = "runs"},
       {.path = "first_run", .heading = "first run"},
       {.path = "message", .heading = "message of the first"}},
      result, tree);
  if (!table.rows.empty()) section.blocks.push_back(std::move(table));
  return section;
}

std::vector<std::pair<std::string, std::string>> repeat_facts(const RepeatResult& result) {
  const RepeatStudy& study = result.study;
  std::size_t good = 0;
  for (const study::RepeatStatistics& point : result.points) good += point.converged;
  std::vector<std::pair<std::string, std::string>> facts = {
      {"task", study.task + (study.method.empty() ? "" : ", " + study.method)},
      {"runs each", grouped(static_cast<long long>(study.runs))},
      {"succeeded", fmt::format("{} of {}", good, result.runs.size())},
      {"seed", std::to_string(study.seed)},
      {"status", std::string(to_string(result.status))}};
  if (!study.sweep.empty()) {
    facts.insert(facts.begin() + 1,
                 {"swept values", grouped(static_cast<long long>(study.points.size()))});
  }
  return facts;
}

std::string repeat_subtitle(const RepeatStudy& study) {
  std::vector<std::string> keys;
  for (const study::SweepKey& key : study.sweep) keys.push_back(key.key);
  return fmt::format("Simulate, {} and compare with the truth, many times{}", study.task,
                     keys.empty() ? "" : "; swept: " + join(keys, ", "));
}

}  // namespace

Document repeat_document(const RepeatResult& result) {
  const RepeatStudy& study = result.study;
  const ResultTree tree = describe(result);
  Document document{.title = study.title.empty() ? study.file.stem().string() : study.title,
                    .subtitle = repeat_subtitle(study),
                    .facts = repeat_facts(result),
                    .sections = {}};
  for (Section section :
       {repeat_endings(result, tree), repeat_parameters(result, tree), repeat_states(result, tree),
        repeat_failures(result, tree), asked_section(study.file, study.text, study.overrides),
        files_section({{"runs.csv", "a line for each run: status, verdict, estimates, errors"}})}) {
    if (!section.blocks.empty()) document.sections.push_back(std::move(section));
  }
  return document;
}

}  // namespace alembert::report
