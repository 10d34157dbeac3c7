#include "study/tasks/observe/console.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/core/text.hpp"
#include "study/result/console.hpp"
#include "study/result/words.hpp"

namespace alembert::study {
namespace {

void print_observe_heading(const ObserveStudy& study, Console& console) {
  console.print("{}\n", study.title);
  console.print("  {:<10} {}, {}, {} samples at {:.6g} Hz\n", "study",
                mechanism_words(*study.mechanism), counted(study.mechanism->sensors(), "sensor"),
                study.time.size(), 1.0 / study.time.median_step());
}

std::string observer_words(const ObserveStudy& study) {
  const estimate::KinematicObserverOptions& options = study.options;
  const bool output = options.form == estimate::ObserverForm::Output;
  return fmt::format("{}, {} form, {}{}", to_string(options.filter), output ? "output" : "input",
                     output ? to_string(options.output.motion) : to_string(options.input.scheme),
                     study.smooth ? ", smoothed" : "");
}

// How well a noise level is known.
std::string factor_words(double log_deviation) {
  if (!std::isfinite(log_deviation)) return "how well is not known";
  return fmt::format("times or over {:.2f}", std::exp(log_deviation));
}

void print_states(const ObserveResult& result, Console& console) {
  console.print("  {:<10} {:<28} {:>12} {:>10}\n", "states", "mean standard deviation", "filtered",
                result.study.smooth ? "smoothed" : "");
  const estimate::KinematicEstimate& estimate = result.estimate;
  for (std::size_t i = 0; i < result.states.size(); ++i) {
    const auto c = static_cast<Eigen::Index>(i);
    const auto mean = [&](const Eigen::MatrixXd& deviation) {
      return result.scored > 0 ? deviation.col(c).tail(result.scored).mean() : 0.0;
    };
    console.print(
        "  {:<10} {:<28} {:>12.3g} {:>10} {}\n", "", result.states[i].name,
        mean(estimate.deviation),
        result.study.smooth ? fmt::format("{:.3g}", mean(estimate.smoothed_deviation)) : "",
        result.states[i].unit);
  }
}

// Noise levels that were followed, as they were in the end.
void print_adapted(const ObserveResult& result, Console& console) {
  const estimate::ObserverAdaptOptions& adapt = result.study.options.adapt;
  const estimate::KinematicEstimate& estimate = result.estimate;
  if (adapt.window == 0) return;
  if (adapt.process) {
    console.step("adapted", fmt::format("density times {:.3g} at the end", estimate.process_scale));
  }
  for (std::size_t i = 0; adapt.outputs && i < estimate.outputs.size(); ++i) {
    const auto sensor = static_cast<std::size_t>(estimate.outputs[i]);
    console.step("adapted", fmt::format("sigma of {} = {:.3g} at the end",
                                        result.study.mechanism->description().sensors[sensor].name,
                                        estimate.output_deviation(static_cast<Eigen::Index>(i))));
  }
}

void print_observation(const ObserveResult& result, Console& console) {
  console.step("observe", observer_words(result.study), seconds_text(result.seconds));
  for (const FittedLevel& one : result.fitted) {
    console.step("noise", fmt::format("{} = {:.3g}, found from the readings ({})", one.name,
                                      one.value, factor_words(one.log_deviation)));
  }
  print_adapted(result, console);
  print_states(result, console);
  if (result.consistency.judged) {
    const ConsistencyVerdict& verdict = result.consistency;
    const char* const word = !verdict.good      ? "not consistent"
                             : verdict.cautious ? "on the safe side"
                                                : "consistent";
    console.step("innovation",
                 fmt::format("mean NIS {:.3g}, expected {:.3g}; {}", verdict.squares.average,
                             verdict.squares.expected, word));
  }
  if (result.estimate.rejected > 0) {
    console.step("gate", fmt::format("{} of {} samples kept out", result.estimate.rejected,
                                     result.estimate.mean.rows()));
  }
  console.steps("note", result.study.notes);
  console.steps("warning", result.warnings);
}

}  // namespace

std::string observe_heading(const ObserveStudy& study) {
  Console console;
  print_observe_heading(study, console);
  return console.text();
}

std::string observe_console(const ObserveResult& result) {
  Console console;
  print_observation(result, console);
  return console.text();
}

}  // namespace alembert::study
