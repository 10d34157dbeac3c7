#include "study/tasks/monte_carlo/repeat/read_repeat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "alembert/core/error.hpp"
#include "alembert/core/version.hpp"
#include "alembert/study/detail/toml.hpp"
#include "study/parts/hash.hpp"
#include "study/schema/check_keys.hpp"
#include "study/schema/shared_keys.hpp"
#include "study/tasks/monte_carlo/read_monte_carlo.hpp"
#include "study/tasks/monte_carlo/repeat/split_study.hpp"
#include "study/tasks/monte_carlo/tables_monte_carlo.hpp"
#include "study/tasks/registry.hpp"

namespace alembert::study {
namespace {

constexpr const char* kTables[] = {"model",     "simulate", "identify", "data",
                                   "mechanism", "observe",  "sensors",  "simulated"};

std::string file_name(const Document& document) {
  return document.sources.empty() ? "" : document.sources.front();
}

// The simulated study, which must be one.
bool read_simulation(const SplitStudy& parts, RepeatPoint& point, std::vector<Problem>& problems) {
  const std::unique_ptr<TaskStudy> study =
      read_part(parts.simulated, parts.simulated_files, problems);
  if (study == nullptr) return false;
  const auto* simulate = dynamic_cast<const StudyOf<SimulateStudy>*>(study.get());
  if (simulate == nullptr) {
    problems.push_back({{.file = file_name(parts.simulated)}, "must be a study with [simulate]"});
    return false;
  }
  point.simulate = simulate->study;
  return true;
}

void add_numbers(const Document& document, const std::string& table, const std::string& key,
                 std::map<std::string, double>& truth) {
  const Entry* outer = document.root.find(table);
  const Entry* inner = outer == nullptr ? nullptr : outer->value.find(key);
  if (inner == nullptr || inner->value.table() == nullptr) return;
  for (const Entry& entry : *inner->value.table()) {
    if (entry.value.is_number()) truth[entry.key] = entry.value.number();
  }
}

// Parameters that the simulated study gives by their names, and those given here.
void read_known_values(const Document& document, const SplitStudy& parts, RepeatPoint& point) {
  add_numbers(parts.simulated, "model", "constants", point.truth);
  add_numbers(parts.simulated, "simulate", "parameters", point.truth);
  add_numbers(document, "monte-carlo", "truth", point.truth);
}

// Simulates run 0 and lets the task read its record.
void try_task(const RepeatStudy& study, RepeatPoint& point, const FileContext& files,
              std::vector<Problem>& problems, std::uint64_t& hash) {
  SimulateStudy simulate = point.simulate;
  simulate.seed = run_seed(study.seed, 0);
  const Machines alone;
  const SimulateResult made = run_simulate(simulate, alone, {.threads = 1});
  if (made.experiments.empty()) return;  // the runs will say so
  const FilesInMemory memory = files_of(made);
  FileContext with_record = files;
  with_record.memory = &memory;
  (void)read_part(point.task, with_record, problems);
  for (const auto& [name, records] : memory) {
    for (const signal::Record& record : records) {
      const auto* bytes = reinterpret_cast<const char*>(record.samples().data());
      hash = fnv_hash(name, hash);
      hash = fnv_hash({bytes, sizeof(double) * static_cast<std::size_t>(record.samples().size())},
                      hash);
    }
  }
}

// The content of all files that texts of a study name, such as curves and held-back records.
void hash_files(const Value& value, const std::filesystem::path& folder, std::uint64_t& hash) {
  if (const Table* table = value.table()) {
    for (const Entry& entry : *table) hash_files(entry.value, folder, hash);
  } else if (const Array* array = value.array()) {
    for (const Value& item : *array) hash_files(item, folder, hash);
  } else if (const std::string* text = value.text()) {
    constexpr std::size_t kLongestName = 4096;
    if (text->empty() || text->size() > kLongestName) return;
    std::error_code code;
    const std::filesystem::path file = folder / *text;
    if (!std::filesystem::is_regular_file(file, code) || code) return;
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream content;
    content << stream.rdbuf();
    hash = fnv_hash(content.str(), hash);
  }
}

// Both studies without their headings; `runs` stands in neither.
void hash_study(const Document& document, const std::filesystem::path& folder,
                std::uint64_t& hash) {
  for (const Entry& entry : *document.root.table()) {
    if (is_heading(entry.key)) continue;
    hash = fnv_hash(entry.key + " = " + to_toml(entry.value) + "\n", hash);
  }
  hash_files(document.root, folder, hash);
}

std::string method_of(const Document& task, const std::string& table) {
  const Entry* entry = task.root.find(table);
  const Entry* method = entry == nullptr ? nullptr : entry->value.find("method");
  return method == nullptr || method->value.text() == nullptr ? "" : *method->value.text();
}

/// Reads point after point.
class RepeatReader {
 public:
  RepeatReader(const Document& document, const FileContext& files)
      : document_(document), files_(files) {}

