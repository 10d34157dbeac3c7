#include "study/tasks/modes/console.hpp"

#include <algorithm>

#include "study/result/console.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;

std::string choice_words(const ModesOutcome& result) {
  const identify::FrfModes& found = *result.responses();
  const Eigen::VectorXd& f = found.data.frequencies_hz;
  if (f.size() == 0) return "no band";
  const std::string segments =
      result.forced ? fmt::format(" of {} segments", result.forced->measured.averaging.segments)
                    : std::string();
  return fmt::format("{:.4g} to {:.4g} Hz, {} lines{}, {} candidates", f(0), f(f.size() - 1),
                     f.size(), segments, found.candidates);
}

std::string decay_words(const identify::DecayModes& found) {
  if (found.windows.empty()) return "no decay";
  const identify::DecayWindow& first = found.windows.front();
  return fmt::format("{}, the first from {:.4g} s for {:.4g} s, {} candidates",
                     counted(static_cast<long long>(found.windows.size()), "decay"), first.start,
                     first.length, found.candidates);
}

std::string fit_words(int iterations, const std::vector<identify::OutputFit>& outputs) {
  double least = 100.0;
  for (const identify::OutputFit& one : outputs) least = std::min(least, one.fit_percent);
  return fmt::format("{} iterations on the records, fit of the worst response {:.1f} %", iterations,
                     least);
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

std::string mass_words(const ModesOutcome& result) {
  std::string words;
  for (const identify::ScaledMode& one : result.scaled) {
    words += words.empty() ? "" : ", ";
    words += one.trusted ? fmt::format("{:.4g}", one.modal_mass) : std::string("not known");
  }
  return words;
}

}  // namespace

std::string modes_heading(const ModesStudy& study) {
  Console console;
  console.print("{}\n", study.title);
  const std::string forces = study.inputs.empty()
                                 ? "unknown forces"
                                 : counted(static_cast<long long>(study.inputs.size()), "force");
  const std::string responses = counted(static_cast<long long>(study.outputs.size()), "response");
  if (study.responses) {
    console.print("  {:<10} {}, {}, {} lines of frequency responses\n", "study", forces, responses,
                  study.responses->lines());
    return console.text();
  }
  console.print(
      "  {:<10} {}, {}, {} samples at {:.6g} Hz{}\n", "study", forces, responses, study.samples(),
      1.0 / study.step,
      study.experiments.size() == 1 ? "" : fmt::format(" in {} records", study.experiments.size()));
  return console.text();
}

std::string modes_console(const ModesOutcome& result) {
  Console console;
  const ResultTree tree = describe(result);
  if (result.responses() != nullptr) console.step("band", choice_words(result));
  if (result.forced && result.forced->refined) {
    console.step("refine", fit_words(result.forced->iterations, result.forced->outputs));
  }
  if (result.taps) {
    console.step("taps", decay_words(*result.taps));
    if (!result.taps->outputs.empty()) {
      console.step("fit", fit_words(result.taps->iterations, result.taps->outputs));
    }
  }
  if (result.ambient) console.step("ambient", ambient_words(*result.ambient));
  print_modes(tree.at("modes"), console);
  if (!result.scaled.empty()) console.step("masses", mass_words(result));
  if (result.taps) {
    for (const identify::Mode& one : result.taps->harmonics) {
      console.step("no mode", fmt::format("{:.6g} Hz: {}", one.frequency_hz, one.remark));
    }
  }
  console.steps("note", result.study.notes);
  console.steps("warning", result.warnings);
  return console.text();
}

}  // namespace alembert::study
