#include "reproductions/slider_crank/slider_crank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "alembert/core/error.hpp"
#include "alembert/core/parallel.hpp"
#include "reproductions/slider_crank/runs.hpp"
#include "reproductions/slider_crank/tuning.hpp"

namespace alembert::reproductions::slider_crank {
namespace {

constexpr double kSeconds = 30.0;

Runs rows_to_run(bool full) {
  Runs runs;
  for (const Group& group : row_groups(full)) {
    for (const Case& one : group.rows) runs.push_back({.choice = group.choice, .one = one});
  }
  return runs;
}

// Searches take longest: they begin first.
std::vector<std::size_t> longest_first(const Runs& runs) {
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto work = [&](std::size_t i) {
    return runs[i].one.tuning == Tuning::None ? 0 : levels_of(runs[i].one).size();
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return work(a) > work(b); });
  return order;
}

void run_row(int seeds, const StopFlag* stop, Run& run) {
  if (run.one.tuning != Tuning::None) {
    const Tuned tuned = tune(run.one, kSeconds, stop);
    if (tuned.status == Status::Stopped) return;
    run.one = tuned.one;
    run.evaluations = tuned.evaluations;
  }
  run.score = mean_score(run.one, kSeconds, seeds);
  run.finished = true;
}

const Run& row_of(const Runs& runs, const std::string& name) {
  const auto found =
      std::find_if(runs.begin(), runs.end(), [&](const Run& run) { return run.one.name == name; });
  if (found == runs.end())
    throw InvalidInput({.function = "score_of", .rule = fmt::format("no row \"{}\"", name)});
  return *found;
}

}  // namespace

const Score& score_of(const Runs& runs, const std::string& name) {
  return row_of(runs, name).score;
}

const Numbers& reference_of(const Runs& runs, const std::string& name) {
  return row_of(runs, name).one.reference;
}

Reproduction run(const ReproduceOptions& options) {
  Reproduction result;
  result.name = "slider-crank";
  result.title = "Observers of a slider-crank: accelerometer as input or as output";
  result.summary =
      "A crank of 0.14 m and a rod of 0.56 m, 30 s at 1 kHz, encoder 0.003 rad, accelerometer 0.03 "
      "m/s^2: motion, sensors and switch of section 2.3.1 of the thesis, which prints neither "
      "lengths nor noise levels of the model nor errors. Those come from a reference computation: "
      "an independent simulation of the same case, means over four to six seeds, held to 10 %. "
      "Noise levels are those that do best with the truth at hand: of the reference, and where it "
      "has none those of a simplex search on the record of another seed.";
  result.source = "MultibodyThesis (docs/references.md), section 2.3.1";
  Runs runs = rows_to_run(options.full);
  const std::vector<std::size_t> order = longest_first(runs);
  parallel_for(
      runs.size(),
      [&](std::size_t i) { run_row(options.full ? 6 : 2, options.parallel.stop, runs[order[i]]); },
      options.parallel);
  if (!std::all_of(runs.begin(), runs.end(), [](const Run& run) { return run.finished; })) {
    result.status = Status::Stopped;
    result.message = "stopped on request; all claims are missing";
    return result;
  }
  result.claims = claims_of(runs, options.full);
  result.tables = tables_of(runs, options.full);
  result.figures = figures_of(runs, options.full);
  return result;
}

}  // namespace alembert::reproductions::slider_crank
