// Data profiles of all solvers without derivatives on the problems of More and Wild, as tables in
// Markdown. measure_optimize [BUDGET in simplex gradients]

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "alembert/optimize/minimise.hpp"
#include "benchmarks/optimize/more_wild.hpp"

namespace {

using namespace alembert;
using optimize::Solver;
using test::CostKind;
using test::MoreWildProblem;
using test::Trace;

constexpr Solver kSolvers[] = {Solver::NelderMead, Solver::Sbplx, Solver::Bobyqa, Solver::Mads};
constexpr double kTaus[] = {1e-1, 1e-3, 1e-5};
constexpr double kAlphas[] = {5, 10, 20, 50, 100};

struct Runs {
  std::vector<Trace> traces;  // one for each problem
  double seconds = 0.0;
};

optimize::Problem problem_of(const MoreWildProblem& wild, CostKind kind, Trace& trace) {
  optimize::Problem problem;
  for (Eigen::Index i = 0; i < wild.start.size(); ++i) {
    problem.parameters.push_back({.name = fmt::format("x{}", i), .guess = wild.start(i)});
  }
  trace.variables = wild.start.size();
  problem.objective.cost = [&wild, &trace, kind](const Eigen::VectorXd& x) {
    const double cost = test::cost_of(wild, kind, x);
    // Noise counts for the search, not for the judgement.
    trace.costs.push_back(kind == CostKind::Noise ? test::cost_of(wild, CostKind::Smooth, x)
                                                  : cost);
    return cost;
  };
  return problem;
}

// Steps along the coordinates, halved when none helps: what anybody would write first.
Trace coordinate_search(const MoreWildProblem& wild, CostKind kind, std::size_t budget) {
  Trace trace;
  const optimize::Problem problem = problem_of(wild, kind, trace);
  Eigen::VectorXd x = wild.start;
  double best = problem.objective.cost(x);
  const Eigen::VectorXd size =
      x.unaryExpr([](double entry) { return entry != 0.0 ? std::abs(entry) : 1.0; });
  for (double step = 0.1; step > 1e-12 && trace.costs.size() < budget;) {
    bool helped = false;
    for (Eigen::Index i = 0; i < 2 * x.size() && trace.costs.size() < budget; ++i) {
      Eigen::VectorXd trial = x;
      trial(i / 2) += (i % 2 == 0 ? step : -step) * size(i / 2);
      const double cost = problem.objective.cost(trial);
      if (!(cost < best)) continue;
      best = cost;
      x = trial;
      helped = true;
    }
    step *= helped ? 2.0 : 0.5;
  }
  return trace;
}

template <typename Search>
Runs run_all(const std::vector<MoreWildProblem>& problems, const Search& search) {
  Runs runs;
  const std::clock_t start = std::clock();
  for (const MoreWildProblem& wild : problems) runs.traces.push_back(search(wild));
  runs.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return runs;
}

void print_kind(CostKind kind, const char* title, long gradients) {
  const auto problems = test::more_wild_problems();
  std::vector<std::string> names;
  std::vector<Runs> all;
  const auto budget = [&](const MoreWildProblem& wild) {
    return gradients * (static_cast<long>(wild.start.size()) + 1);
  };
  for (const Solver solver : kSolvers) {
    names.emplace_back(optimize::to_string(solver));
    all.push_back(run_all(problems, [&](const MoreWildProblem& wild) {
      Trace trace;
      (void)optimize::minimise(problem_of(wild, kind, trace),
                               {.solver = solver, .max_evaluations = budget(wild)});
      return trace;
    }));
  }
  names.emplace_back("coordinate search");
  all.push_back(run_all(problems, [&](const MoreWildProblem& wild) {
    return coordinate_search(wild, kind, static_cast<std::size_t>(budget(wild)));
  }));

  std::vector<double> best(problems.size(), HUGE_VAL);
  for (const Runs& runs : all) {
    for (std::size_t k = 0; k < problems.size(); ++k) {
      for (const double cost : runs.traces[k].costs) best[k] = std::min(best[k], cost);
    }
  }
  fmt::print("## {}\n\n| solver | tau |", title);
  for (const double alpha : kAlphas) fmt::print(" {} |", alpha);
  fmt::print(" time, s |\n|---|---:|---:|---:|---:|---:|---:|---:|\n");
  for (std::size_t s = 0; s < all.size(); ++s) {
    for (const double tau : kTaus) {
      std::vector<double> needed;
      for (std::size_t k = 0; k < problems.size(); ++k) {
        needed.push_back(test::simplex_gradients_to_solve(all[s].traces[k], best[k], tau));
      }
      fmt::print("| {} | {:g} |", names[s], tau);
      for (const double alpha : kAlphas)
        fmt::print(" {:.0f} % |", 100.0 * test::solved_share(needed, alpha));
      fmt::print(" {:.2f} |\n", all[s].seconds);
    }
  }
  fmt::print("\n");
}

}  // namespace

int main(int count, char** values) {
  const long gradients = count > 1 ? std::max(1L, std::atol(values[1])) : 100L;
  print_kind(CostKind::Smooth, "Smooth: sum of squares", gradients);
  print_kind(CostKind::Kinks, "Kinks: sum of absolute values", gradients);
  print_kind(CostKind::Noise, "Noise: sum of squares, one part in a thousand oscillates",
             gradients);
  return 0;
}
