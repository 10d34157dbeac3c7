#include "study/tasks/monte_carlo/repeat/console.hpp"

#include "alembert/core/text.hpp"
#include "study/result/console.hpp"
#include "study/result/words.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;

std::string figure_cell(const ResultTree& tree, const std::string& path, double factor = 1.0,
                        int digits = 3) {
  return document::cell_of(tree, {.path = path, .digits = digits, .factor = factor},
                           document::plain_number);
}

// The swept values of a point.
std::string swept_words(const ResultTree& sweep, const ResultTree& point) {
  std::vector<std::string> words;
  for (std::size_t k = 0; k < sweep.entries().size(); ++k) {
    words.push_back(fmt::format("{} = {}", sweep.entries()[k].text("key"),
                                figure_cell(point, fmt::format("values/{}", k), 1.0, 6)));
  }
  return join(words, ", ");
}

void print_estimates(const ResultTree& list, Console& console) {
  if (list.entries().empty()) return;
  console.print("  {:<10} {:<16} {:>11} {:>11} {:>11} {:>11} {:>11}\n", "parameters", "", "true",
                "bias", "scatter", "reported", "inside 95 %");
  for (const ResultTree& one : list.entries()) {
    console.print("  {:<10} {:<16} {:>11} {:>11} {:>11} {:>11} {:>11}\n", "", one.text("name"),
                  figure_cell(one, "truth", 1.0, 5), figure_cell(one, "bias"),
                  figure_cell(one, "scatter"), figure_cell(one, "reported"),
                  figure_cell(one, "coverage", 100.0));
  }
}

void print_state_statistics(const ResultTree& list, Console& console) {
  if (list.entries().empty()) return;
  console.print("  {:<10} {:<24} {:>11} {:>11} {:>11} {:>11}\n", "states", "", "rms error",
                "reported", "inside 95 %", "NEES of 1");
  for (const ResultTree& one : list.entries()) {
    console.print("  {:<10} {:<24} {:>11} {:>11} {:>11} {:>11}\n", "", one.text("name"),
                  figure_cell(one, "rms"), figure_cell(one, "reported"),
                  figure_cell(one, "covered", 100.0), figure_cell(one, "nees"));
  }
}

void print_joint(const ResultTree& nees, Console& console) {
  if (nees.is_null()) return;
  console.step("together", fmt::format("NEES {} of {}, 95 % within {} to {}; {} % of the runs "
                                       "inside their own band",
                                       figure_cell(nees, "mean"), figure_cell(nees, "expected"),
                                       figure_cell(nees, "lower"), figure_cell(nees, "upper"),
                                       figure_cell(nees, "inside", 100.0)));
}

void print_repeat_point(const ResultTree& point, Console& console) {
  const ResultTree& verdicts = point.at("verdicts");
  console.step("runs", fmt::format("{} succeeded; verdicts: {} good, {} caution, {} bad",
                                   point.text("succeeded"), verdicts.at("good").count(),
                                   verdicts.at("caution").count(), verdicts.at("bad").count()));
  print_estimates(point.at("parameters"), console);
  print_state_statistics(point.at("states"), console);
  print_joint(point.at("nees"), console);
}

void print_repeat(const RepeatResult& result, const std::string& time, Console& console) {
  std::string words = counted(static_cast<long long>(result.runs.size()), "run");
  if (result.resumed > 0) words += fmt::format(", {} of them from before", result.resumed);
  console.step("runs", words, time);
  const std::string before = journal_words(result.resumed, result.passed_over, result.runs.size());
  if (!before.empty()) console.step("journal", before);
  const ResultTree tree = describe(result);
  for (const ResultTree& point : tree.at("points").entries()) {
    if (!result.study.sweep.empty()) {
      console.step("sweep", swept_words(tree.at("sweep"), point));
    }
    print_repeat_point(point, console);
  }
  console.steps("note", result.study.notes);
  console.steps("warning", result.verdict.reasons);
}

}  // namespace

std::string repeat_heading(const RepeatStudy& study) {
  Console console;
  const auto points = static_cast<long long>(study.points.size());
  console.print("{}\n", study.title);
  console.print("  {:<10} [{}]{}, {}{}\n", "study", study.task,
                study.method.empty() ? "" : " by " + study.method,
                points == 1 ? "" : fmt::format("{} swept values, ", points),
                counted(static_cast<long long>(study.runs), "run") + (points == 1 ? "" : " each"));
  return console.text();
}

std::string repeat_console(const RepeatResult& result, double seconds) {
  Console console;
  print_repeat(result, seconds_text(seconds), console);
  return console.text();
}

}  // namespace alembert::study
