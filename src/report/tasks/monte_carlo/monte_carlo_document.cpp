#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/text.hpp"
#include "alembert/report/monte_carlo_report.hpp"
#include "report/page/text.hpp"
#include "report/page/vocabulary.hpp"
#include "report/parts/study_sections.hpp"
#include "report/tasks/monte_carlo/monte_carlo_sections.hpp"

namespace alembert::report {
namespace {

using study::Compared;
using study::ErrorStatistics;
using study::kComparedCount;
using study::MonteCarloResult;
using study::MonteCarloStudy;

// Below this share, and too low for chance, intervals count as too narrow: in large studies a
// difference that matters to nobody is significant too. All cases of a study together may give a
// false alarm in 1 of 100 studies.
constexpr double kNarrow = 0.93;
constexpr double kFalseAlarms = 0.01;

std::size_t succeeded(const MonteCarloResult& result) {
  std::size_t count = 0;
  for (const study::PointStatistics& point : result.points) count += point.converged;
  return count;
}

Paragraph ending_of_runs(const MonteCarloResult& result) {
  const std::size_t good = succeeded(result);
  const auto all = static_cast<long long>(result.runs.size());
  if (!result.ok()) {
    return {fmt::format("{}: {}", to_string(result.status), result.message), Paragraph::Kind::Bad};
  }
  if (good == result.runs.size()) {
    return {fmt::format("All {} succeeded.", count_of(all, "run")), Paragraph::Kind::Good};
  }
  return {fmt::format("{} of {} failed; the statistics are over the others.",
                      result.runs.size() - good, count_of(all, "run")),
          Paragraph::Kind::Warning};
}

std::string error_words(const study::PointStatistics& point) {
  std::vector<std::string> words;
  for (std::size_t q = 0; q < kComparedCount; ++q) {
    const double median = point.errors[q].median;
    if (!std::isfinite(median)) continue;
    words.push_back(fmt::format("{} {} %", compared_words(static_cast<Compared>(q)),
                                significant(100.0 * median, 2)));
  }
  return words.empty() ? "nothing" : join(words, ", ");
}

// The points with the smallest and the largest error of K: what the sweep spans.
Paragraph size_of_errors(const MonteCarloResult& result) {
  const auto stiffness = static_cast<std::size_t>(Compared::Stiffness);
  std::vector<std::size_t> order;
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    if (std::isfinite(result.points[p].errors[stiffness].median)) order.push_back(p);
  }
  if (order.empty()) return {"There are no errors to show."};
  if (result.points.size() == 1) {
    return {fmt::format("Median errors: {}.", error_words(result.points.front()))};
  }
  const auto less = [&](std::size_t a, std::size_t b) {
    return result.points[a].errors[stiffness].median < result.points[b].errors[stiffness].median;
  };
  const auto [best, worst] = std::minmax_element(order.begin(), order.end(), less);
  return {fmt::format("Median errors are smallest at {} ({}) and largest at {} ({}).",
                      point_words(result.study, *best), error_words(result.points[*best]),
                      point_words(result.study, *worst), error_words(result.points[*worst]))};
}

struct Honesty {
  std::vector<double> low;  ///< probabilities of the shares below kNarrow
  std::size_t known = 0;
  double lowest = 2.0;
  std::size_t point = 0, quantity = 0;  ///< of the lowest

  [[nodiscard]] long narrow() const {
    const double limit = kFalseAlarms / static_cast<double>(known);
    return std::count_if(low.begin(), low.end(), [&](double chance) { return chance < limit; });
  }
};

Honesty honesty(const MonteCarloResult& result) {
  Honesty found;
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    for (std::size_t q = 0; q < kComparedCount; ++q) {
      const ErrorStatistics& one = result.points[p].errors[q];
      if (!std::isfinite(one.coverage)) continue;
      ++found.known;
      if (one.coverage < kNarrow) found.low.push_back(one.coverage_chance);
      if (one.coverage >= found.lowest) continue;
      found.lowest = one.coverage;
      found.point = p;
      found.quantity = q;
    }
  }
  return found;
}

