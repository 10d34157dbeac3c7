#pragma once

#include "alembert/optimize/coloured_covariance.hpp"

namespace alembert::identify {

/// How the tasks estimate the colour of residuals; docs/theory/deviations.md, section 10, says why.
[[nodiscard]] inline optimize::ColouredOptions noise_options() {
  optimize::ColouredOptions options;
  options.sine_bins = true;
  options.unknown_freedom = 0.0;
  return options;
}

}  // namespace alembert::identify
