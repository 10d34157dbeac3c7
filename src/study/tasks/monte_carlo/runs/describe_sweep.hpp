#pragma once

#include <cstddef>
#include <vector>

#include "alembert/document/result_tree.hpp"
#include "alembert/study/monte_carlo.hpp"

/// What all results of [monte-carlo] say alike.
namespace alembert::study {

/// The swept keys with their values, as items of a list.
void describe_sweep(const std::vector<SweepKey>& sweep, document::ResultTree& list);

/// Adds the list "values" of one point.
void describe_swept_values(const std::vector<SweepKey>& sweep,
                           const std::vector<std::size_t>& values, document::ResultTree& tree);

/// Adds how many runs there are, how many succeeded and how the others ended.
void describe_endings(std::size_t runs, std::size_t converged,
                      const std::vector<FailureCount>& failures, document::ResultTree& tree);

}  // namespace alembert::study
