#include "study/tasks/identify/console.hpp"

#include <algorithm>

#include "alembert/identify/detail/linear_words.hpp"
#include "study/result/console.hpp"
#include "study/result/words.hpp"

namespace alembert::study {
namespace {

constexpr std::size_t kMostModesShown = 12;

void print_identify_heading(const IdentifyStudy& study, Console& console) {
  const auto experiments = static_cast<long long>(study.data.experiments.size());
  console.print("{}\n", study.title);
  console.print(
      "  {:<10} {}, {}, {}, {} samples at {:.6g} Hz{}\n", "study",
      freedom_words(study.model.system.L.rows()), counted(study.model.system.L.cols(), "force"),
      identify::sensor_words(study.settings.outputs), study.data.samples(), 1.0 / study.step(),
      experiments == 1 ? "" : " in " + counted(experiments, "experiment"));
}

constexpr Eigen::Index kMostShown = 4;           // coordinates of matrices shown here
constexpr Eigen::Index kMostWithDeviations = 3;  // of those, in 80 columns

// The lower triangle; the upper one repeats it.
void print_matrix(const char* name, const Eigen::MatrixXd& values,
                  const Eigen::MatrixXd& deviations, Console& console) {
  const bool known = deviations.size() > 0 && values.rows() <= kMostWithDeviations;
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    std::string row;
    for (Eigen::Index j = 0; j <= i; ++j) {
      row += fmt::format("{:>10.5g}", values(i, j));
      if (known) row += fmt::format(" +- {:<7}", identify::deviation_words(deviations(i, j)));
    }
    row.erase(row.find_last_not_of(' ') + 1);
    console.print("  {:<10} {}\n", i == 0 ? name : "", row);
  }
}

void print_matrices(const IdentifyResult& result, Console& console) {
  const model::SecondOrder& system = result.refinement.system;
  if (system.degrees_of_freedom() > kMostShown) return;
  print_matrix("M", system.M, result.deviations.M, console);
  print_matrix("D", system.D, result.deviations.D, console);
  print_matrix("K", system.K, result.deviations.K, console);
}

using document::ResultTree;

void print_identified_modes(const ResultTree& tree, Console& console) {
  const std::vector<ResultTree>& modes = tree.at("model/modes").entries();
  if (modes.empty()) return;
  console.print("  {:<10} {:>10} {:>10} {:>12} {:>8}\n", "modes", "Hz", "+-", "damping %", "+-");
  for (std::size_t i = 0; i < std::min(kMostModesShown, modes.size()); ++i) {
    console.print("  {:>4}       {:>10.4f} {:>10} {:>12.3f} {:>8}\n", i + 1,
                  modes[i].number("frequency_hz"),
                  identify::deviation_words(modes[i].number("frequency_deviation")),
                  100.0 * modes[i].number("damping_ratio"),
                  identify::deviation_words(100.0 * modes[i].number("damping_deviation")));
  }
  if (modes.size() > kMostModesShown) {
    console.print("   ...       {} more\n", modes.size() - kMostModesShown);
  }
}

void print_comparison(const ResultTree& methods, bool truth, Console& console) {
  if (methods.entries().empty()) return;
  console.print("  {:<10} {:<20} {:>7} {:>7} {:>7} {:>8} {:>8}\n", "compare",
                truth ? "error against truth" : "difference to first", "M %", "D %", "K %",
                "residual", "time");
  for (const ResultTree& row : methods.entries()) {
    const bool known = row.find("error/mass") != nullptr;
    const ResultTree& shares = row.at(known ? "error" : "difference");
    // In place of its time a method that failed says how it ended.
    const std::string& status = row.at("status").text();
    console.print("  {:<10} {:<20} {:>7.3g} {:>7.3g} {:>7.3g} {:>8.4g} {:>8}\n", "",
                  row.at("name").text(), 100.0 * shares.number("mass"),
                  100.0 * shares.number("damping"), 100.0 * shares.number("stiffness"),
                  row.number("residual"),
                  status == "success" ? seconds_text(row.number("seconds")) : status);
  }
}

void print_remarks(const IdentifyResult& result, Console& console) {
  console.steps("note", result.study.notes);
  for (const identify::DataRemark& remark : result.study.remarks) {
    console.step("remark", identify::remark_words(remark));
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
    console.step("result", identify::result_words(result));
    print_matrices(result, console);
    print_identified_modes(tree, console);
    if (result.error) {
      console.step("error", identify::percent_words(*result.error) + " against the truth");
    }
    if (!result.outputs.empty()) {
      console.step("data", identify::fit_range_words(result.outputs));
    }
    if (result.validation) {
      const std::string where =
          fmt::format(" on {} held-back samples", result.study.validation.samples());
      console.step("validation", identify::fit_range_words(result.validation->outputs, where));
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
