#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/study/repeat.hpp"
#include "study/tasks/monte_carlo/repeat/pack_run.hpp"
#include "study/tasks/monte_carlo/repeat/read_repeat.hpp"
#include "study/tasks/monte_carlo/runs/spread_runs.hpp"

namespace alembert::study {
namespace {

// Below this share, and too low for chance, intervals count as too narrow: in large studies a
// difference that matters to nobody is significant too. All parameters of all points together may
// give a false alarm in 1 of 100 studies.
constexpr double kNarrowShare = 0.93;
constexpr double kFalseAlarmRate = 0.01;

RepeatRun failed(Status status, const std::string& message) {
  RepeatRun run;
  run.status = status;
  run.message = message;
  run.trust = TrustLevel::Bad;
  return run;
}

// True values that the task itself does not know.
void add_truth(const std::map<std::string, double>& truth, RunFigures& figures) {
  for (RunEstimate& one : figures.estimates) {
    const auto known = truth.find(one.name);
    if (!std::isfinite(one.truth) && known != truth.end()) one.truth = known->second;
  }
}

RepeatRun do_task(const RepeatPoint& point, const TaskStudy& task, const StopFlag* stop) {
  const Machines alone;
  const RunOptions options{.threads = 1, .on_progress = {}, .stop = stop, .on_best = {}};
  const std::unique_ptr<TaskResult> result = task.run({.machines = alone, .options = options});
  RepeatRun run;
  run.status = result->outcome().status;
  run.message = result->outcome().message;
  run.trust = result->verdict().level;
  if (!result->has_parts()) return run;
  static_cast<RunFigures&>(run) = figures_of(result->description());
  add_truth(point.truth, run);
  return run;
}

bool is_repeat(const Eigen::RowVectorXd& row) {
  try {
    (void)unpacked_repeat(row);
    return true;
  } catch (const InvalidInput&) {
    return false;
  }
}

void judge_endings(RepeatResult& result, Evidence& evidence) {
  const std::size_t asked = result.study.runs * result.study.points.size();
  const auto good = static_cast<std::size_t>(std::count_if(
      result.runs.begin(), result.runs.end(), [](const RepeatRun& run) { return run.ok(); }));
  const std::size_t lost = result.runs.size() - good;
  if (lost > 0) {
    result.warnings.push_back(fmt::format(
        "{} of {} runs failed; the statistics are over the others", lost, result.runs.size()));
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
  evidence.add(result);
}

std::string point_words(const RepeatStudy& study, std::size_t point) {
  std::vector<std::string> words;
  const std::vector<std::size_t>& values = study.points[point].values;
  for (std::size_t k = 0; k < values.size(); ++k) {
    words.push_back(fmt::format("{} = {}", study.sweep[k].key, study.sweep[k].labels[values[k]]));
  }
  return words.empty() ? "" : " at " + join(words, ", ");
}

// Intervals that hold the truth less often than they promise.
void judge_coverage(RepeatResult& result, Evidence& evidence) {
  std::size_t cases = 0;
  for (const RepeatStatistics& point : result.points) cases += point.estimates.size();
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    for (const EstimateStatistics& one : result.points[p].estimates) {
      const bool chance = !(one.coverage_chance < kFalseAlarmRate / static_cast<double>(cases));
      if (chance || !(one.coverage < kNarrowShare)) continue;
      evidence.add(TrustLevel::Caution,
                   fmt::format("the 95 % intervals of {} hold the truth in {:.3g} % of the runs "
                               "only{}",
                               one.name, 100.0 * one.coverage, point_words(result.study, p)),
                   "look at the bias beside the scatter: a biased method or a deviation that is "
                   "too small");
    }
  }
}

void judge_states(RepeatResult& result, Evidence& evidence) {
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    const std::optional<NeesStatistics>& nees = result.points[p].nees;
    if (!nees || !(nees->mean > nees->upper)) continue;
    evidence.add(TrustLevel::Caution,
                 fmt::format("the errors of the states are {:.3g} times as large as the "
                             "covariances say (joint NEES {:.3g}, 95 % within {:.3g} to {:.3g}){}",
                             std::sqrt(nees->mean / nees->expected), nees->mean, nees->lower,
                             nees->upper, point_words(result.study, p)),
                 "raise the density of the motion or the sigma of the sensors");
  }
}

void judge_all(RepeatResult& result) {
  Evidence evidence;
  judge_endings(result, evidence);
  for (const std::string& warning : result.warnings) evidence.add(TrustLevel::Caution, warning);
  judge_coverage(result, evidence);
  judge_states(result, evidence);
  result.verdict = evidence.verdict();
}

}  // namespace

RepeatRun repeat_once(const RepeatStudy& study, std::size_t point, std::uint64_t seed,
                      const StopFlag* stop) {
  const RepeatPoint& at = study.points[point];
  SimulateStudy simulate = at.simulate;
  simulate.seed = seed;
  const Machines alone;
  try {
    const SimulateResult made = run_simulate(simulate, alone, {.threads = 1, .stop = stop});
    if (!made.ok()) return failed(made.status, made.message);
    const FilesInMemory memory = files_of(made);
    std::vector<Problem> problems;
    const std::unique_ptr<TaskStudy> task = read_part(
        at.task, {.folder = study.file.parent_path(), .read_files = true, .memory = &memory},
        problems);
    if (task == nullptr) {
      return failed(Status::NotIdentifiable,
                    problems.empty() ? "the task could not be read" : problems.front().message);
    }
    return do_task(at, *task, stop);
  } catch (const PlacedError& error) {
    return failed(Status::NotIdentifiable, error.reason());
  } catch (const InvalidInput& error) {
    return failed(Status::NotIdentifiable, error.what());
  }
}

RepeatResult run_repeat(const RepeatStudy& study, const Machines& machines,
                        const MonteCarloOptions& options) {
  RepeatResult result;
  result.study = study;
  const auto run = [&](const RunIndex& at) {
    return packed_repeat(repeat_once(study, at.point, run_seed(study.seed, at.run), options.stop));
  };
  const SpreadRuns spread = spread_runs({.points = study.points.size(),
                                         .runs = study.runs,
                                         .fingerprint = study.fingerprint,
                                         .run = run,
                                         .is_run = is_repeat},
                                        machines, options);
  if (!machines.is_first()) return result;
  result.resumed = spread.resumed;
  result.passed_over = spread.passed_over;
  for (const auto& [index, row] : spread.finished) {
    RepeatRun one = unpacked_repeat(row);
    one.point = index.point;
    one.run = index.run;
    result.runs.push_back(std::move(one));
  }
  for (std::size_t p = 0; p < study.points.size(); ++p) {
    std::vector<const RepeatRun*> runs;
    for (const RepeatRun& one : result.runs) {
      if (one.point == p) runs.push_back(&one);
    }
    result.points.push_back(repeat_statistics(runs));
  }
  judge_all(result);
  return result;
}

}  // namespace alembert::study
