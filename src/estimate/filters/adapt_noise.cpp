#include "alembert/estimate/adapt_noise.hpp"

#include <limits>

#include "alembert/core/check.hpp"

namespace alembert::estimate {

void check_options(const AdaptOptions& options, int n) {
  check::at_least("AdaptOptions", "window", options.window, 2);
  check::positive("AdaptOptions", "floor", options.floor);
  check::in_range("AdaptOptions", "floor", options.floor, 0.0, 1.0);
  check::in_range("AdaptOptions", "ceiling", options.ceiling, 1.0,
                  std::numeric_limits<double>::infinity());
  check::non_negative("AdaptOptions", "output_trust", options.output_trust);
  for (const int state : options.states) {
    check::in_range("AdaptOptions", "states", state, 0, n - 1);
  }
}

}  // namespace alembert::estimate
