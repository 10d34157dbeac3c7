#include <fmt/format.h>

#include <algorithm>

#include "alembert/study/monte_carlo.hpp"
#include "study/result/json.hpp"
#include "study/tasks/monte_carlo/runs/runs_csv.hpp"

namespace alembert::study {
namespace {

std::vector<std::string> csv_header(const MonteCarloStudy& study, Eigen::Index modes) {
  std::vector<std::string> cells = {"point", "run", "seed"};
  for (const SweepKey& key : study.sweep) cells.push_back(key.key);
  cells.insert(cells.end(), {"status", "iterations"});
  for (std::size_t q = 0; q < kComparedCount; ++q) {
    const std::string name = to_string(static_cast<Compared>(q));
    for (const char* what : {"error", "reported", "counted", "covered", "squares"}) {
      cells.push_back(name + "_" + what);
    }
  }
  for (Eigen::Index i = 1; i <= modes; ++i) {
    cells.push_back(fmt::format("f{} [Hz]", i));
    cells.push_back(fmt::format("f{}_std [Hz]", i));
    cells.push_back(fmt::format("zeta{}", i));
    cells.push_back(fmt::format("zeta{}_std", i));
  }
  cells.emplace_back("message");
  return cells;
}

std::vector<std::string> csv_row(const MonteCarloStudy& study, const MonteCarloRun& run,
                                 Eigen::Index modes) {
  std::vector<std::string> cells = {std::to_string(run.point + 1), std::to_string(run.run + 1),
                                    std::to_string(run_seed(study.seed, run.run))};
  const std::vector<std::size_t>& values = study.points[run.point].values;
  for (std::size_t k = 0; k < values.size(); ++k) {
    cells.push_back(study.sweep[k].labels[values[k]]);
  }
  cells.emplace_back(to_string(run.status));
  cells.push_back(std::to_string(run.iterations));
  for (const RunError& one : run.errors) {
    for (const double value : {one.error, one.reported, one.counted, one.covered, one.squares}) {
      cells.push_back(csv_number(value));
    }
  }
  for (Eigen::Index i = 0; i < modes; ++i) {
    const bool there = i < run.frequency.size();
    for (const Eigen::VectorXd* list :
         {&run.frequency, &run.frequency_deviation, &run.damping, &run.damping_deviation}) {
      cells.push_back(there ? csv_number((*list)(i)) : "");
    }
  }
  cells.push_back(run.message);
  return cells;
}

void write_runs(const MonteCarloResult& result, const std::filesystem::path& file) {
  Eigen::Index modes = 0;
  for (const MonteCarloRun& run : result.runs) modes = std::max(modes, run.frequency.size());
  std::vector<std::vector<std::string>> rows = {csv_header(result.study, modes)};
  for (const MonteCarloRun& run : result.runs) rows.push_back(csv_row(result.study, run, modes));
  write_cells(file, rows);
}

}  // namespace

void write_monte_carlo_result(const MonteCarloResult& result, const std::filesystem::path& folder) {
  write_runs(result, folder / "runs.csv");
  write_result(describe(result), folder);
}

}  // namespace alembert::study
