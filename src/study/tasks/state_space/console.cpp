#include "study/tasks/state_space/console.hpp"

#include <cmath>

#include "study/result/console.hpp"

namespace alembert::study {
namespace {

using identify::StateSpace;
using identify::StateSpaceFit;

constexpr std::size_t kMostPolesShown = 40;

std::string fit_line(const StateSpaceFit& fit, Eigen::Index samples) {
  std::string words = fmt::format("{:.2f} % in the mean, {:.2f} % at worst on {} samples",
                                  fit.mean_fit(), fit.worst_fit(), samples);
  if (fit.predicted.size() > 0) {
    words += fmt::format("; one sample ahead {:.2f} %", fit.predicted.col(0).mean());
  }
  return words;
}

void print_poles(const StateSpace& found, Console& console) {
  console.print("  {:<10} {:>11} {:>9} {:>11} {:>9}\n", "poles", "Hz", "+-", "damping %", "+-");
  const std::size_t count = std::min(found.poles.size(), kMostPolesShown);
  for (std::size_t i = 0; i < count; ++i) {
    const identify::StatePole& pole = found.poles[i];
    console.print("   {:<9} {:>11.6g} {:>9.2g} {:>11.4g} {:>9.2g}\n", i + 1, pole.frequency_hz,
                  pole.frequency_deviation, 100.0 * pole.damping_ratio,
                  100.0 * pole.damping_deviation);
  }
  if (count < found.poles.size()) {
    console.print("   the first {} of {}\n", count, found.poles.size());
  }
}

}  // namespace

std::string state_space_heading(const StateSpaceStudy& study) {
  Console console;
  console.print("{}\n", study.title);
  console.print("  {:<10} {}, {}, {} samples at {:.6g} Hz\n", "study",
                counted(static_cast<long long>(study.inputs.size()), "input"),
                counted(static_cast<long long>(study.outputs.size()), "output"),
                study.data.samples(), 1.0 / study.data.experiments.front().step);
  return console.text();
}

std::string state_space_console(const StateSpaceOutcome& result) {
  Console console;
  const StateSpace& found = result.found;
  console.step("order", found.reason);
  console.step("model", fmt::format("{} states, {} form, {} iterations", found.model.F.rows(),
                                    found.model.gain.size() > 0 ? "innovation" : "output-error",
                                    found.iterations));
  console.step("fit", fit_line(found.estimation, result.study.data.samples()));
  if (found.validation) {
    console.step("validation", fit_line(*found.validation, result.study.validation.samples()));
  }
  if (std::isfinite(found.halves)) {
    console.step("halves", fmt::format("their poles differ by {:.2g} deviations in the median, "
                                       "0.67 expected",
                                       found.halves));
  }
  print_poles(found, console);
  console.steps("note", result.study.notes);
  console.steps("warning", result.warnings);
  return console.text();
}

}  // namespace alembert::study
