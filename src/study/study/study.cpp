#include "alembert/study/study.hpp"

#include <algorithm>
#include <utility>

#include "alembert/core/error.hpp"
#include "core/mapped.hpp"
#include "study/schema/check_keys.hpp"
#include "study/tasks/acceleration/read_acceleration.hpp"
#include "study/tasks/identify/read_identify.hpp"
#include "study/tasks/monte_carlo/read_monte_carlo.hpp"
#include "study/tasks/observe/read_observe.hpp"
#include "study/tasks/output_error/read_output_error.hpp"
#include "study/tasks/simulate/read_simulate.hpp"

namespace alembert::study {
namespace {

// `all` is read once for each input that it stands for.
void drop_repeated(std::vector<Problem>& problems) {
  const auto same = [](const Problem& a, const Problem& b) { return to_string(a) == to_string(b); };
  problems.erase(std::unique(problems.begin(), problems.end(), same), problems.end());
}

// What every task's study has.
template <typename Study>
void finish(Study& study, const TableReader& root, const std::string& text,
            const std::filesystem::path& file, const std::vector<Override>& overrides) {
  study.title = root.optional_text("title").value_or(file.stem().string());
  study.file = file;
  study.text = text;
  study.overrides =
      mapped(overrides, [](const Override& change) { return change.key + "=" + change.value; });
}

// What is set beside the file: the seed goes where random numbers are drawn.
std::vector<Override> overrides_of(const LoadOptions& options, const Document& document) {
  std::vector<Override> overrides = options.overrides;
  if (options.seed) {
    const bool many = document.root.find("monte-carlo") != nullptr;
    const bool equations = is_output_error(document.root);
    overrides.push_back({.key = many        ? "monte-carlo.seed"
                                : equations ? "identify.seed"
                                            : "simulate.seed",
                         .value = std::to_string(*options.seed),
                         .origin = "--seed"});
  }
  return overrides;
}

// Equations have two tasks so far.
void refuse_equations(const Document& document, const std::string& task) {
  if (!has_equations(document.root)) {
    return;
  }
  const Entry* equations = document.root.find("model")->value.find("equations");
  throw StudyError(
      document.place(equations->position),
      "model.equations has no place with [" + task + "]; it is for [simulate] and [identify]");
}

// A study that could be simulated too has nothing random once there is a record.
void refuse_seed(const LoadOptions& options, const std::string& task) {
  if (!options.seed || task != "observe") return;
  throw StudyError({.file = "--seed"}, "the study has a record to observe; nothing else is random");
}

}  // namespace

LoadedStudy load_study_text(const std::string& text, const std::filesystem::path& file,
                            const LoadOptions& options) {
  LoadedStudy loaded;
  Document document;
  std::vector<Override> overrides;
  const bool parsed = attempt(loaded.problems, [&] {
    document = parse_toml(text, file.string());
    overrides = overrides_of(options, document);
    for (const Override& change : overrides) {
      apply_override(document, change);
    }
  });
  if (!parsed) {
    return loaded;
  }
  loaded.task = task_of(document.root);
  // A study that simulates and observes is asked for the latter.
  const bool both = loaded.task == "simulate" && document.root.find("observe") != nullptr;
  if (options.stream && both) loaded.task = "observe";
  if (!attempt(loaded.problems, [&] { refuse_seed(options, loaded.task); })) return loaded;
  const bool acceleration = is_acceleration(document.root);
  const bool equations = !acceleration && is_equation_study(document.root);
  if (!equations && !acceleration && !loaded.task.empty()) {
    attempt(loaded.problems, [&] { refuse_equations(document, loaded.task); });
    if (!loaded.problems.empty()) {
      return loaded;
    }
  }
  const bool mechanism = is_mechanism_study(document.root);
  const TableSpec& tables = mechanism      ? mechanism_root_table()
                            : acceleration ? acceleration_root_table()
                            : equations    ? equation_root_table()
                                           : root_table();
  loaded.problems = check_keys(document, tables);
  if (!loaded.problems.empty()) {
    return loaded;
  }

  const TableReader root(document, tables);
  const FileContext files{.folder = file.parent_path(), .read_files = options.read_files};
  const auto finished = [&](auto study) -> std::optional<decltype(study)> {
    finish(study, root, text, file, overrides);
    drop_repeated(loaded.problems);
    if (!loaded.problems.empty()) {
      return std::nullopt;
    }
    return study;
  };
  try {
    if (mechanism && loaded.task == "simulate") {
      loaded.simulate = finished(read_mechanism_simulate(root, files, loaded.problems));
    } else if (mechanism) {
      loaded.observe = finished(read_observe(root, files, options.stream, loaded.problems));
    } else if (acceleration) {
      loaded.acceleration = finished(read_acceleration(root, files, loaded.problems));
    } else if (equations && loaded.task == "simulate") {
      loaded.simulate = finished(read_equation_simulate(root, files, loaded.problems));
    } else if (equations) {
      loaded.output_error = finished(read_output_error(root, files, loaded.problems));
    } else if (loaded.task == "identify") {
      loaded.identify = finished(read_identify(root, files, loaded.problems));
    } else if (loaded.task == "monte-carlo") {
      loaded.monte_carlo = finished(read_monte_carlo(document, files, loaded.problems));
    } else {
      loaded.simulate = finished(read_simulate(root, files, loaded.problems));
    }
  } catch (const NeedsFile&) {
    // What is left to check needs a file that may not be read.
  }
  return loaded;
}

LoadedStudy load_study(const std::filesystem::path& file, const LoadOptions& options) {
  LoadedStudy loaded;
  std::string text;
  const bool read = attempt(loaded.problems, [&] { text = read_study_text(file); });
  return read ? load_study_text(text, file, options) : loaded;
}

void check_text(const std::string& text, const std::filesystem::path& file) {
  const LoadedStudy loaded = load_study_text(text, file, {.read_files = false});
  if (!loaded.problems.empty()) {
    raise(loaded.problems.front());
  }
}

}  // namespace alembert::study
