#include "alembert/report/comparison_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "alembert/core/text.hpp"
#include "report/comparison/comparison_plots.hpp"

namespace alembert::report {
namespace {

using study::ResultComparison;
using study::ResultSummary;

std::string task_words(const ResultSummary& result) {
  return result.method.empty() ? result.task : result.task + ", " + result.method;
}

// Claims of a reproduction have no verdict.
std::string verdict_words(const ResultSummary& result) {
  return result.task == "reproduce" ? "-" : std::string(name_of(result.verdict.level));
}

Section results_section(const ResultComparison& comparison) {
  const ResultSummary& one = comparison.first;
  const ResultSummary& two = comparison.second;
  Table table{.id = "results", .title = "Results", .header = {"", "first", "second"}};
  table.rows = {{"folder", one.folder.string(), two.folder.string()},
                {"title", one.title, two.title},
                {"task", task_words(one), task_words(two)},
                {"data", join(one.sources, ", "), join(two.sources, ", ")},
                {"version", one.version, two.version},
                {"status", one.status, two.status},
                {"verdict", verdict_words(one), verdict_words(two)}};
  Section section{.title = "Results", .blocks = {std::move(table)}};
  for (const auto& [name, result] : {std::pair("first", &one), std::pair("second", &two)}) {
    for (const std::string& reason : result->verdict.reasons) {
      section.blocks.emplace_back(
          Paragraph{.text = fmt::format("Reason of the {}: {}", name, reason)});
    }
  }
  return section;
}

std::string agreement_cell(const study::QuantityPair& pair) {
  const bool given = pair.first.margin == 0.0 && pair.second.margin == 0.0;
  if (given) return pair.difference == 0.0 ? "both given" : "given otherwise";
  return std::string(name_of(pair.agreement));
}

// The difference over the largest that chance explains.
std::string ratio_cell(const study::QuantityPair& pair) {
  if (!std::isfinite(pair.limit) || pair.limit == 0.0) return "-";
  return fmt::format("{:.2f}", pair.difference / pair.limit);
}

std::string name_cell(const study::QuantityPair& pair) {
  return with_unit(pair.first.name, pretty_unit(pair.first.unit));
}

Paragraph alone(const std::vector<std::string>& names, const char* which) {
  return {.text = fmt::format("In the {} only: {}.", which, join(names, ", "))};
}

Section numbers_section(const ResultComparison& comparison) {
  Section section{.title = "Numbers"};
  section.blocks.emplace_back(Paragraph{.text = study::agreement_words(comparison)});
  if (comparison.same_data) {
    section.blocks.emplace_back(Paragraph{
        .text = "Both results name the same data files. If these did not change between the "
                "runs, the errors are alike, and agreement is no evidence that either is "
                "right."});
  }
  Table table{.id = "numbers",
              .title = "Numbers with 95 % intervals",
              .header = {"number", "first", "second", "ratio", "agreement"},
              .caption =
                  "Ratio: the difference over its 95 % limit for independent estimates, the "
                  "root of the sum of the squared half intervals."};
  for (const study::QuantityPair& pair : comparison.quantities) {
    table.rows.push_back({name_cell(pair), with_deviation(pair.first.value, pair.first.margin),
                          with_deviation(pair.second.value, pair.second.margin), ratio_cell(pair),
                          agreement_cell(pair)});
  }
  if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
  if (!comparison.only_first.empty()) {
    section.blocks.emplace_back(alone(comparison.only_first, "first"));
  }
  if (!comparison.only_second.empty()) {
    section.blocks.emplace_back(alone(comparison.only_second, "second"));
  }
  Plot plot = agreement_plot(comparison);
  if (!plot.curves.empty()) section.blocks.emplace_back(std::move(plot));
  return section;
}

std::string number_cell(double value) { return std::isfinite(value) ? significant(value) : "-"; }

// Modes of records without forces have neither.
bool has_numbers(const study::ResultFit& fit) {
  return std::isfinite(fit.fit) || std::isfinite(fit.residual_rms);
}

Section fits_section(const ResultComparison& comparison) {
  Table table{.id = "fits",
              .title = "Fits",
              .header = {"output", "fit [%], first", "second", "rms residual, first", "second"}};
  for (const study::FitPair& pair : comparison.fits) {
    if (!has_numbers(pair.first) && !has_numbers(pair.second)) continue;
    table.rows.push_back({with_unit(pair.first.name, pretty_unit(pair.first.unit)),
                          number_cell(pair.first.fit), number_cell(pair.second.fit),
                          number_cell(pair.first.residual_rms),
                          number_cell(pair.second.residual_rms)});
  }
  if (table.rows.empty()) return {.title = "Fits"};
  return {.title = "Fits", .blocks = {std::move(table)}};
}

Section settings_section(const ResultComparison& comparison) {
  Table table{
      .id = "settings", .title = "Settings that differ", .header = {"key", "first", "second"}};
  for (const study::SettingPair& pair : comparison.settings) {
    table.rows.push_back(
        {pair.key, pair.first.empty() ? "-" : pair.first, pair.second.empty() ? "-" : pair.second});
  }
  return {.title = "Settings that differ", .blocks = {std::move(table)}};
}

}  // namespace

Document comparison_document(const ResultComparison& comparison,
                             const std::optional<signal::Record>& first,
                             const std::optional<signal::Record>& second) {
  Document document{.title = "Comparison of two results",
                    .subtitle = fmt::format("{} and {}", comparison.first.folder.string(),
                                            comparison.second.folder.string())};
  document.sections.push_back(results_section(comparison));
  document.sections.push_back(numbers_section(comparison));
  Section fits = fits_section(comparison);
  if (!fits.blocks.empty()) document.sections.push_back(std::move(fits));
  if (first && second) {
    Section signals{.title = "Signals", .blocks = signal_plots(*first, *second)};
    if (!signals.blocks.empty()) document.sections.push_back(std::move(signals));
  }
  if (!comparison.settings.empty()) document.sections.push_back(settings_section(comparison));
  return document;
}

}  // namespace alembert::report
