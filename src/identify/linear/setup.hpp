#pragma once

#include "alembert/identify/experiment.hpp"
#include "alembert/identify/linear_options.hpp"

namespace alembert::identify {

/// What all steps of identify_linear() share: records, options with the defaults filled in, and
/// what follows from them.
struct LinearSetup {
  const Experiments& data;     ///< of the caller
  LinearOptions options;       ///< with L, outputs, unknowns and names
  LinearProblem problem = {};  ///< of the refinement
  ChosenStart chosen = {};
  LikeOutputs like = {};  ///< that the starts use
  /// The records of `like` where that is not all outputs in order; else empty.
  Experiments selected = {};

  /// The records of the like outputs.
  [[nodiscard]] const Experiments& like_data() const { return selected.empty() ? data : selected; }
};

/// Fills in what the options leave to the records and checks that all fits.
/// @throws InvalidInput naming the option.
[[nodiscard]] LinearSetup linear_setup(const Experiments& data, const Experiments& held_back,
                                       const LinearOptions& options);

}  // namespace alembert::identify
