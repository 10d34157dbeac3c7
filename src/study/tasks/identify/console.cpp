#include "study/tasks/identify/console.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/core/text.hpp"
#include "study/result/console.hpp"
#include "study/result/words.hpp"

namespace alembert::study {
namespace {

constexpr std::size_t kMostModesShown = 12;

// "8 displacements", "2 displacements and 1 acceleration"
std::string output_words(const IdentifyStudy& study) {
  std::vector<std::string> parts;
  for (const auto motion :
       {model::Motion::Displacement, model::Motion::Velocity, model::Motion::Acceleration}) {
    const auto count =
        std::count_if(study.outputs.begin(), study.outputs.end(),
                      [&](const OutputSensor& sensor) { return sensor.motion == motion; });
    if (count == 0) continue;
    const bool velocities = motion == model::Motion::Velocity && count != 1;
    parts.push_back(velocities ? fmt::format("{} velocities", count)
                               : counted(count, std::string(name_of(motion))));
  }
  return join(parts, " and ");
}

void print_identify_heading(const IdentifyStudy& study, Console& console) {
  const auto experiments = static_cast<long long>(study.data.experiments.size());
  console.print("{}\n", study.title);
  console.print("  {:<10} {}, {}, {}, {} samples at {:.6g} Hz{}\n", "study",
                freedom_words(study.model.system.L.rows()),
                counted(study.model.system.L.cols(), "force"), output_words(study),
                study.data.samples(), 1.0 / study.step(),
                experiments == 1 ? "" : " in " + counted(experiments, "experiment"));
}

std::string percent_words(const Eigen::Vector3d& shares) {
  return fmt::format("M {:.2g} %  D {:.2g} %  K {:.2g} %", 100.0 * shares(0), 100.0 * shares(1),
                     100.0 * shares(2));
}

std::string result_words(const IdentifyResult& result) {
  std::string words = definiteness_words(result.definiteness);
  if (result.study.settings.refine) {
    words += fmt::format(", condition {:.1e}", result.refinement.condition);
  }
  if (result.expected_error) words += "; std " + percent_words(*result.expected_error);
  return words;
}

using document::ResultTree;

// Without refinement there are no deviations.
std::string deviation_text(double deviation) {
  return std::isfinite(deviation) ? fmt::format("{:.2g}", deviation) : "-";
}

void print_identified_modes(const ResultTree& tree, Console& console) {
  const std::vector<ResultTree>& modes = tree.at("model/modes").entries();
  if (modes.empty()) return;
  console.print("  {:<10} {:>10} {:>10} {:>12} {:>8}\n", "modes", "Hz", "+-", "damping %", "+-");
  for (std::size_t i = 0; i < std::min(kMostModesShown, modes.size()); ++i) {
    console.print("  {:>4}       {:>10.4f} {:>10} {:>12.3f} {:>8}\n", i + 1,
                  modes[i].number("frequency_hz"),
                  deviation_text(modes[i].number("frequency_deviation")),
                  100.0 * modes[i].number("damping_ratio"),
                  deviation_text(100.0 * modes[i].number("damping_deviation")));
  }
  if (modes.size() > kMostModesShown) {
    console.print("   ...       {} more\n", modes.size() - kMostModesShown);
  }
}

std::string fit_range_words(const ResultTree& outputs, identify::Whiteness whiteness,
                            const std::string& where = "") {
  double lowest = 100.0;
  double highest = -1e300;
  for (const ResultTree& output : outputs.entries()) {
    lowest = std::min(lowest, output.number("fit"));
    highest = std::max(highest, output.number("fit"));
  }
  const std::string fit = highest - lowest < 0.1
                              ? fmt::format("fit {:.1f} %", lowest)
                              : fmt::format("fit {:.1f} to {:.1f} %", lowest, highest);
  return fmt::format("{}{}, residuals {}", fit, where, to_string(whiteness));
}

void print_comparison(const ResultTree& methods, bool truth, Console& console) {
  if (methods.entries().empty()) return;
  console.print("  {:<10} {:<20} {:>8} {:>8} {:>8} {:>9} {:>8}  {}\n", "compare",
                truth ? "error against truth" : "difference to first", "M %", "D %", "K %",
                "residual", "time", "status");
  for (const ResultTree& row : methods.entries()) {
    const bool known = row.find("error/mass") != nullptr;
    const ResultTree& shares = row.at(known ? "error" : "difference");
    console.print("  {:<10} {:<20} {:>8.3g} {:>8.3g} {:>8.3g} {:>9.4g} {:>8}  {}\n", "",
                  row.text("name"), 100.0 * shares.number("mass"), 100.0 * shares.number("damping"),
                  100.0 * shares.number("stiffness"), row.number("residual"),
                  seconds_text(row.number("seconds")), row.text("status"));
  }
}

void print_remarks(const IdentifyResult& result, Console& console) {
  console.steps("note", result.study.notes);
  for (const identify::DataRemark& remark : result.study.remarks) {
    console.step("remark",
                 remark.channel.empty() ? remark.text : remark.channel + " " + remark.text);
  }
  console.steps("warning", result.warnings);
}

void print_identification(const IdentifyResult& result, Console& console) {
  console.step("start", result.start.words, seconds_text(result.start_seconds));
  if (result.has_system()) {
    if (result.study.settings.refine) {
      console.step("refine", counted(result.refinement.iterations, "iteration"),
                   seconds_text(result.refine_seconds));
    }
    const ResultTree tree = describe(result);
    console.step("result", result_words(result));
    print_identified_modes(tree, console);
    if (result.error) console.step("error", percent_words(*result.error) + " against the truth");
    if (!result.outputs.empty()) {
      console.step("data",
                   fit_range_words(tree.at("outputs"), identify::whiteness_of(result.outputs)));
    }
    if (result.validation) {
      const std::string where =
          fmt::format(" on {} held-back samples", result.study.validation.samples());
      console.step("validation",
                   fit_range_words(tree.at("validation/outputs"),
                                   identify::whiteness_of(result.validation->outputs), where));
    }
    print_comparison(tree.at("comparison"), result.study.settings.truth.has_value(), console);
  }
  print_remarks(result, console);
}

}  // namespace

std::string identify_heading(const IdentifyStudy& study) {
  Console console;
  print_identify_heading(study, console);
  return console.text();
}

std::string identify_console(const IdentifyResult& result) {
  Console console;
  print_identification(result, console);
  return console.text();
}

}  // namespace alembert::study
