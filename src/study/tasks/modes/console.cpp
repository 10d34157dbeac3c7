#include "study/tasks/modes/console.hpp"

#include <algorithm>

#include "study/result/console.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;

std::string choice_words(const identify::RecordModes& found) {
  const Eigen::VectorXd& f = found.frf.data.frequencies_hz;
  if (f.size() == 0) return "no band";
  return fmt::format("{:.4g} to {:.4g} Hz, {} lines of {} segments, {} candidates", f(0),
                     f(f.size() - 1), f.size(), found.measured.averaging.segments,
                     found.frf.candidates);
}

std::string refinement_words(const identify::RecordModes& found) {
  double least = 100.0;
  for (const identify::OutputFit& one : found.outputs) least = std::min(least, one.fit_percent);
  return fmt::format("{} iterations on the records, fit of the worst response {:.1f} %",
                     found.iterations, least);
}

std::string ambient_words(const identify::AmbientModes& found) {
  return fmt::format("covariances of {} block rows over {} blocks", found.block_rows, found.blocks);
}

void print_modes(const ResultTree& modes, Console& console) {
  if (modes.entries().empty()) return;
  console.print("  {:<10} {:>11} {:>9} {:>11} {:>9} {:>6}\n", "modes", "Hz", "+-", "damping %",
                "+-", "MPC");
  for (const ResultTree& row : modes.entries()) {
    const bool known = row.at("damping_known").boolean();
    const std::string damping =
        known ? fmt::format("{:.4g}", 100.0 * row.number("damping_ratio")) : "not known";
    const std::string deviation =
        known ? fmt::format("{:.2g}", 100.0 * row.number("damping_deviation")) : "";
    console.print("   {:<9} {:>11.6g} {:>9.2g} {:>11} {:>9} {:>6.3f}\n",
                  static_cast<int>(row.number("mode")), row.number("frequency_hz"),
                  row.number("frequency_deviation"), damping, deviation,
                  row.number("collinearity"));
  }
}

}  // namespace

std::string modes_heading(const ModesStudy& study) {
  Console console;
  console.print("{}\n", study.title);
  console.print(
      "  {:<10} {}, {}, {} samples at {:.6g} Hz{}\n", "study",
      counted(static_cast<long long>(study.inputs.size()), "force"),
      counted(static_cast<long long>(study.outputs.size()), "response"), study.samples(),
      1.0 / study.step,
      study.experiments.size() == 1 ? "" : fmt::format(" in {} records", study.experiments.size()));
  return console.text();
}

std::string modes_console(const ModesOutcome& result) {
  Console console;
  const ResultTree tree = describe(result);
  if (result.forced) {
    console.step("band", choice_words(*result.forced));
    if (result.forced->refined) console.step("refine", refinement_words(*result.forced));
  }
  if (result.ambient) console.step("ambient", ambient_words(*result.ambient));
  print_modes(tree.at("modes"), console);
  console.steps("note", result.study.notes);
  console.steps("warning", result.warnings);
  return console.text();
}

}  // namespace alembert::study
