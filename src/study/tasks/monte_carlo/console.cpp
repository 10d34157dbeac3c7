#include "study/tasks/monte_carlo/console.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/core/text.hpp"
#include "study/result/console.hpp"
#include "study/result/words.hpp"

namespace alembert::study {
namespace {

void print_monte_carlo_heading(const MonteCarloStudy& study, Console& console) {
  const model::SecondOrder& system = study.points.front().simulate.linear()->system;
  const auto points = static_cast<long long>(study.points.size());
  console.print("{}\n", study.title);
  console.print("  {:<10} {}, {}{}\n", "study", freedom_words(system.degrees_of_freedom()),
                points == 1 ? "" : fmt::format("{} swept values, ", points),
                counted(static_cast<long long>(study.runs), "run") + (points == 1 ? "" : " each"));
}

std::string number_or_dash(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}g}", value, digits) : "-";
}

std::string label_of(const MonteCarloStudy& study, std::size_t point) {
  std::vector<std::string> labels;
  const std::vector<std::size_t>& values = study.points[point].values;
  for (std::size_t k = 0; k < values.size(); ++k) {
    labels.push_back(study.sweep[k].labels[values[k]]);
  }
  return labels.empty() ? "all" : join(labels, ", ");
}

void print_points(const MonteCarloResult& result, Console& console) {
  for (const SweepKey& key : result.study.sweep) console.step("sweep", key.key);
  std::size_t width = 0;
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    width = std::max(width, label_of(result.study, p).size());
  }
  console.print("  {:<10} {:>{}} {:>11}  {:<26}  {}\n", "errors", "", width, "succeeded",
                "median error % of M, D, K", "inside 95 % of M, D, K");
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    const PointStatistics& point = result.points[p];
    std::string errors, shares;
    for (std::size_t q = 0; q < 3; ++q) {
      errors += fmt::format("{:>9}", number_or_dash(100.0 * point.errors[q].median, 3));
      shares += fmt::format("{:>8}", number_or_dash(100.0 * point.errors[q].coverage, 3));
    }
    console.print("  {:<10} {:>{}} {:>11}{}{}\n", "", label_of(result.study, p), width,
                  fmt::format("{}/{}", point.converged, point.runs), errors, shares);
  }
}

void print_monte_carlo(const MonteCarloResult& result, const std::string& time, Console& console) {
  std::string words = counted(static_cast<long long>(result.runs.size()), "run");
  if (result.resumed > 0) words += fmt::format(", {} of them from before", result.resumed);
  console.step("runs", words, time);
  if (!result.runs.empty()) print_points(result, console);
  console.steps("note", result.study.notes);
  console.steps("warning", result.warnings);
}

}  // namespace

std::string monte_carlo_heading(const MonteCarloStudy& study) {
  Console console;
  print_monte_carlo_heading(study, console);
  return console.text();
}

std::string monte_carlo_console(const MonteCarloResult& result, double seconds) {
  Console console;
  print_monte_carlo(result, seconds_text(seconds), console);
  return console.text();
}

}  // namespace alembert::study
