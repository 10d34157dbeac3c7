#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "alembert/study/detail/keys.hpp"
#include "alembert/study/detail/problem.hpp"
#include "alembert/study/detail/template.hpp"
#include "alembert/study/task.hpp"
#include "study/parts/data/file_context.hpp"
#include "study/schema/table_reader.hpp"

/// A task as the registry knows it. A new one is a folder with a function that returns a Task, and
/// a line in registry.cpp.
namespace alembert::study {

/// What every study has beside its task.
struct StudyHead {
  std::string title;
  std::filesystem::path file;          ///< the study
  std::string text;                    ///< the study as written
  std::vector<std::string> overrides;  ///< `key=value` from the command line
};

/// What the reader of a task is given.
struct ReadContext {
  const Document& document;
  const TableReader& root;  ///< its keys have been checked
  const FileContext& files;
  StudyHead head;
  bool stream = false;  ///< the readings come later, row by row
};

/// A study that `alembert new` can write.
struct TaskTemplate {
  TemplateKind kind;
  /// The text; with data, for these. @throws DataError if they do not suit.
  std::string (*text)(const std::optional<TemplateData>& data);
  /// A small record to run it on, where it needs one.
  signal::Record (*record)() = nullptr;
};

/// One task.
struct Task {
  std::string table;  ///< of the study; tasks of one table are told apart by `matches`
  /// The keys that it adds to the general study: its table, and what only it takes.
  std::vector<KeySpec> root_keys = {};
  /// Root tables of its own, for the reference of keys.
  std::vector<const TableSpec*> roots = {};
  /// Whether it is this one of the tasks with its table; none: always. The last one counts.
  bool (*matches)(const Value& root) = nullptr;
  /// Whether tables of other tasks may stand beside its own, as parts of it; none: never.
  bool (*takes_others)(const Value& root) = nullptr;
  /// The keys of such a study.
  const TableSpec& (*schema)(const Value& root);
  bool equations = false;  ///< [model] may give equations
  bool streams = false;    ///< it takes readings that come later, row by row
  bool repeats = false;    ///< it does other tasks, whatever their model: its own schema counts
  /// Where --seed goes. A study without such a table has nothing random.
  std::string seed_key = "simulate.seed";
  /// Reads the study; what is wrong is added to `problems`.
  std::unique_ptr<TaskStudy> (*read)(const ReadContext& context, std::vector<Problem>& problems);
  std::vector<TaskTemplate> templates = {};
};

/// A task study of its own class around what was read, with what every study has.
template <typename OwnTask, typename Study>
[[nodiscard]] std::unique_ptr<TaskStudy> held(Study study, const StudyHead& head) {
  study.title = head.title;
  study.file = head.file;
  study.text = head.text;
  study.overrides = head.overrides;
  return std::make_unique<OwnTask>(std::move(study));
}

}  // namespace alembert::study
