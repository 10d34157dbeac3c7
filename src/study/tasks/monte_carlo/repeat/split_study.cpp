#include "study/tasks/monte_carlo/repeat/split_study.hpp"

#include <algorithm>

#include "alembert/core/error.hpp"
#include "study/parts/data/file_columns.hpp"
#include "study/schema/shared_keys.hpp"
#include "study/tasks/model_roots.hpp"
#include "study/tasks/monte_carlo/tables_monte_carlo.hpp"

namespace alembert::study {
namespace {

const std::string kSimulated = "simulated.";

// A table that is checked elsewhere: anything may stand in it.
struct AnyTable {
  KeySpec any;
  TableSpec table;

  AnyTable() {
    any.name = "KEY";
    any.forms = kText | kNumber | kBoolean | kList | kTable;
    any.help = "checked with the part of the study that it belongs to";
    any.table = &table;
    table.path = "any";
    table.any_name = &any;
  }
};

KeySpec any_table(const std::string& name) {
  static const AnyTable any;
  return {.name = name, .forms = kTable, .help = any.any.help, .table = &any.table};
}

void drop(Document& document, const std::vector<std::string>& tables) {
  std::erase_if(std::get<Table>(document.root.data), [&](const Entry& entry) {
    return std::find(tables.begin(), tables.end(), entry.key) != tables.end();
  });
}

void refuse_table(const Document& document, const std::string& table, const std::string& why) {
  const Entry* entry = document.root.find(table);
  if (entry == nullptr) return;
  throw StudyError(document.place(entry->position), "[" + table + "] has no place: " + why);
}

bool has_key(const Document& document, const std::string& table, const std::string& key) {
  const Entry* entry = document.root.find(table);
  return entry != nullptr && entry->value.find(key) != nullptr;
}

void set(Document& document, const std::string& key, const std::string& value) {
  apply_override(document, {.key = key, .value = value, .origin = "[monte-carlo]"});
}

// The record that each run makes stands for data.file, its truth for data.truth.
void name_simulated_files(Document& task) {
  const bool named = has_key(task, "data", "file") || has_key(task, "data", "files");
  if (!named) set(task, "data.file", "\"record.csv\"");
  const bool observes = task.root.find("observe") != nullptr;
  if (observes && !has_key(task, "data", "truth")) set(task, "data.truth.file", "\"truth.csv\"");
}

SplitStudy split_by_file(const Document& document, const std::string& name,
                         const FileContext& files, const Place& place) {
  refuse_table(document, "simulate", "monte-carlo.simulate names the study that simulates");
  SplitStudy parts{.simulated = {}, .simulated_files = files, .task = document};
  const std::filesystem::path file = files.find(name, "monte-carlo.simulate", place);
  parts.simulated = parse_toml(read_study_text(file), file.string());
  parts.simulated_files.folder = file.parent_path();
  drop(parts.task, {"monte-carlo"});
  name_simulated_files(parts.task);
  return parts;
}

SplitStudy split_by_tables(const Document& document, const FileContext& files) {
  const Entry* monte_carlo = document.root.find("monte-carlo");
  if (document.root.find("simulate") == nullptr) {
    throw StudyError(document.place(monte_carlo->position),
                     "[monte-carlo] needs [simulate], or the key \"simulate\" with the file of a "
                     "study that simulates");
  }
  if (has_key(document, "simulate", "seed")) {
    throw StudyError(
        document.place(document.root.find("simulate")->value.find("seed")->position),
        "simulate.seed has no place with [monte-carlo]; it is monte-carlo.seed that counts");
  }
  if (const Entry* data = document.root.find("data"); data != nullptr) {
    if (const Entry* file = data->value.find("file"); file != nullptr) {
      throw StudyError(document.place(file->position),
                       "data.file has no place here: [simulate] makes the record of every run");
    }
  }
  SplitStudy parts{.simulated = document, .simulated_files = files, .task = document};
  drop(parts.simulated, {"monte-carlo", "identify", "observe", "truth", "sensors"});
  // [data] of equations says which columns the task takes; that of a mechanism has its sensors.
  if (document.root.find("mechanism") == nullptr) drop(parts.simulated, {"data"});
  drop(parts.task, {"monte-carlo", "simulate"});
  name_simulated_files(parts.task);
  return parts;
}

}  // namespace

bool repeats_any_task(const Value& root) {
  const Entry* monte_carlo = root.find("monte-carlo");
  if (monte_carlo == nullptr) return false;
  return monte_carlo->value.find("simulate") != nullptr || root.find("mechanism") != nullptr ||
         has_equations(root);
}

const TableSpec& repeat_root_table() {
  static const TableSpec table{
      .path = "",
      .help = "A study that is done many times, each time with a new record.",
      .keys = {title_key(),
               author_key(),
               customer_key(),
               any_table("data"),
               any_table("model"),
               any_table("mechanism"),
               any_table("sensors"),
               any_table("simulate"),
               any_table("identify"),
               any_table("observe"),
               any_table("truth"),
               {.name = "monte-carlo",
                .forms = kTable,
                .help = "how often, and what changes",
                .table = &monte_carlo_table()}}};
  return table;
}

SplitStudy split_study(const Document& document, const FileContext& files) {
  const Entry* monte_carlo = document.root.find("monte-carlo");
  const Entry* simulate = monte_carlo->value.find("simulate");
  if (simulate == nullptr || simulate->value.text() == nullptr) {
    return split_by_tables(document, files);
  }
  return split_by_file(document, *simulate->value.text(), files,
                       document.place(simulate->value.position));
}

void set_swept(SplitStudy& parts, const Override& change, bool own_file) {
  Override there = change;
  const bool below = change.key.starts_with(kSimulated);
  if (below) there.key = change.key.substr(kSimulated.size());
  const std::string table = there.key.substr(0, there.key.find('.'));
  if (own_file && (below || table == "simulate")) {
    apply_override(parts.simulated, there);
    return;
  }
  // A key that both parts have, such as a length of the mechanism, changes in both.
  const bool simulates = !own_file && parts.simulated.root.find(table) != nullptr;
  if (simulates) apply_override(parts.simulated, there);
  if (!simulates || parts.task.root.find(table) != nullptr) {
    if (table != "simulate" && !below) apply_override(parts.task, there);
  }
}

}  // namespace alembert::study
