#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/study/monte_carlo.hpp"
#include "study/tasks/monte_carlo/monte_carlo_run.hpp"
#include "study/tasks/monte_carlo/runs/spread_runs.hpp"

namespace alembert::study {
namespace {

std::vector<PreparedPoint> prepared_points(const MonteCarloStudy& study) {
  std::vector<PreparedPoint> prepared;
  for (const MonteCarloPoint& point : study.points) prepared.push_back(prepared_point(point));
  return prepared;
}

// A row of the journal that is no run (of an older program, say) is computed again.
bool is_run(const Eigen::RowVectorXd& row) {
  try {
    (void)unpacked_run(row);
    return true;
  } catch (const InvalidInput&) {
    return false;
  }
}

void collect_runs(SpreadRuns spread, MonteCarloResult& result) {
  result.resumed = spread.resumed;
  result.passed_over = spread.passed_over;
  for (const auto& [index, row] : spread.finished) {
    MonteCarloRun run = unpacked_run(row);
    run.point = index.point;
    run.run = index.run;
    result.runs.push_back(std::move(run));
  }
}

void add_statistics(MonteCarloResult& result) {
  const MonteCarloStudy& study = result.study;
  for (std::size_t p = 0; p < study.points.size(); ++p) {
    std::vector<const MonteCarloRun*> runs;
    for (const MonteCarloRun& run : result.runs) {
      if (run.point == p) runs.push_back(&run);
    }
    result.points.push_back(point_statistics(study.points[p].simulate.linear()->system, runs));
  }
}

void judge_runs(MonteCarloResult& result) {
  const std::size_t asked = result.study.runs * result.study.points.size();
  const auto good = static_cast<std::size_t>(std::count_if(
      result.runs.begin(), result.runs.end(), [](const MonteCarloRun& run) { return run.ok(); }));
  const std::size_t failed = result.runs.size() - good;
  if (failed > 0) {
    result.warnings.push_back(fmt::format(
        "{} of {} runs failed; the statistics are over the others", failed, result.runs.size()));
  }
  if (result.runs.size() < asked) {
    result.status = Status::Stopped;
    result.message =
        fmt::format("stopped on request: {} of {} runs finished", result.runs.size(), asked);
  } else if (good == 0) {
    result.status = Status::NotConverged;
    result.message =
        fmt::format("no run succeeded; the first one ended with {}: {}",
                    to_string(result.runs.front().status), result.runs.front().message);
  }
}

}  // namespace

MonteCarloResult run_monte_carlo(const MonteCarloStudy& study, const Machines& machines,
                                 const MonteCarloOptions& options) {
  MonteCarloResult result;
  result.study = study;
  const std::vector<PreparedPoint> prepared = prepared_points(study);
  const auto run = [&](const RunIndex& at) {
    return packed_run(
        simulate_and_identify(prepared[at.point], run_seed(study.seed, at.run), options.stop));
  };
  SpreadRuns spread = spread_runs({.points = study.points.size(),
                                   .runs = study.runs,
                                   .fingerprint = study.fingerprint,
                                   .run = run,
                                   .is_run = is_run},
                                  machines, options);
  if (!machines.is_first()) return result;
  collect_runs(std::move(spread), result);
  add_statistics(result);
  judge_runs(result);
  return result;
}

}  // namespace alembert::study