  RepeatStudy read(std::vector<Problem>& problems) {
    const TableReader table = TableReader(document_, repeat_root_table()).table("monte-carlo");
    std::vector<ReadSweepKey> sweep;
    const std::vector<std::string> tables(std::begin(kTables), std::end(kTables));
    if (!attempt(problems, [&] { sweep = read_sweep(table, tables); })) return study_;
    MonteCarloStudy head;
    monte_carlo_keys().read(table, head);
    study_.runs = head.runs;
    study_.seed = head.seed;
    study_.simulation = table.optional_text("simulate").value_or("");
    for (const ReadSweepKey& key : sweep) study_.sweep.push_back(key.sweep);
    hash_ = fnv_hash(version(), fnv_hash(std::to_string(study_.seed)));
    for (const std::vector<std::size_t>& values : combinations(sweep)) {
      // What is wrong in one point is often wrong in all: the first one is enough.
      std::vector<Problem> found;
      attempt(found, [&] { read_point(sweep, values, found); });
      problems.insert(problems.end(), found.begin(), found.end());
      if (!found.empty()) return study_;
    }
    study_.fingerprint = fmt::format("{:016x}", hash_);
    return study_;
  }

 private:
  void read_point(const std::vector<ReadSweepKey>& sweep, const std::vector<std::size_t>& values,
                  std::vector<Problem>& found) {
    SplitStudy parts = split_study(document_, files_);
    for (std::size_t k = 0; k < sweep.size(); ++k) {
      set_swept(parts,
                {.key = sweep[k].sweep.key,
                 .value = sweep[k].sweep.values[values[k]],
                 .origin = to_string(sweep[k].places[values[k]])},
                !study_.simulation.empty());
    }
    const Task* task = find_task(parts.task.root);
    if (task == nullptr || task->table == "simulate" || task->table == "monte-carlo") {
      throw StudyError(document_.place(document_.root.find("monte-carlo")->position),
                       "[monte-carlo] needs one task beside it: [identify] or [observe]");
    }
    study_.task = task->table;
    study_.method = method_of(parts.task, study_.task);
    RepeatPoint point;
    point.values = values;
    if (!read_simulation(parts, point, found)) return;
    add_notes(point.simulate.notes, study_.notes);
    read_known_values(document_, parts, point);
    point.task = parts.task;
    hash_study(parts.simulated, parts.simulated_files.folder, hash_);
    hash_study(parts.task, files_.folder, hash_);
    for (const auto& [name, value] : point.truth) {
      hash_ = fnv_hash(fmt::format("{} = {}\n", name, value), hash_);
    }
    if (files_.read_files) {
      try_task(study_, point, files_, found, hash_);
    } else {
      (void)read_part(point.task, files_, found);
    }
    study_.points.push_back(std::move(point));
  }

  const Document& document_;
  const FileContext& files_;
  RepeatStudy study_;
  std::uint64_t hash_ = 0;
};

}  // namespace

FilesInMemory files_of(const SimulateResult& simulated) {
  FilesInMemory files;
  const std::size_t count = simulated.study.experiments;
  for (const Experiment& one : simulated.experiments) {
    files[record_file_name("record", one.number, count)] = {one.record};
    files[record_file_name("truth", one.number, count)] = {one.truth};
  }
  return files;
}

std::unique_ptr<TaskStudy> read_part(const Document& document, const FileContext& files,
                                     std::vector<Problem>& problems) {
  const Task* task = find_task(document.root);
  const TableSpec& schema = schema_of(document.root, task);
  std::vector<Problem> found = check_keys(document, schema, task == nullptr ? "" : task->table);
  std::unique_ptr<TaskStudy> study;
  if (found.empty() && task != nullptr) {
    const TableReader root(document, schema);
    StudyHead head{.title = root.optional_text("title").value_or(""),
                   .file = file_name(document),
                   .text = document.text,
                   .overrides = {}};
    study = task->read({document, root, files, head, false}, found);
  }
  problems.insert(problems.end(), found.begin(), found.end());
  return found.empty() ? std::move(study) : nullptr;
}

RepeatStudy read_repeat(const Document& document, const FileContext& files,
                        std::vector<Problem>& problems) {
  return RepeatReader(document, files).read(problems);
}

}  // namespace alembert::study
