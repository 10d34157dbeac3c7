#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/study/monte_carlo.hpp"
#include "study/tasks/monte_carlo/journal/journal_key.hpp"
#include "study/tasks/monte_carlo/monte_carlo_run.hpp"
#include "study/tasks/monte_carlo/run_journal.hpp"

namespace alembert::study {
namespace {

// Run by run through all points, so that a stopped study has as many of each.
struct RunIndex {
  std::size_t point = 0, run = 0;
};
RunIndex index_of_run(std::size_t index, std::size_t points) {
  return {index % points, index / points};
}

bool is_stopped(const Eigen::RowVectorXd& row) {
  return row(0) == static_cast<double>(Status::Stopped);
}

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

void collect_runs(const std::vector<std::optional<Eigen::MatrixXd>>& rows,
                  const RunJournal& journal, MonteCarloResult& result) {
  const std::size_t points = result.study.points.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Eigen::RowVectorXd row;
    const auto known = journal.finished().find(i);
    if (rows[i]) row = rows[i]->row(0);
    if ((!rows[i] || is_stopped(row)) && known != journal.finished().end()) row = known->second;
    if (row.size() == 0 || is_stopped(row)) continue;
    MonteCarloRun run = unpacked_run(row);
    run.point = index_of_run(i, points).point;
    run.run = index_of_run(i, points).run;
    result.runs.push_back(std::move(run));
  }
  std::stable_sort(
      result.runs.begin(), result.runs.end(),
      [](const MonteCarloRun& a, const MonteCarloRun& b) { return a.point < b.point; });
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

std::string journal_words(const MonteCarloResult& result) {
  if (result.resumed == 0 && result.passed_over == 0) return "";
  std::string words = fmt::format("{} of {} runs taken over from an earlier call of this study",
                                  result.resumed, result.runs.size());
  if (result.passed_over == 0) return words;
  return words + fmt::format(
                     "; {} of its lines passed over: damaged, of another study or "
                     "version, or not sealed by this user",
                     result.passed_over);
}

MonteCarloResult run_monte_carlo(const MonteCarloStudy& study, const Machines& machines,
                                 const MonteCarloOptions& options) {
  MonteCarloResult result;
  result.study = study;
  const std::vector<PreparedPoint> prepared = prepared_points(study);
  const std::size_t count = study.runs * study.points.size();
  RunJournal journal(options.journal, {study.fingerprint, journal_key()}, machines);
  const auto run = [&](std::size_t i) -> Eigen::MatrixXd {
    const auto known = journal.finished().find(i);
    if (known != journal.finished().end() && is_run(known->second)) return known->second;
    const RunIndex at = index_of_run(i, study.points.size());
    const Eigen::RowVectorXd row = packed_run(
        simulate_and_identify(prepared[at.point], run_seed(study.seed, at.run), options.stop));
    if (!is_stopped(row)) journal.append(i, row);
    return row;
  };
  const auto rows = distributed_map(
      machines, count, run,
      {.threads = options.threads, .on_progress = options.on_progress, .stop = options.stop});
  if (!machines.is_first()) return result;
  for (const auto& [index, row] : journal.finished()) result.resumed += index < count ? 1 : 0;
  result.passed_over = journal.passed_over();
  collect_runs(rows, journal, result);
  add_statistics(result);
  judge_runs(result);
  return result;
}

}  // namespace alembert::study
