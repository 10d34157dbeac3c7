#pragma once

#include <vector>

#include "reproductions/slider_crank/cases.hpp"

/// The rows of the comparison on the slider-crank.
namespace alembert::reproductions::slider_crank {

/// Which choice a group of rows varies.
enum class Choice { Filter, Scheme, Switch, Output, Wrong };

/// Rows that differ in one choice.
struct Group {
  Choice choice;
  std::vector<Case> rows;
};

/// The accelerometer as input, switch at 0.08 rad: the filters.
[[nodiscard]] std::vector<Case> filter_rows();
/// The same filter: how the acceleration becomes a state, rule, noise of the inputs.
[[nodiscard]] std::vector<Case> scheme_rows();
/// The same with the switch at other distances. With `full` those too whose noise levels the
/// reference does not give.
[[nodiscard]] std::vector<Case> switch_rows(bool full);
/// The accelerometer as output: filters, motion models, smoother.
[[nodiscard]] std::vector<Case> output_rows();
/// Wrong lengths, a biased accelerometer, both: five observers of each, then the wrong states.
/// Without `full` only the last of these with the output form, whose levels the reference gives.
[[nodiscard]] std::vector<Case> wrong_rows(bool full);

[[nodiscard]] std::vector<Group> row_groups(bool full);

}  // namespace alembert::reproductions::slider_crank
