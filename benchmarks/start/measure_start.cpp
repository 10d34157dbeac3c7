// measure_start [RUNS [PROBLEM [each]]]: how often output-error identification finds the optimum
// from poor guesses, whole records against the default strategy; "each" prints a line for every
// run.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "alembert/core/prepare_blas.hpp"
#include "benchmarks/start/start_problems.hpp"

namespace {

using alembert::benchmarks::StartProblem;
using alembert::identify::OutputErrorResult;
using alembert::identify::StartStrategy;

struct Tally {
  int found = 0;
  double seconds = 0.0;
};

// The residuals are those of the noise, and the parameters that are guessed poorly are within 10 %
// of the truth, or within 6 deviations up to 30 %.
bool right(const StartProblem& problem, const OutputErrorResult& result) {
  if (!result.prediction.ok() || !(result.prediction.rms(0) <= 1.1 * problem.noise)) return false;
  for (Eigen::Index k = 0; k < problem.truth.size(); ++k) {
    if (!problem.guessed[static_cast<std::size_t>(k)]) continue;
    double allowed = 0.1 * std::abs(problem.truth(k));
    for (std::size_t j = 0; j < result.statistics.names.size(); ++j) {
      if (result.statistics.names[j] != problem.names[static_cast<std::size_t>(k)]) continue;
      const double deviation = result.statistics.deviations(static_cast<Eigen::Index>(j));
      if (std::isfinite(deviation)) {
        allowed = std::max(allowed, std::min(6.0 * deviation, 0.3 * std::abs(problem.truth(k))));
      }
    }
    if (!(std::abs(result.parameters(k) - problem.truth(k)) <= allowed)) return false;
  }
  return true;
}

// Guesses are off by these factors.
struct Range {
  double least, most;
};

Tally measure(const StartProblem& problem, StartStrategy strategy, const Range& range,
              bool logarithmic, int runs, bool verbose) {
  Tally tally;
  for (int run = 0; run < runs; ++run) {
    const auto parameters = alembert::benchmarks::poor_guesses(
        problem, range.least, range.most, logarithmic, 7000 + static_cast<std::uint64_t>(run));
    const std::clock_t begin = std::clock();
    const OutputErrorResult result =
        output_error(problem.model, parameters, problem.data,
                     {.simulation = problem.simulation, .threads = 1, .strategy = strategy});
    tally.seconds += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    const bool ok = right(problem, result);
    tally.found += ok ? 1 : 0;
    if (!verbose) continue;
    fmt::print("  {} {} won {} growth {:.1f} windows {}:", run, ok ? "ok  " : "FAIL",
               to_string(result.strategy), result.growth, result.windows);
    for (const auto& trial : result.trials) {
      fmt::print(" [{} cost {:.4g} evals {}]", to_string(trial.strategy), trial.cost,
                 trial.evaluations);
    }
    fmt::print(" theta/truth");
    for (Eigen::Index k = 0; k < problem.truth.size(); ++k) {
      fmt::print(" {:.3g}", result.parameters(k) / problem.truth(k));
    }
    fmt::print("\n");
  }
  return tally;
}

void print_table(const Range& range, int runs, const std::string& only, bool verbose) {
  fmt::print("## Guesses off by {} to {}\n\n", range.least, range.most);
  fmt::print("| problem | search | plain | default | plain, s a run | default, s a run |\n");
  fmt::print("|---|---|---:|---:|---:|---:|\n");
  for (const StartProblem& problem : alembert::benchmarks::start_problems()) {
    if (problem.name.find(only) == std::string::npos) continue;
    for (const bool logarithmic : {false, true}) {
      const Tally plain = measure(problem, StartStrategy::Plain, range, logarithmic, runs, false);
      const Tally automatic =
          measure(problem, StartStrategy::Automatic, range, logarithmic, runs, verbose);
      fmt::print("| {} | {} | {:.0f} % | {:.0f} % | {:.3f} | {:.3f} |\n", problem.name,
                 logarithmic ? "logarithmic" : "linear", 100.0 * plain.found / runs,
                 100.0 * automatic.found / runs, plain.seconds / runs, automatic.seconds / runs);
      std::fflush(stdout);
    }
  }
  fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) {
  alembert::prepare_blas();
  const int runs = argc > 1 ? std::atoi(argv[1]) : 50;
  const std::string only = argc > 2 ? argv[2] : "";
  const bool verbose = argc > 3;
  if (runs < 1) {
    fmt::print(stderr, "measure_start: RUNS must be at least 1, got {}\n", argv[1]);
    return 2;
  }
  print_table({3.0, 10.0}, runs, only, verbose);
  print_table({1.05, 1.3}, runs, only, verbose);
  return 0;
}
