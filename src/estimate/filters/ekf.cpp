#include "alembert/estimate/ekf.hpp"

#include "alembert/core/check.hpp"

namespace alembert::estimate {

void check_options(const EkfOptions& options) {
  check::at_least("EkfOptions", "iterations", options.iterations, 1);
  check::non_negative("EkfOptions", "tolerance", options.tolerance);
}

}  // namespace alembert::estimate
