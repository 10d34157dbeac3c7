#include "run_observe.hpp"

#include <fmt/format.h>

#include <cmath>

#include "alembert/io/atomic_folder.hpp"
#include "alembert/report/observe_report.hpp"
#include "alembert/study/result_folder.hpp"
#include "print.hpp"
#include "write_report.hpp"

namespace alembert::app {
namespace {

void print_observe_heading(const study::ObserveStudy& study) {
  fmt::print("{}\n", study.title);
  fmt::print("  {:<10} {}, {}, {} samples at {:.6g} Hz\n", "study",
             mechanism_words(*study.mechanism), counted(study.mechanism->sensors(), "sensor"),
             study.time.size(), 1.0 / study.time.median_step());
  std::fflush(stdout);
}

std::string observer_words(const study::ObserveStudy& study) {
  const estimate::ObserveOptions& options = study.options;
  const bool output = options.form == estimate::ObserverForm::Output;
  return fmt::format("{}, {} form, {}{}", name_of(options.filter), output ? "output" : "input",
                     output ? name_of(options.output.motion) : name_of(options.input.scheme),
                     options.smooth ? ", smoothed" : "");
}

// How well a noise level is known.
std::string factor_words(double log_deviation) {
  if (!std::isfinite(log_deviation)) return "how well is not known";
  return fmt::format("times or over {:.2f}", std::exp(log_deviation));
}

void print_states(const study::ObserveResult& result) {
  fmt::print("  {:<10} {:<28} {:>12} {:>10}\n", "states", "mean standard deviation", "filtered",
             result.study.options.smooth ? "smoothed" : "");
  const estimate::KinematicEstimate& estimate = result.estimate;
  for (std::size_t i = 0; i < result.states.size(); ++i) {
    const auto c = static_cast<Eigen::Index>(i);
    const auto mean = [&](const Eigen::MatrixXd& deviation) {
      return result.scored > 0 ? deviation.col(c).tail(result.scored).mean() : 0.0;
    };
    fmt::print(
        "  {:<10} {:<28} {:>12.3g} {:>10} {}\n", "", result.states[i].name,
        mean(estimate.deviation),
        result.study.options.smooth ? fmt::format("{:.3g}", mean(estimate.smoothed_deviation)) : "",
        result.states[i].unit);
  }
}

// Noise levels that were followed, as they were in the end.
void print_adapted(const study::ObserveResult& result) {
  const estimate::ObserverAdaptOptions& adapt = result.study.options.adapt;
  const estimate::KinematicEstimate& estimate = result.estimate;
  if (adapt.window == 0) return;
  if (adapt.process) {
    print_step("adapted", fmt::format("density times {:.3g} at the end", estimate.process_scale));
  }
  for (std::size_t i = 0; adapt.outputs && i < estimate.outputs.size(); ++i) {
    const auto sensor = static_cast<std::size_t>(estimate.outputs[i]);
    print_step("adapted", fmt::format("sigma of {} = {:.3g} at the end",
                                      result.study.mechanism->description().sensors[sensor].name,
                                      estimate.output_deviation(static_cast<Eigen::Index>(i))));
  }
}

void print_observation(const study::ObserveResult& result) {
  print_step("observe", observer_words(result.study), fmt::format("{:.2f} s", result.seconds));
  for (const estimate::FittedLevel& one : result.fitted) {
    print_step("noise", fmt::format("{} = {:.3g}, found from the readings ({})", one.name,
                                    one.value, factor_words(one.log_deviation)));
  }
  print_adapted(result);
  print_states(result);
  if (result.consistency.judged) {
    const estimate::ConsistencyVerdict& verdict = result.consistency;
    const char* const word = !verdict.good      ? "not consistent"
                             : verdict.cautious ? "on the safe side"
                                                : "consistent";
    print_step("innovation", fmt::format("mean NIS {:.3g}, expected {:.3g}; {}",
                                         verdict.squares.average, verdict.squares.expected, word));
  }
  if (result.estimate.rejected > 0) {
    print_step("gate", fmt::format("{} of {} samples kept out", result.estimate.rejected,
                                   result.estimate.mean.rows()));
  }
  for (const std::string& note : result.study.notes) print_step("note", note);
  for (const std::string& warning : result.warnings) print_step("warning", warning);
}

}  // namespace

int run_observe_study(const study::ObserveStudy& study, const RunArguments& arguments,
                      Session& session) {
  if (!session.machines.is_first()) return kDone;  // one machine does it all
  // Made before the work, so that a folder that cannot be written is known at once.
  io::AtomicFolder folder(out_folder(arguments), study::reason_to_keep);
  if (session.speaks()) print_observe_heading(study);
  const study::ObserveResult result = study::run_observe(study);
  if (session.speaks()) print_observation(result);
  if (!result.ok()) {
    fmt::print(stderr, "{}: {}: {}\n", arguments.study.string(), to_string(result.status),
               result.message);
  }
  study::write_observe_result(result, folder.path());
  write_report(report::observe_document(result), folder.path() / "report.html");
  folder.commit();
  if (session.speaks()) {
    fmt::print("report       {}\n", (folder.target() / "report.html").string());
  }
  return result.ok() ? kDone : kNotSuccessful;
}

}  // namespace alembert::app
