#include <string>

#include "alembert/document/words.hpp"
#include "alembert/study/repeat.hpp"
#include "study/result/describe_parts.hpp"
#include "study/result/json.hpp"
#include "study/result/settings.hpp"
#include "study/tasks/monte_carlo/runs/describe_sweep.hpp"
#include "study/tasks/monte_carlo/tables_monte_carlo.hpp"
#include "study/tasks/simulate/describe_simulate.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;

void describe_name_and_unit(const std::string& what, const std::string& name,
                            const std::string& unit, ResultTree& tree) {
  tree.add("name", name).named(what);
  tree.add("unit", unit).in_words(document::pretty_unit(unit));
}

void describe_estimate(const EstimateStatistics& one, ResultTree& tree) {
  describe_name_and_unit("parameter", one.name, one.unit, tree);
  tree.add("runs", one.runs);
  tree.add("truth", one.truth).named("true");
  tree.add("mean", one.mean);
  tree.add("bias", one.bias);
  tree.add("bias_deviation", one.bias_deviation);
  tree.add("scatter", one.scatter);
  tree.add("reported", one.reported).named("reported std");
  tree.add("ratio", one.ratio).named("scatter / reported");
  tree.add("coverage", one.coverage);
  tree.add("coverage_lower", one.coverage_lower);
  tree.add("coverage_upper", one.coverage_upper);
  tree.add("coverage_chance", one.coverage_chance);
}

void describe_state_statistics(const StateStatistics& one, ResultTree& tree) {
  describe_name_and_unit("state", one.name, one.unit, tree);
  tree.add("runs", one.runs);
  tree.add("bias", one.bias).named("mean error");
  tree.add("rms", one.rms).named("rms error");
  tree.add("reported", one.reported).named("reported std");
  tree.add("covered", one.covered).named("within 1.96 std");
  tree.add("nees", one.nees).named("NEES");
  tree.add("nees_lower", one.nees_lower);
  tree.add("nees_upper", one.nees_upper);
}

void describe_nees(const NeesStatistics& nees, ResultTree& tree) {
  tree.add("mean", nees.mean).named("joint NEES");
  tree.add("expected", nees.expected);
  tree.add("lower", nees.lower);
  tree.add("upper", nees.upper);
  tree.add("inside", nees.inside).named("runs inside their band");
  tree.add("consistent", nees.consistent).in_words(nees.consistent ? "yes" : "no");
}

void describe_repeat_point(const RepeatResult& result, std::size_t point, ResultTree& tree) {
  const RepeatStatistics& statistics = result.points[point];
  describe_swept_values(result.study.sweep, result.study.points[point].values, tree);
  describe_endings(statistics.runs, statistics.converged, statistics.failures, tree);
  ResultTree& verdicts = tree.group("verdicts");
  verdicts.add("good", statistics.good);
  verdicts.add("caution", statistics.caution);
  verdicts.add("bad", statistics.bad);
  ResultTree& parameters = tree.list("parameters");
  for (const EstimateStatistics& one : statistics.estimates) {
    describe_estimate(one, parameters.item());
  }
  ResultTree& states = tree.list("states");
  for (const StateStatistics& one : statistics.states) {
    describe_state_statistics(one, states.item());
  }
  ResultTree& nees = tree.insert("nees", ResultTree());
  if (statistics.nees) describe_nees(*statistics.nees, nees);
}

// Those of [simulate] are of the first combination of the swept values.
void describe_repeat_settings(const RepeatStudy& study, ResultTree& tree) {
  MonteCarloStudy head;
  head.runs = study.runs;
  head.seed = study.seed;
  describe_settings(monte_carlo_keys(), head, tree.group("monte-carlo"));
  if (study.points.empty()) return;
  describe_simulate_settings(study.points.front().simulate, tree.group("simulate"));
}

}  // namespace

document::ResultTree describe(const RepeatResult& result) {
  const RepeatStudy& study = result.study;
  ResultTree tree = result_head("monte-carlo", study.title);
  describe_head(result, tree);
  tree.add("repeated", study.task);
  tree.add("method", study.method);
  tree.add("simulation", study.simulation);
  tree.add("seed", study.seed);
  ResultTree& runs = tree.group("runs");
  runs.add("file", "runs.csv");
  runs.add("asked", study.runs);
  runs.add("finished", result.runs.size());
  runs.add("taken_over", result.resumed);
  runs.add("passed_over", result.passed_over);
  describe_sweep(study.sweep, tree.list("sweep"));
  ResultTree& points = tree.list("points");
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    describe_repeat_point(result, p, points.item());
  }
  describe_repeat_settings(study, tree.group("settings"));
  return tree;
}

}  // namespace alembert::study
