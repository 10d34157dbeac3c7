#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "alembert/core/error.hpp"
#include "alembert/core/parallel.hpp"
#include "reproductions/observe_pages.hpp"
#include "reproductions/slider_crank/runs.hpp"
#include "reproductions/slider_crank/tuning.hpp"

namespace alembert::reproductions {
namespace {

constexpr double kSeconds = 30.0;

CrankRuns rows_to_run(bool full) {
  CrankRuns runs;
  for (const CrankGroup& group : crank_groups(full)) {
    for (const CrankCase& one : group.rows) runs.push_back({.choice = group.choice, .one = one});
  }
  return runs;
}

// Searches take longest: they begin first.
std::vector<std::size_t> longest_first(const CrankRuns& runs) {
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto work = [&](std::size_t i) {
    return runs[i].one.tuning == CrankTuning::None ? 0 : crank_levels(runs[i].one).size();
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return work(a) > work(b); });
  return order;
}

void run_row(int seeds, const StopFlag* stop, CrankRun& run) {
  if (run.one.tuning != CrankTuning::None) {
    const TunedCrank tuned = tune_crank(run.one, kSeconds, stop);
    if (tuned.status == Status::Stopped) return;
    run.one = tuned.one;
    run.evaluations = tuned.evaluations;
  }
  run.score = mean_crank_score(run.one, kSeconds, seeds);
  run.finished = true;
}

}  // namespace

const CrankScore& score_of(const CrankRuns& runs, const std::string& name) {
  const auto found = std::find_if(runs.begin(), runs.end(),
                                  [&](const CrankRun& run) { return run.one.name == name; });
  if (found == runs.end())
    throw InvalidInput({.function = "score_of", .rule = fmt::format("no row \"{}\"", name)});
  return found->score;
}

Reproduction run_slider_crank(const ReproduceOptions& options) {
  Reproduction result;
  result.name = "slider-crank";
  result.title = "Observers of a slider-crank: accelerometer as input or as output";
  result.summary =
      "A crank of 0.14 m and a rod of 0.56 m, 30 s at 1 kHz, encoder 0.003 rad, accelerometer 0.03 "
      "m/s^2. Noise levels are those that do best with the truth at hand: published ones, and "
      "where "
      "none are published those of a simplex search on the record of another seed. The references "
      "are means of an independent simulation of the same case over four to six seeds, held to 10 "
      "%.";
  CrankRuns runs = rows_to_run(options.full);
  const std::vector<std::size_t> order = longest_first(runs);
  parallel_for(
      runs.size(),
      [&](std::size_t i) { run_row(options.full ? 6 : 2, options.parallel.stop, runs[order[i]]); },
      options.parallel);
  if (!std::all_of(runs.begin(), runs.end(), [](const CrankRun& run) { return run.finished; })) {
    result.status = Status::Stopped;
    result.message = "stopped on request; all claims are missing";
    return result;
  }
  result.claims = crank_claims(runs, options.full);
  result.tables = crank_tables(runs, options.full);
  result.figures = crank_figures(runs, options.full);
  return result;
}

}  // namespace alembert::reproductions
