#include <algorithm>

#include "alembert/study/repeat.hpp"
#include "study/result/json.hpp"
#include "study/tasks/monte_carlo/runs/runs_csv.hpp"

namespace alembert::study {
namespace {

// The figures of a run in columns: all names that any run has.
struct FigureColumns {
  std::vector<std::pair<std::string, std::string>> estimates, states;  ///< name, unit
  bool nees = false;
};

void add_column(const std::string& name, const std::string& unit,
                std::vector<std::pair<std::string, std::string>>& columns) {
  const auto known = std::find_if(columns.begin(), columns.end(),
                                  [&](const auto& column) { return column.first == name; });
  if (known == columns.end()) columns.emplace_back(name, unit);
}

FigureColumns figure_columns(const RepeatResult& result) {
  FigureColumns columns;
  for (const RepeatRun& run : result.runs) {
    for (const RunEstimate& one : run.estimates) add_column(one.name, one.unit, columns.estimates);
    for (const RunState& one : run.states) add_column(one.name, one.unit, columns.states);
    columns.nees = columns.nees || run.nees.has_value();
  }
  return columns;
}

std::vector<std::string> repeat_header(const RepeatResult& result, const FigureColumns& columns) {
  std::vector<std::string> cells = {"point", "run", "seed"};
  for (const SweepKey& key : result.study.sweep) cells.push_back(key.key);
  cells.insert(cells.end(), {"status", "verdict"});
  const auto add = [&](const auto& list, const std::vector<std::string>& endings) {
    for (const auto& [name, unit] : list) {
      for (const std::string& ending : endings) {
        const bool plain = ending == "_nees" || ending == "_covered" || unit.empty();
        cells.push_back(name + ending + (plain ? "" : " [" + unit + "]"));
      }
    }
  };
  add(columns.estimates, {"", "_std", "_margin", "_true"});
  add(columns.states, {"_bias", "_rms", "_std", "_covered", "_nees"});
  if (columns.nees) cells.insert(cells.end(), {"nees", "nees_expected", "nees_samples"});
  cells.emplace_back("message");
  return cells;
}

template <typename Item>
const Item* find_named(const std::vector<Item>& items, const std::string& name) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const Item& one) { return one.name == name; });
  return found == items.end() ? nullptr : &*found;
}

void add_figures(const RepeatRun& run, const FigureColumns& columns,
                 std::vector<std::string>& cells) {
  for (const auto& column : columns.estimates) {
    const RunEstimate* one = find_named(run.estimates, column.first);
    for (double RunEstimate::*figure : {&RunEstimate::value, &RunEstimate::deviation,
                                        &RunEstimate::margin, &RunEstimate::truth}) {
      cells.push_back(one == nullptr ? "" : csv_number(one->*figure));
    }
  }
  for (const auto& column : columns.states) {
    const RunState* one = find_named(run.states, column.first);
    for (double RunState::*figure : {&RunState::bias, &RunState::rms, &RunState::reported,
                                     &RunState::covered, &RunState::nees}) {
      cells.push_back(one == nullptr ? "" : csv_number(one->*figure));
    }
  }
  for (double RunNees::*figure : {&RunNees::mean, &RunNees::expected, &RunNees::effective}) {
    if (columns.nees) cells.push_back(run.nees ? csv_number((*run.nees).*figure) : "");
  }
}

std::vector<std::string> repeat_row(const RepeatStudy& study, const RepeatRun& run,
                                    const FigureColumns& columns) {
  std::vector<std::string> cells = {std::to_string(run.point + 1), std::to_string(run.run + 1),
                                    std::to_string(run_seed(study.seed, run.run))};
  const std::vector<std::size_t>& values = study.points[run.point].values;
  for (std::size_t k = 0; k < values.size(); ++k) {
    cells.push_back(study.sweep[k].labels[values[k]]);
  }
  cells.emplace_back(to_string(run.status));
  cells.emplace_back(name_of(run.trust));
  add_figures(run, columns, cells);
  cells.push_back(run.message);
  return cells;
}

}  // namespace

void write_repeat_result(const RepeatResult& result, const std::filesystem::path& folder) {
  const FigureColumns columns = figure_columns(result);
  std::vector<std::vector<std::string>> rows = {repeat_header(result, columns)};
  for (const RepeatRun& run : result.runs) rows.push_back(repeat_row(result.study, run, columns));
  write_cells(folder / "runs.csv", rows);
  write_result(describe(result), folder);
}

}  // namespace alembert::study
