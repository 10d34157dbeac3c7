#include "alembert/estimate/step.hpp"

#include "alembert/core/check.hpp"
#include "alembert/core/chi_square.hpp"

namespace alembert::estimate {

Gate::Gate(const GateOptions& options, int outputs) : options_(options) {
  check::positive("GateOptions", "probability", options.probability);
  check::in_range("GateOptions", "probability", options.probability, 0.0, 1.0);
  if (!active()) return;
  limits_.assign(static_cast<std::size_t>(outputs) + 1, 0.0);
  for (int m = 1; m <= outputs; ++m) {
    limits_[static_cast<std::size_t>(m)] = chi_square_quantile(options.probability, m);
  }
}

}  // namespace alembert::estimate
