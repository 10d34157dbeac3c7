#pragma once

#include <string>
#include <vector>

#include "alembert/identify/experiment.hpp"
#include "alembert/identify/linear_options.hpp"

namespace alembert::identify {

/// Another reading of the same columns, which the data fit better than the one given.
struct Alternative {
  std::string words;  ///< "y2 with the opposite sign", "all outputs 2 samples late"
  /// Variance of the residuals as given over that with this reading, geometric mean over the
  /// outputs; infinite where nothing fits as given.
  double gain = 1.0;
};

/// Looks for the slip behind a bad fit: identifies again with the opposite sign of each column,
/// with two columns exchanged, a force in thousands of its unit, outputs that run late or early
/// (all of them or one), other forces between samples, and without each experiment. Returns what
/// fits clearly better, the best first.
///
/// Each reading is identified from its own start, on the first samples (at most 1500 in all, fewer
/// with many unknowns, so that the cost is bounded), spread over all cores. Chance alone does not
/// pass: what is returned lowers -2 log(likelihood) of white residuals by 50 at least and their
/// variance by a sixth.
/// @throws InvalidInput as identify_linear().
[[nodiscard]] std::vector<Alternative> find_alternatives(const Experiments& data,
                                                         const LinearOptions& options);

}  // namespace alembert::identify
