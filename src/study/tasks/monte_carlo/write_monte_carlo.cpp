#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <system_error>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/study/monte_carlo.hpp"
#include "study/result/json.hpp"

namespace alembert::study {
namespace {

// A cell of a CSV file: quoted where it must be.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string csv_number(double value) { return std::isfinite(value) ? shortest(value) : ""; }

std::string csv_line(const std::vector<std::string>& cells) {
  std::vector<std::string> ready;
  ready.reserve(cells.size());
  for (const std::string& cell : cells) ready.push_back(csv_cell(cell));
  return join(ready, ",") + "\n";
}

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
  std::ofstream stream(file, std::ios::binary);
  stream << csv_line(csv_header(result.study, modes));
  for (const MonteCarloRun& run : result.runs) {
    stream << csv_line(csv_row(result.study, run, modes));
  }
  stream.close();
  if (!stream) {
    throw DataError({.file = file.string()},
                    "cannot be written: " + std::generic_category().message(errno));
  }
}

}  // namespace

void write_monte_carlo_result(const MonteCarloResult& result, const std::filesystem::path& folder) {
  write_runs(result, folder / "runs.csv");
  write_json(to_json(describe(result)), folder / "result.json");
}

}  // namespace alembert::study
