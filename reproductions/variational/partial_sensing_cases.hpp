#pragma once

#include <string>
#include <vector>

#include "reproductions/variational/linear_case.hpp"

namespace alembert::reproductions::variational {

/// One row of the table of partial sensing: an experiment on the frame, some of whose coordinates
/// are driven or sensed.
struct SensingCase {
  std::string name;
  LinearCase linear;
  model::Motion motion = model::Motion::Displacement;
  /// Whether the data tell all of M, D, K, so that convergence is claimed. The others are shown:
  /// their Cramer-Rao bound is near 100 % or above it.
  bool claimed = true;
};

/// The rows of the quick version; with `full` all others after them.
[[nodiscard]] std::vector<SensingCase> sensing_cases(bool full);

}  // namespace alembert::reproductions::variational
