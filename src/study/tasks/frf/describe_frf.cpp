#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "alembert/study/responses/frf.hpp"
#include "study/result/describe_parts.hpp"
#include "study/result/json.hpp"
#include "study/result/settings.hpp"
#include "study/tasks/frf/frf_keys.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;
using Eigen::Index;

// Of the numbers that are known; NaN without one.
double known_median(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double median_coherence(const signal::FrfResult& found, Index output) {
  const Eigen::VectorXd column = found.multiple_coherence.col(output);
  return known_median({column.begin(), column.end()});
}

double median_deviation(const signal::FrfResult& found, Index output, Index input) {
  std::vector<double> ratios;
  for (std::size_t k = 0; k < found.response.size(); ++k) {
    ratios.push_back(found.magnitude_deviation[k](output, input) /
                     std::abs(found.response[k](output, input)));
  }
  return known_median(std::move(ratios));
}

void describe_pairs(const FrfOutcome& result, ResultTree& list) {
  const FrfStudy& study = result.study;
  for (std::size_t j = 0; j < study.inputs.size(); ++j) {
    for (std::size_t o = 0; o < study.outputs.size(); ++o) {
      ResultTree& item = list.item();
      item.add("output", study.outputs[o].name);
      item.add("input", study.inputs[j].name);
      item.add("relative_deviation",
               median_deviation(result.found, static_cast<Index>(o), static_cast<Index>(j)))
          .named("median deviation over |H|");
    }
  }
}

}  // namespace

ResultTree describe(const FrfOutcome& result) {
  ResultTree tree = result_head("identify", result.study.title);
  tree.add("method", "frf");
  describe_head(result, tree);
  ResultTree& inputs = tree.list("inputs");
  for (const ColumnUse& one : result.study.inputs) describe_column(one, inputs.item());
  ResultTree& outputs = tree.list("outputs");
  for (std::size_t o = 0; o < result.study.outputs.size(); ++o) {
    ResultTree& item = outputs.item();
    describe_column(result.study.outputs[o], item);
    item.add("coherence", median_coherence(result.found, static_cast<Index>(o)))
        .named("median coherence");
  }
  ResultTree& lines = tree.group("lines");
  const Eigen::VectorXd& f = result.found.frequencies_hz;
  lines.add("count", static_cast<std::int64_t>(f.size()));
  lines.add("first", f(0));
  lines.add("last", f(f.size() - 1));
  lines.add("resolution_hz", result.found.averaging.resolution_hz);
  lines.add("averages", static_cast<std::int64_t>(result.found.averaging.segments));
  lines.add("singular", static_cast<std::int64_t>(result.found.singular_lines.size()));
  describe_pairs(result, tree.list("responses"));
  ResultTree& table = tree.group("table");
  table.add("file", "frf.csv");
  ResultTree& universal = tree.group("universal");
  universal.add("file", "frf.uff");
  describe_settings(frf_keys(), result.study.settings, tree.group("settings").group("identify"));
  return tree;
}

}  // namespace alembert::study
