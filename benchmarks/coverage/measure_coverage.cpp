// Coverage of 95 % intervals under coloured noise, for benchmarks/coverage/run.
//
//   measure_coverage RUNS [PROBLEM [NOISE]]
//
// Prints a table for each problem.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "alembert/core/parallel.hpp"
#include "benchmarks/coverage/coverage_problems.hpp"

namespace {

using alembert::benchmark::CoverageProblem;
using alembert::benchmark::CoverageRun;
using Eigen::Index;
using Eigen::VectorXd;

// One cell: all runs of one problem and one colour.
struct Cell {
  VectorXd inside, white_inside;  // share of each parameter
  double length = 0.0;            // mean margin over 1.96 rms errors, geometric mean of parameters
  double doubtful = 0.0;          // share of runs that say "lower limit" or "cannot be known"
  double used = 0.0;              // runs
};

Cell cell_of(const std::vector<CoverageRun>& runs, Index parameters) {
  Cell cell;
  cell.inside = cell.white_inside = VectorXd::Zero(parameters);
  VectorXd squares = cell.inside;
  VectorXd margins = cell.inside;
  for (const CoverageRun& run : runs) {
    if (!run.ok) continue;
    cell.used += 1.0;
    cell.doubtful += run.knowledge == alembert::optimize::Knowledge::Known ? 0.0 : 1.0;
    squares += run.error.cwiseAbs2();
    margins += run.margin;
    for (Index j = 0; j < parameters; ++j) {
      const double error = std::abs(run.error(j));
      cell.inside(j) += error <= run.margin(j) ? 1.0 : 0.0;
      cell.white_inside(j) += error <= 1.96 * run.white(j) ? 1.0 : 0.0;
    }
  }
  cell.inside /= cell.used;
  cell.white_inside /= cell.used;
  cell.doubtful /= cell.used;
  const VectorXd ratio =
      (margins / cell.used).cwiseQuotient(1.96 * (squares / cell.used).cwiseSqrt());
  cell.length = std::exp(ratio.array().log().mean());
  return cell;
}

void measure(const CoverageProblem& problem, std::size_t count, const std::string& only) {
  fmt::print("\n## {}\n\nParameters: {}\n\n", problem.name, fmt::join(problem.parameters, ", "));
  fmt::print("| noise | mean | worst | which | length | white formula | doubtful | runs |\n");
  fmt::print("|---|---|---|---|---|---|---|---|\n");
  for (const std::string& colour : problem.noises) {
    if (colour.find(only) == std::string::npos) continue;
    std::vector<CoverageRun> runs(count);
    alembert::parallel_for(count, [&](std::size_t i) { runs[i] = problem.identify(colour, i); });
    const Cell cell = cell_of(runs, static_cast<Index>(problem.parameters.size()));
    Index worst = 0;
    const double least = cell.inside.minCoeff(&worst);
    const double mean = cell.inside.mean();
    const bool promised = colour != "walk" && colour.find("not given") == std::string::npos;
    const bool missed = promised && (mean < 0.9 || mean > 0.98 || least < 0.87);
    fmt::print("| {} | {}{:.3f}{} | {:.3f} | {} | {:.2f} | {:.3f} | {:.3f} | {:.0f} |\n", colour,
               missed ? "**" : "", mean, missed ? "**" : "", least,
               problem.parameters[static_cast<std::size_t>(worst)], cell.length,
               cell.white_inside.mean(), cell.doubtful, cell.used);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char** words) {
  if (count < 2) {
    fmt::print(stderr, "measure_coverage RUNS [PROBLEM [NOISE]]\n");
    return 2;
  }
  const auto runs = static_cast<std::size_t>(std::stoul(words[1]));
  for (const CoverageProblem& problem : alembert::benchmark::coverage_problems()) {
    if (count > 2 && problem.name.find(words[2]) == std::string::npos) continue;
    measure(problem, runs, count > 3 ? words[3] : "");
  }
  return 0;
}
