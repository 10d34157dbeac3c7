#include "alembert/study/study.hpp"

#include <algorithm>
#include <utility>

#include "alembert/core/error.hpp"
#include "core/mapped.hpp"
#include "study/schema/check_keys.hpp"
#include "study/tasks/model_roots.hpp"
#include "study/tasks/registry.hpp"

namespace alembert::study {
namespace {

constexpr double kBytesOfAMegabyte = 1e6;

// `all` is read once for each input that it stands for.
void drop_repeated(std::vector<Problem>& problems) {
  const auto same = [](const Problem& a, const Problem& b) { return to_string(a) == to_string(b); };
  problems.erase(std::unique(problems.begin(), problems.end(), same), problems.end());
}

// What is set beside the file: the seed goes where random numbers are drawn.
std::vector<Override> overrides_of(const LoadOptions& options, const Document& document) {
  std::vector<Override> overrides = options.overrides;
  if (options.seed) {
    const Task* task = find_task(document.root);
    overrides.push_back({.key = task == nullptr ? "simulate.seed" : task->seed_key,
                         .value = std::to_string(*options.seed),
                         .origin = "--seed"});
  }
  return overrides;
}

// A study that simulates and observes is asked for the latter where the readings come later.
const Task* task_asked_for(const Value& root, bool stream) {
  const Task* task = find_task(root);
  if (!stream || task == nullptr || task->table != "simulate") return task;
  const auto observes = [&](const Task& one) { return one.streams && root.find(one.table); };
  const auto found = std::find_if(tasks().begin(), tasks().end(), observes);
  return found == tasks().end() ? task : &*found;
}

void refuse_equations(const Document& document, const Task& task) {
  if (task.equations || !has_equations(document.root)) return;
  const Entry* equations = document.root.find("model")->value.find("equations");
  throw StudyError(document.place(equations->position),
                   "model.equations has no place with [" + task.table +
                       "]; it is for [simulate] and [identify]");
}

// A study that could be simulated too has nothing random once there is a record.
void refuse_seed(const LoadOptions& options, const Task& task) {
  if (!options.seed || !task.streams) return;
  throw StudyError({.file = "--seed"}, "the study has a record to observe; nothing else is random");
}

// The seed makes a table [simulate] beside the task that is there.
void explain_seed(const LoadOptions& options, std::vector<Problem>& problems) {
  if (!options.seed || problems.empty() || problems.front().place.file != "--seed") return;
  problems.front().message = "the study has no table [simulate]; nothing else is random";
}

Place place_of(const Document& document, const Task& task) {
  const Entry* table = document.root.find(task.table);
  return table == nullptr ? Place{.file = document.sources.at(0)} : document.place(table->position);
}

StudyHead head_of(const TableReader& root, const std::string& text,
                  const std::filesystem::path& file, const std::vector<Override>& overrides) {
  return {.title = root.optional_text("title").value_or(file.stem().string()),
          .file = file,
          .text = text,
          .overrides = mapped(
              overrides, [](const Override& change) { return change.key + "=" + change.value; })};
}

// What the command line says goes before the study.
io::ReadLimits limits_of(const TableReader& root, const LoadOptions& options) {
  io::ReadLimits limits{.memory = options.memory};
  if (!root.has("data")) return limits;
  const TableReader data = root.table("data");
  if (limits.memory == 0 && data.has("memory")) {
    limits.memory = static_cast<std::uintmax_t>(data.number("memory") * kBytesOfAMegabyte);
  }
  limits.external = data.has("external") && data.boolean("external");
  return limits;
}

// Reads a document whose keys have been checked.
void read_document(const Document& document, const Task& task, const StudyHead& head,
                   const TableReader& root, const LoadOptions& options, LoadedStudy& loaded) {
  const FileContext files{.folder = head.file.parent_path(),
                          .read_files = options.read_files,
                          .found = &loaded.files,
                          .limits = limits_of(root, options),
                          .memory = options.records.empty() ? nullptr : &options.records};
  try {
    loaded.study = task.read({document, root, files, head, options.stream}, loaded.problems);
  } catch (const NeedsFile&) {
    // What is left to check needs a file that may not be read.
  } catch (const InvalidInput& error) {
    // A rule of the library that no rule of the study covers.
    loaded.problems.push_back({loaded.place, error.reason()});
  }
  drop_repeated(loaded.problems);
  if (!loaded.problems.empty()) loaded.study.reset();
}

}  // namespace

StudyTrace trace_of(const LoadedStudy& loaded, const std::filesystem::path& folder) {
  return {.files = source_files(loaded.files, folder),
          .author = loaded.author,
          .customer = loaded.customer};
}

Place known_place(const Place& place, const LoadedStudy& loaded) {
  const bool whole_study = place.file == loaded.place.file && place.line == 0 && place.byte < 0;
  return place.file.empty() || whole_study ? loaded.place : place;
}

LoadedStudy load_study_text(const std::string& text, const std::filesystem::path& file,
                            const LoadOptions& options) {
  LoadedStudy loaded;
  loaded.files = {file};
  Document document;
  std::vector<Override> overrides;
  const bool parsed = attempt(loaded.problems, [&] {
    document = parse_toml(text, file.string());
    overrides = overrides_of(options, document);
    for (const Override& change : overrides) apply_override(document, change);
  });
  if (!parsed) return loaded;
  const Task* task = task_asked_for(document.root, options.stream);
  if (task != nullptr) {
    loaded.task = task->table;
    loaded.place = place_of(document, *task);
    const bool allowed = attempt(loaded.problems, [&] {
      refuse_seed(options, *task);
      refuse_equations(document, *task);
    });
    if (!allowed) return loaded;
  }
  const TableSpec& schema = schema_of(document.root, task);
  loaded.problems = check_keys(document, schema, loaded.task);
  if (task == nullptr) explain_seed(options, loaded.problems);
  if (task == nullptr) return loaded;
  if (loaded.problems.empty()) {
    const TableReader root(document, schema);
    loaded.author = root.optional_text("author").value_or("");
    loaded.customer = root.optional_text("customer").value_or("");
    read_document(document, *task, head_of(root, text, file, overrides), root, options, loaded);
  }
  for (Problem& problem : loaded.problems) problem.place = known_place(problem.place, loaded);
  return loaded;
}

LoadedStudy load_study(const std::filesystem::path& file, const LoadOptions& options) {
  LoadedStudy loaded;
  std::string text;
  const bool read = attempt(loaded.problems, [&] { text = read_study_text(file); });
  if (read) loaded = load_study_text(text, file, options);
  return loaded;
}

void check_text(const std::string& text, const std::filesystem::path& file) {
  const LoadedStudy loaded = load_study_text(text, file, {.read_files = false});
  if (!loaded.problems.empty()) {
    raise(loaded.problems.front());
  }
}

}  // namespace alembert::study