Paragraph honesty_words(const MonteCarloResult& result) {
  const Honesty found = honesty(result);
  if (found.known == 0) {
    return {"The identification reports no standard deviations, so that there are no intervals."};
  }
  const ErrorStatistics& worst = result.points[found.point].errors[found.quantity];
  const std::string lowest = fmt::format("The lowest share is {} % ({} to {} %), for {} at {}.",
                                         significant(100.0 * worst.coverage, 3),
                                         significant(100.0 * worst.coverage_lower, 3),
                                         significant(100.0 * worst.coverage_upper, 3),
                                         compared_words(static_cast<Compared>(found.quantity)),
                                         point_words(result.study, found.point));
  if (found.narrow() == 0) {
    return {
        "The 95 % intervals hold the truth as often as they promise: no share is lower than chance "
        "explains. " +
            lowest,
        Paragraph::Kind::Good};
  }
  return {fmt::format("The 95 % intervals are too narrow in {} of {} cases (share below 93 %, not "
                      "by chance). ",
                      found.narrow(), found.known) +
              lowest,
          Paragraph::Kind::Warning};
}

Section verdict_section(const MonteCarloResult& result) {
  Section section{.title = "Verdict", .blocks = {}};
  section.blocks.push_back(ending_of_runs(result));
  const std::string before =
      study::journal_words(result.resumed, result.passed_over, result.runs.size());
  if (!before.empty()) section.blocks.push_back(Paragraph{before + "."});
  if (succeeded(result) > 0) {
    section.blocks.push_back(honesty_words(result));
    section.blocks.push_back(size_of_errors(result));
  }
  for (const std::string& note : result.study.notes) section.blocks.push_back(Paragraph{note});
  return section;
}

std::vector<std::pair<std::string, std::string>> monte_carlo_facts(const MonteCarloResult& result) {
  const MonteCarloStudy& study = result.study;
  const study::SimulateStudy& first = study.points.front().simulate;
  std::vector<std::pair<std::string, std::string>> facts = {
      {"degrees of freedom", grouped(first.linear()->system.degrees_of_freedom())},
      {"sensors", grouped(static_cast<long long>(first.sensors.size()))},
      {"unknowns", grouped(study.points.front().identify.settings.unknowns.size())},
      {"swept values", grouped(static_cast<long long>(study.points.size()))},
      {"runs each", grouped(static_cast<long long>(study.runs))},
      {"succeeded", fmt::format("{} of {}", succeeded(result), result.runs.size())},
      {"seed", std::to_string(study.seed)},
      {"status", std::string(to_string(result.status))}};
  if (study.sweep.empty()) facts.erase(facts.begin() + 3);
  return facts;
}

std::string monte_carlo_subtitle(const MonteCarloStudy& study) {
  std::vector<std::string> keys;
  for (const study::SweepKey& key : study.sweep) keys.push_back(key.key);
  return "Simulate, identify and compare with the truth, many times" +
         (keys.empty() ? "" : "; swept: " + join(keys, ", "));
}

}  // namespace

Document monte_carlo_document(const MonteCarloResult& result) {
  check::at_least("monte_carlo_document", "number of values",
                  static_cast<long long>(result.study.points.size()), 1);
  const MonteCarloStudy& study = result.study;
  Document document{.title = study.title.empty() ? study.file.stem().string() : study.title,
                    .subtitle = monte_carlo_subtitle(study),
                    .facts = monte_carlo_facts(result),
                    .sections = {}};
  for (Section section :
       {verdict_section(result), monte_carlo_error_section(result),
        monte_carlo_interval_section(result), monte_carlo_mode_section(result),
        monte_carlo_failure_section(result), asked_section(study.file, study.text, study.overrides),
        files_section({{"runs.csv", "a line for each run: status, errors, modes, message"}})}) {
    if (!section.blocks.empty()) document.sections.push_back(std::move(section));
  }
  return document;
}

}  // namespace alembert::report
