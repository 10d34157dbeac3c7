#include "study/tasks/monte_carlo/console.hpp"

#include <algorithm>

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

using document::ResultTree;

// The swept values of a point, "all" without a sweep.
std::string label_of(const ResultTree& point) {
  std::vector<std::string> labels;
  for (const ResultTree& value : point.find("values")->entries()) {
    labels.push_back(document::cell_of(value, {.path = ""}, document::plain_number));
  }
  return labels.empty() ? "all" : join(labels, ", ");
}

// One figure of M, D and K in per cent, each so wide.
std::string matrix_cells(const ResultTree& point, const std::string& figure, int width) {
  std::string cells;
  for (const char* matrix : {"mass", "damping", "stiffness"}) {
    const document::ResultColumn column{
        .path = fmt::format("errors/{}/{}", matrix, figure), .digits = 3, .factor = 100.0};
    cells += fmt::format("{:>{}}", document::cell_of(point, column, document::plain_number), width);
  }
  return cells;
}

void print_points(const MonteCarloResult& result, Console& console) {
  for (const SweepKey& key : result.study.sweep) console.step("sweep", key.key);
  const ResultTree tree = describe(result);
  const std::vector<ResultTree>& points = tree.find("points")->entries();
  std::size_t width = 0;
  for (const ResultTree& point : points) width = std::max(width, label_of(point).size());
  console.print("  {:<10} {:>{}} {:>11}  {:<26}  {}\n", "errors", "", width, "succeeded",
                "median error % of M, D, K", "inside 95 % of M, D, K");
  for (const ResultTree& point : points) {
    const std::string succeeded =
        fmt::format("{}/{}", point.find("converged")->count(), point.find("runs")->count());
    console.print("  {:<10} {:>{}} {:>11}{}{}\n", "", label_of(point), width, succeeded,
                  matrix_cells(point, "median", 9), matrix_cells(point, "coverage", 8));
  }
}

void print_monte_carlo(const MonteCarloResult& result, const std::string& time, Console& console) {
  std::string words = counted(static_cast<long long>(result.runs.size()), "run");
  if (result.resumed > 0) words += fmt::format(", {} of them from before", result.resumed);
  console.step("runs", words, time);
  const std::string before = journal_words(result.resumed, result.passed_over, result.runs.size());
  if (!before.empty()) console.step("journal", before);
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
