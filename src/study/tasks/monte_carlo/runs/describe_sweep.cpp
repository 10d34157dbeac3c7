#include "study/tasks/monte_carlo/runs/describe_sweep.hpp"

#include <string>

namespace alembert::study {
namespace {

using document::ResultTree;

// A value of the sweep: a number where it is one, else as written.
ResultTree swept_value(const SweepKey& key, std::size_t value) {
  if (key.numbers.size() == 0) return ResultTree(key.labels[value]);
  ResultTree tree(key.numbers(static_cast<Eigen::Index>(value)));
  tree.in_words(key.labels[value]);
  return tree;
}

}  // namespace

void describe_sweep(const std::vector<SweepKey>& sweep, ResultTree& list) {
  for (const SweepKey& key : sweep) {
    ResultTree& one = list.item();
    one.add("key", key.key);
    ResultTree& values = one.list("values");
    for (std::size_t i = 0; i < key.values.size(); ++i) values.item(swept_value(key, i));
  }
}

void describe_swept_values(const std::vector<SweepKey>& sweep,
                           const std::vector<std::size_t>& values, ResultTree& tree) {
  ResultTree& swept = tree.list("values");
  for (std::size_t k = 0; k < values.size(); ++k) swept.item(swept_value(sweep[k], values[k]));
}

void describe_endings(std::size_t runs, std::size_t converged,
                      const std::vector<FailureCount>& failures, ResultTree& tree) {
  tree.add("runs", runs);
  tree.add("converged", converged);
  tree.add("succeeded", std::to_string(converged) + " of " + std::to_string(runs)).not_in_file();
  ResultTree& list = tree.list("failures");
  for (const FailureCount& failure : failures) {
    ResultTree& one = list.item();
    one.add("status", to_string(failure.status));
    one.add("count", failure.count);
    one.add("first_run", failure.first_run + 1);
    one.add("message", failure.message);
  }
}

}  // namespace alembert::study
