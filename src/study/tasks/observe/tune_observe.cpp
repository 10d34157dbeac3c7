#include "alembert/study/tune_observe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "alembert/core/error.hpp"
#include "study/result/console.hpp"
#include "study/result/json.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;
using estimate::FittedLevel;
using estimate::ObserverForm;

/// A key of the study and its value as TOML.
struct TunedKey {
  std::string table, key, value;
};

std::string numbers_text(const std::vector<double>& numbers) {
  std::vector<std::string> texts;
  for (const double number : numbers) texts.push_back(fmt::format("{:.4g}", number));
  // A number of TOML with an exponent, or a point, is no integer.
  for (std::string& text : texts) {
    if (text.find_first_of(".en") == std::string::npos) text += ".0";
  }
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

// Whether a level of this kind was sought.
bool fitted(const ObserveTuning& tuning, const std::string& begins) {
  const std::vector<FittedLevel>& levels = tuning.tuned.fitted;
  return std::any_of(levels.begin(), levels.end(),
                     [&](const FittedLevel& one) { return one.name.starts_with(begins); });
}

void add_motion_keys(const ObserveTuning& tuning, std::vector<TunedKey>& keys) {
  const estimate::ObserveOptions& found = tuning.tuned.options;
  if (found.form == ObserverForm::Dynamic) {
    keys.push_back({"observe", "noise", numbers_text(found.input_noise.kinematic)});
    return;
  }
  if (estimate::motion_form(found) != ObserverForm::Output) return;
  keys.push_back({"observe", "motion", fmt::format("\"{}\"", name_of(found.output.motion))});
  keys.push_back({"observe", "density", numbers_text(found.output_noise.density)});
}

std::vector<TunedKey> tuned_keys(const ObserveTuning& tuning) {
  std::vector<TunedKey> keys;
  add_motion_keys(tuning, keys);
  if (fitted(tuning, "density of force(")) {
    keys.push_back({"observe.forces", "density",
                    numbers_text(tuning.tuned.options.output_noise.force_density)});
  }
  for (const FittedLevel& level : tuning.tuned.fitted) {
    const std::string sigma = "sigma of ";
    if (!level.name.starts_with(sigma)) continue;
    keys.push_back({"data.sensors." + level.name.substr(sigma.size()), "sigma",
                    fmt::format("{:.4g}", level.value)});
  }
  return keys;
}

std::string level_words(const FittedLevel& level) {
  const std::string known = std::isfinite(level.log_deviation)
                                ? fmt::format("times or over {:.2f}", std::exp(level.log_deviation))
                                : "how well is not known";
  return fmt::format("{} = {:.4g} ({})", level.name, level.value, known);
}

void print_errors(const ObserveTuning& tuning, Console& console) {
  for (const estimate::TunedError& error : tuning.errors) {
    const auto& state = tuning.tuned.states[static_cast<std::size_t>(error.state)];
    console.step("truth", fmt::format("{}: rms error {:.4g} {}, with the best levels {:.4g}",
                                      state.name, error.tuned, state.unit, error.best));
  }
  if (!std::isfinite(tuning.excess)) return;
  for (std::size_t i = 0; i < tuning.best.size(); ++i) {
    console.step("best", fmt::format("{} = {:.4g}, {:.3g} times what was found",
                                     tuning.best[i].name, tuning.best[i].value,
                                     tuning.best[i].value / tuning.tuned.fitted[i].value));
  }
  console.step("reach", fmt::format("errors {:.1f} % above the least that these levels can reach",
                                    100.0 * tuning.excess));
}

}  // namespace

ObserveTuning tune_observe(const ObserveStudy& study, bool sigmas, const RunOptions& run) {
  const auto began = std::chrono::steady_clock::now();
  estimate::TuneObserverOptions options;
  static_cast<estimate::ObserveOptions&>(options) = study.options;
  options.sigmas = sigmas;
  options.stop = run.stop;
  // The start was found with the data.
  options.given = {.coordinates = true, .velocities = true, .accelerations = true};
  ObserveTuning tuning;
  try {
    static_cast<estimate::ObserverTuning&>(tuning) =
        estimate::tune_observer(study.mechanism, study.time.times(), study.readings, options);
  } catch (const InvalidInput& error) {
    throw StudyError({.file = study.file.string()}, "observe: " + error.reason());
  }
  tuning.tuned.options.stop = nullptr;
  tuning.study = study;
  tuning.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return tuning;
}

std::string tuned_lines(const ObserveTuning& tuning) {
  std::string lines, table;
  for (const TunedKey& one : tuned_keys(tuning)) {
    if (one.table != table) lines += fmt::format("[{}]\n", one.table);
    table = one.table;
    lines += fmt::format("{} = {}\n", one.key, one.value);
  }
  return lines;
}

std::string tuned_arguments(const ObserveTuning& tuning) {
  std::string arguments;
  for (const TunedKey& one : tuned_keys(tuning)) {
    arguments += fmt::format("{}--set '{}.{}={}'", arguments.empty() ? "" : " ", one.table, one.key,
                             one.value);
  }
  return arguments;
}

ResultTree describe(const ObserveTuning& tuning) {
  ResultTree tree = result_head("tune", tuning.study.title);
  tree.add("status", to_string(tuning.status));
  tree.add("message", tuning.message);
  ResultTree& verdict = tree.group("verdict");
  verdict.add("level", name_of(tuning.tuned.verdict.level));
  verdict.add("reasons", tuning.tuned.verdict.reasons);
  ResultTree& levels = tree.list("levels");
  for (std::size_t i = 0; i < tuning.tuned.fitted.size(); ++i) {
    const FittedLevel& level = tuning.tuned.fitted[i];
    ResultTree& one = levels.item();
    one.add("name", level.name);
    one.add("value", level.value);
    one.add("log_deviation", level.log_deviation);
    one.insert("best", i < tuning.best.size() ? ResultTree(tuning.best[i].value) : ResultTree());
  }
  ResultTree& errors = tree.list("errors");
  for (const estimate::TunedError& error : tuning.errors) {
    const auto& state = tuning.tuned.states[static_cast<std::size_t>(error.state)];
    ResultTree& one = errors.item();
    one.add("name", state.name);
    one.add("unit", state.unit);
    one.add("rms", error.tuned);
    one.add("best", error.best);
  }
  tree.add("excess", tuning.excess);
  tree.add("evaluations", static_cast<std::int64_t>(tuning.evaluations));
  ResultTree& keys = tree.list("keys");
  for (const TunedKey& key : tuned_keys(tuning)) {
    ResultTree& one = keys.item();
    one.add("key", key.table + "." + key.key);
    one.add("value", key.value);
  }
  return tree;
}

void write_tuning(const ObserveTuning& tuning, const std::filesystem::path& folder) {
  write_result(describe(tuning), folder);
}

std::string tuning_console(const ObserveTuning& tuning) {
  Console console;
  console.print("{}\n", tuning.study.title);
  console.step("tune",
               fmt::format("{} form, {} samples", name_of(tuning.tuned.options.form),
                           tuning.study.time.size()),
               fmt::format("{:.2f} s", tuning.seconds));
  for (const FittedLevel& level : tuning.tuned.fitted) console.step("level", level_words(level));
  print_errors(tuning, console);
  console.steps("note", tuning.tuned.notes);
  console.steps("warning", tuning.tuned.verdict.reasons);
  return console.text();
}

}  // namespace alembert::study
