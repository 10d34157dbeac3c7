#include "run_identification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/text.hpp"
#include "alembert/io/atomic_folder.hpp"
#include "alembert/report/identify_report.hpp"
#include "alembert/study/result_folder.hpp"
#include "print.hpp"
#include "write_report.hpp"

namespace alembert::app {
namespace {

constexpr std::size_t kMostModesShown = 12;

// "8 displacements", "2 displacements and 1 acceleration"
std::string output_words(const study::IdentifyStudy& study) {
  std::vector<std::string> parts;
  for (const auto motion :
       {model::Motion::Displacement, model::Motion::Velocity, model::Motion::Acceleration}) {
    const auto count =
        std::count_if(study.outputs.begin(), study.outputs.end(),
                      [&](const study::OutputSensor& sensor) { return sensor.motion == motion; });
    if (count == 0) continue;
    const bool velocities = motion == model::Motion::Velocity && count != 1;
    parts.push_back(velocities ? fmt::format("{} velocities", count)
                               : counted(count, study::to_string(motion)));
  }
  return join(parts, " and ");
}

void print_identify_heading(const study::IdentifyStudy& study) {
  const Eigen::Index n = study.model.system.L.rows();
  const auto experiments = static_cast<long long>(study.data.experiments.size());
  fmt::print("{}\n", study.title);
  fmt::print("  {:<10} {} degree{} of freedom, {}, {}, {} samples at {:.6g} Hz{}\n", "study", n,
             n == 1 ? "" : "s", counted(study.model.system.L.cols(), "force"), output_words(study),
             study.data.samples(), 1.0 / study.step(),
             experiments == 1 ? "" : " in " + counted(experiments, "experiment"));
  std::fflush(stdout);  // What follows may take long.
}

std::string seconds_text(double seconds) { return fmt::format("{:.2f} s", seconds); }

std::string percent_words(const Eigen::Vector3d& shares) {
  return fmt::format("M {:.2g} %  D {:.2g} %  K {:.2g} %", 100.0 * shares(0), 100.0 * shares(1),
                     100.0 * shares(2));
}

std::string result_words(const study::IdentifyResult& result) {
  std::string words = model_words(result.definiteness);
  if (result.study.settings.refine) {
    words += fmt::format(", condition {:.1e}", result.refinement.condition);
  }
  if (result.expected_error) words += "; std " + percent_words(*result.expected_error);
  return words;
}

// Without refinement there are no deviations.
std::string deviation_text(double deviation) {
  return std::isfinite(deviation) ? fmt::format("{:.2g}", deviation) : "-";
}

void print_identified_modes(const std::vector<identify::ModeVerdict>& modes) {
  if (modes.empty()) return;
  fmt::print("  {:<10} {:>10} {:>10} {:>12} {:>8}\n", "modes", "Hz", "+-", "damping %", "+-");
  for (std::size_t i = 0; i < std::min(kMostModesShown, modes.size()); ++i) {
    fmt::print("  {:>4}       {:>10.4f} {:>10} {:>12.3f} {:>8}\n", i + 1, modes[i].frequency_hz,
               deviation_text(modes[i].frequency_std), 100.0 * modes[i].damping,
               deviation_text(100.0 * modes[i].damping_std));
  }
  if (modes.size() > kMostModesShown) {
    fmt::print("   ...       {} more\n", modes.size() - kMostModesShown);
  }
}

std::string fit_words(const std::vector<identify::ResidualVerdict>& outputs,
                      const std::string& where = "") {
  double lowest = 100.0;
  double highest = -1e300;
  for (const identify::ResidualVerdict& one : outputs) {
    lowest = std::min(lowest, one.fit);
    highest = std::max(highest, one.fit);
  }
  const std::string fit = highest - lowest < 0.1
                              ? fmt::format("fit {:.1f} %", lowest)
                              : fmt::format("fit {:.1f} to {:.1f} %", lowest, highest);
  return fmt::format("{}{}, residuals {}", fit, where, to_string(identify::whiteness_of(outputs)));
}

void print_comparison(const study::IdentifyResult& result) {
  if (result.comparison.empty()) return;
  const bool truth = result.study.truth.has_value();
  fmt::print("  {:<10} {:<20} {:>8} {:>8} {:>8} {:>9} {:>8}  {}\n", "compare",
             truth ? "error against truth" : "difference to first", "M %", "D %", "K %", "residual",
             "time", "status");
  for (const study::ComparedMethod& row : result.comparison) {
    const Eigen::Vector3d shares =
        row.error.value_or(Eigen::Vector3d(row.mass, row.damping, row.stiffness));
    fmt::print("  {:<10} {:<20} {:>8.3g} {:>8.3g} {:>8.3g} {:>9.4g} {:>8}  {}\n", "", row.name,
               100.0 * shares(0), 100.0 * shares(1), 100.0 * shares(2), row.residual,
               seconds_text(row.seconds), to_string(row.status));
  }
}

void print_remarks(const study::IdentifyResult& result) {
  for (const std::string& note : result.study.notes) print_step("note", note);
  for (const identify::DataRemark& remark : result.study.remarks) {
    print_step("remark", remark.channel.empty() ? remark.text : remark.channel + " " + remark.text);
  }
  for (const std::string& warning : result.warnings) print_step("warning", warning);
}

void print_identification(const study::IdentifyResult& result) {
  print_step("start", result.start.words, seconds_text(result.start_seconds));
  if (result.has_system()) {
    if (result.study.settings.refine) {
      print_step("refine", counted(result.refinement.iterations, "iteration"),
                 seconds_text(result.refine_seconds));
    }
    print_step("result", result_words(result));
    print_identified_modes(result.modes);
    if (result.error) print_step("error", percent_words(*result.error) + " against the truth");
    if (!result.outputs.empty()) print_step("data", fit_words(result.outputs));
    if (result.validation) {
      const std::string where =
          fmt::format(" on {} held-back samples", result.study.validation.samples());
      print_step("validation", fit_words(result.validation->outputs, where));
    }
    print_comparison(result);
  }
  print_remarks(result);
}

}  // namespace

int run_identification(const study::IdentifyStudy& study, const RunArguments& arguments,
                       const StopFlag& stop, Session& session) {
  if (!session.machines.is_first()) {
    return kDone;  // One machine does it all.
  }
  // Made before the work, so that a folder that cannot be written is known at once.
  io::AtomicFolder folder(out_folder(arguments), study::reason_to_keep);
  if (session.speaks()) print_identify_heading(study);
  const study::IdentifyResult result =
      study::run_identify(study, {.threads = arguments.threads, .stop = &stop});
  if (session.speaks()) print_identification(result);
  if (!result.ok()) {
    fmt::print(stderr, "{}: {}: {}\n", arguments.study.string(), to_string(result.status),
               result.message);
  }
  study::write_identify_result(result, folder.path());
  write_report(report::identify_document(result), folder.path() / "report.html");
  folder.commit();
  if (session.speaks()) {
    fmt::print("report       {}\n", (folder.target() / "report.html").string());
  }
  return result.ok() ? kDone : kNotSuccessful;
}

}  // namespace alembert::app
