#include <string>

#include "alembert/study/monte_carlo.hpp"
#include "study/result/describe_parts.hpp"
#include "study/result/json.hpp"
#include "study/result/settings.hpp"
#include "study/tasks/identify/settings_identify.hpp"
#include "study/tasks/monte_carlo/runs/describe_sweep.hpp"
#include "study/tasks/monte_carlo/tables_monte_carlo.hpp"
#include "study/tasks/simulate/describe_simulate.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;

void describe_statistics(const ErrorStatistics& one, ResultTree& tree) {
  tree.add("median", one.median);
  tree.add("mean", one.mean);
  tree.add("rms", one.rms);
  tree.add("p5", one.p5);
  tree.add("p95", one.p95);
  tree.add("reported", one.reported);
  tree.add("ratio", one.ratio);
  tree.add("coverage", one.coverage);
  tree.add("coverage_lower", one.coverage_lower);
  tree.add("coverage_upper", one.coverage_upper);
  tree.add("coverage_chance", one.coverage_chance);
}

void describe_mode(const ModeStatistics& mode, ResultTree& tree) {
  tree.add("frequency_hz", mode.frequency).named("frequency", "Hz");
  tree.add("frequency_bias", mode.frequency_bias);
  tree.add("frequency_rms", mode.frequency_rms);
  tree.add("frequency_reported", mode.frequency_reported);
  tree.add("frequency_coverage", mode.frequency_coverage);
  tree.add("damping_ratio", mode.damping).named("damping ratio");
  tree.add("damping_bias", mode.damping_bias);
  tree.add("damping_rms", mode.damping_rms);
  tree.add("damping_reported", mode.damping_reported);
  tree.add("damping_coverage", mode.damping_coverage);
}

void describe_point(const MonteCarloResult& result, std::size_t point, ResultTree& tree) {
  const PointStatistics& statistics = result.points[point];
  describe_swept_values(result.study.sweep, result.study.points[point].values, tree);
  describe_endings(statistics.runs, statistics.converged, statistics.failures, tree);
  ResultTree& errors = tree.group("errors");
  for (std::size_t q = 0; q < kComparedCount; ++q) {
    describe_statistics(statistics.errors[q], errors.group(to_string(static_cast<Compared>(q))));
  }
  ResultTree& modes = tree.list("modes");
  for (const ModeStatistics& mode : statistics.modes) describe_mode(mode, modes.item());
}

// Those of [simulate] and [identify] are of the first combination of the swept values.
void describe_monte_carlo_settings(const MonteCarloStudy& study, ResultTree& tree) {
  describe_settings(monte_carlo_keys(), study, tree.group("monte-carlo"));
  if (study.points.empty()) return;
  const MonteCarloPoint& first = study.points.front();
  describe_simulate_settings(first.simulate, tree.group("simulate"));
  describe_identify_settings(first.identify.settings, tree.group("identify"));
}

}  // namespace

document::ResultTree describe(const MonteCarloResult& result) {
  const MonteCarloStudy& study = result.study;
  ResultTree tree = result_head("monte-carlo", study.title);
  describe_head(result, tree);
  tree.add("seed", study.seed);
  ResultTree& runs = tree.group("runs");
  runs.add("file", "runs.csv");
  runs.add("asked", study.runs);
  runs.add("finished", result.runs.size());
  runs.add("taken_over", result.resumed);
  runs.add("passed_over", result.passed_over);
  describe_sweep(study.sweep, tree.list("sweep"));
  ResultTree& points = tree.list("points");
  for (std::size_t p = 0; p < result.points.size(); ++p) describe_point(result, p, points.item());
  describe_monte_carlo_settings(study, tree.group("settings"));
  return tree;
}

}  // namespace alembert::study
