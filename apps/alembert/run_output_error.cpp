#include "run_output_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "alembert/core/text.hpp"
#include "alembert/io/atomic_folder.hpp"
#include "alembert/report/output_error_report.hpp"
#include "alembert/study/result_folder.hpp"
#include "print.hpp"
#include "write_report.hpp"

namespace alembert::app {
namespace {

using identify::ParameterVerdict;
using study::OutputErrorOutcome;

void print_equation_heading(const study::OutputErrorStudy& study) {
  const auto count = [](const auto& list) { return static_cast<long long>(list.size()); };
  const long long experiments = count(study.data.experiments);
  fmt::print("{}\n", study.title);
  fmt::print("  {:<10} {}, {}, {}, {}, {} samples at {:.6g} Hz{}\n", "study",
             counted(count(study.model.states()), "state"),
             counted(count(study.parameters), "parameter"), counted(count(study.inputs), "input"),
             counted(count(study.outputs), "output"), study.data.samples(), 1.0 / study.step(),
             experiments == 1 ? "" : " in " + counted(experiments, "experiment"));
  std::fflush(stdout);  // What follows may take long.
}

std::string cell(double value) { return std::isfinite(value) ? fmt::format("{:.2g}", value) : "-"; }

void print_parameters(const OutputErrorOutcome& result) {
  fmt::print("  {:<10} {:<12} {:>12} {:>9} {:>9} {:>9}\n", "parameters", "", "value", "+-",
             "robust +-", "+- %");
  for (std::size_t i = 0; i < result.study.parameters.size(); ++i) {
    const ParameterVerdict verdict = parameter_verdict(result, i);
    const bool is_free = verdict.role == ParameterVerdict::Role::Free;
    fmt::print("  {:<10} {:<12} {:>12.5g} {:>9} {:>9} {:>9}{}\n", "",
               result.study.parameters[i].name, verdict.value, cell(verdict.deviation),
               cell(verdict.robust), cell(100.0 * verdict.deviation / std::abs(verdict.value)),
               is_free ? "" : fmt::format("  {}", name_of(verdict.role)));
  }
}

void print_profiles(const OutputErrorOutcome& result) {
  if (result.profiles.empty()) return;
  fmt::print("  {:<10} {:<12} {:>12} {:>12} {:>27}\n", "profiles", "95 %", "lower", "upper",
             fmt::format("{:.2f} s", result.profile_seconds));
  const auto end = [](double value, bool open) {
    return open ? std::string("-") : fmt::format("{:.5g}", value);
  };
  for (const identify::ParameterProfile& profile : result.profiles) {
    fmt::print("  {:<10} {:<12} {:>12} {:>12}\n", "", profile.name,
               end(profile.interval.lower, profile.interval.lower_open),
               end(profile.interval.upper, profile.interval.upper_open));
  }
}

// "rms 0.278 V (fit 86.7 %)" of each output.
std::string rms_words(const study::OutputErrorStudy& study,
                      const std::vector<identify::ResidualVerdict>& outputs) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const study::ColumnUse& column = study.outputs[i];
    const std::string& unit = column.unit.empty() ? column.column_unit : column.unit;
    parts.push_back(fmt::format("{} rms {:.4g}{} (fit {} %)", column.name, outputs[i].rms,
                                unit.empty() ? "" : " " + unit,
                                identify::fit_words(outputs[i].fit)));
  }
  return join(parts, ", ");
}

void print_estimation(const OutputErrorOutcome& result) {
  const study::OutputErrorStudy& study = result.study;
  const auto seconds = [](double time) { return fmt::format("{:.2f} s", time); };
  print_step("model", result.engine, seconds(result.compile_seconds));
  print_step("search",
             fmt::format("{}, {}", to_string(study.options.search.solver),
                         counted(result.estimate.evaluations, "evaluation")),
             seconds(result.search_seconds));
  if (result.has_prediction()) {
    print_parameters(result);
    print_profiles(result);
    print_step("data", fmt::format("{}, residuals {}", rms_words(study, result.estimate.outputs),
                                   to_string(identify::whiteness_of(result.estimate.outputs))));
    if (result.validation && result.validation->prediction.ok()) {
      print_step("validation",
                 rms_words(study, result.validation->outputs) +
                     fmt::format(" on {} held-back samples", study.validation.samples()));
    }
  }
  for (const std::string& note : study.notes) print_step("note", note);
  for (const std::string& warning : result.warnings) print_step("warning", warning);
}

/// The best cost so far, and how many searches are finished, on a terminal.
class SearchProgress {
 public:
  explicit SearchProgress(const Session& session) : line_(session, "search") {}

  [[nodiscard]] OnProgress on_progress() {
    if (!line_.visible()) return {};
    return [this](std::size_t done, std::size_t total) {
      const std::lock_guard lock(mutex_);
      finished_ = total > 1 ? fmt::format("{} of {}, ", done, total) : "";
      show();
    };
  }

  [[nodiscard]] study::OnBest on_best() {
    if (!line_.visible()) return {};
    return [this](long evaluations, double cost) {
      const std::lock_guard lock(mutex_);
      best_ = fmt::format("best cost {:.6g} after {}", cost, counted(evaluations, "evaluation"));
      show();
    };
  }

 private:
  void show() const { line_.show(finished_ + best_); }

  ProgressLine line_;
  std::mutex mutex_;
  std::string finished_, best_;
};

}  // namespace

int run_output_error_study(const study::OutputErrorStudy& study, const RunArguments& arguments,
                           const StopFlag& stop, Session& session) {
  const bool many = study.options.starts > 1;
  if (!session.machines.is_first()) {
    // One machine does it all, but for the searches from several starts.
    if (many) {
      (void)study::run_output_error(study, {.threads = arguments.threads, .stop = &stop},
                                    &session.machines);
    }
    return kDone;
  }
  // Made before the work, so that a folder that cannot be written is known at once.
  io::AtomicFolder folder(out_folder(arguments), study::reason_to_keep);
  if (session.speaks()) print_equation_heading(study);
  const OutputErrorOutcome result = [&] {
    SearchProgress progress(session);  // gone before anything else is printed
    return study::run_output_error(study,
                                   {.threads = arguments.threads,
                                    .on_progress = progress.on_progress(),
                                    .stop = &stop,
                                    .on_best = progress.on_best()},
                                   many ? &session.machines : nullptr);
  }();
  if (session.speaks()) print_estimation(result);
  if (!result.ok()) {
    fmt::print(stderr, "{}: {}: {}\n", arguments.study.string(), to_string(result.status),
               result.message);
  }
  study::write_output_error_result(result, folder.path());
  write_report(report::output_error_document(result), folder.path() / "report.html");
  folder.commit();
  if (session.speaks()) {
    fmt::print("report       {}\n", (folder.target() / "report.html").string());
  }
  return result.ok() ? kDone : kNotSuccessful;
}

}  // namespace alembert::app
