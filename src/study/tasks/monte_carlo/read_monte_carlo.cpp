#include "study/tasks/monte_carlo/read_monte_carlo.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/error.hpp"
#include "alembert/core/version.hpp"
#include "alembert/study/detail/toml.hpp"
#include "study/parts/hash.hpp"
#include "study/schema/check_keys.hpp"
#include "study/schema/shared_keys.hpp"
#include "study/tasks/monte_carlo/tables_monte_carlo.hpp"
#include "study/tasks/root_table.hpp"
#include "study/tasks/simulate/read_simulate.hpp"

namespace alembert::study {
namespace {

// A rule that a swept value breaks is reported at that value.
Document document_at(Document document, const std::vector<ReadSweepKey>& sweep,
                     const std::vector<std::size_t>& values) {
  for (std::size_t k = 0; k < sweep.size(); ++k) {
    apply_override(document, {.key = sweep[k].sweep.key,
                              .value = sweep[k].sweep.values[values[k]],
                              .origin = to_string(sweep[k].places[values[k]])});
  }
  return document;
}

MonteCarloPoint read_point(const Document& document, const FileContext& files,
                           std::vector<Problem>& problems) {
  MonteCarloPoint point;
  problems = check_keys(document, root_table(), "monte-carlo");
  if (!problems.empty()) return point;
  const TableReader root(document, root_table());
  point.simulate = read_simulate(root, files, problems);
  if (problems.empty()) read_identify_part(root, point, problems);
  return point;
}

std::uint64_t hash_of_numbers(const Eigen::MatrixXd& numbers, std::uint64_t start) {
  const std::string size = fmt::format("{}x{}:", numbers.rows(), numbers.cols());
  const auto* bytes = reinterpret_cast<const char*>(numbers.data());
  return fnv_hash({bytes, sizeof(double) * static_cast<std::size_t>(numbers.size())},
                  fnv_hash(size, start));
}

// The study without its heading, its number of runs and its comments; and what other files say.
std::string fingerprint_of(const Document& document, const std::vector<MonteCarloPoint>& points) {
  std::uint64_t hash = fnv_hash(version());
  for (const Entry& entry : std::get<Table>(document.root.data)) {
    if (is_heading(entry.key)) continue;
    Value value = entry.value;
    if (entry.key == "monte-carlo") {
      Table& table = std::get<Table>(value.data);
      table.erase(std::remove_if(table.begin(), table.end(),
                                 [](const Entry& item) { return item.key == "runs"; }),
                  table.end());
    }
    hash = fnv_hash(entry.key + " = " + to_toml(value) + "\n", hash);
  }
  for (const MonteCarloPoint& point : points) {
    const model::SecondOrder& system = point.simulate.linear()->system;
    for (const Eigen::MatrixXd& matrix : {system.M, system.D, system.K, system.L}) {
      hash = hash_of_numbers(matrix, hash);
    }
    for (const InputDescription& input : point.simulate.inputs) {
      if (const auto* file = std::get_if<FileInput>(&input.source)) {
        hash = hash_of_numbers(file->values, hash);
      }
    }
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace

std::vector<std::vector<std::size_t>> combinations(const std::vector<ReadSweepKey>& sweep) {
  std::vector<std::vector<std::size_t>> all = {{}};
  for (const ReadSweepKey& key : sweep) {
    std::vector<std::vector<std::size_t>> longer;
    for (const std::vector<std::size_t>& start : all) {
      for (std::size_t i = 0; i < key.sweep.values.size(); ++i) {
        longer.push_back(start);
        longer.back().push_back(i);
      }
    }
    all = std::move(longer);
  }
  return all;
}

void add_notes(const std::vector<std::string>& from, std::vector<std::string>& notes) {
  for (const std::string& note : from) {
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  }
}

MonteCarloStudy read_monte_carlo(const Document& document, const FileContext& files,
                                 std::vector<Problem>& problems) {
  MonteCarloStudy study;
  const TableReader table = TableReader(document, root_table()).table("monte-carlo");
  std::vector<ReadSweepKey> sweep;
  attempt(problems, [&] {
    if (table.has("truth")) {
      table.fail_at_key("truth", "monte-carlo.truth has no place here: [model] is the truth");
    }
  });
  const bool swept = attempt(problems, [&] {
    sweep = read_sweep(table, {"model", "simulate", "identify", "data"});
  });
  if (!swept) return study;
  monte_carlo_keys().read(table, study);
  for (const ReadSweepKey& key : sweep) study.sweep.push_back(key.sweep);
  for (const std::vector<std::size_t>& values : combinations(sweep)) {
    // What is wrong in one point is often wrong in all: the first one is enough.
    std::vector<Problem> found;
    const bool set = attempt(found, [&] {
      study.points.push_back(read_point(document_at(document, sweep, values), files, found));
    });
    if (!set || !found.empty()) {
      problems.insert(problems.end(), found.begin(), found.end());
      return study;
    }
    study.points.back().values = values;
    add_notes(study.points.back().simulate.notes, study.notes);
    add_notes(study.points.back().identify.notes, study.notes);
  }
  study.fingerprint = fingerprint_of(document, study.points);
  return study;
}

}  // namespace alembert::study
