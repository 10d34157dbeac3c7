// Built in place of ode/stiff.cpp where SUNDIALS is not installed.
#include "alembert/integrate/ode/stiff.hpp"

#include "alembert/core/error.hpp"

namespace alembert::integrate::ode {

bool has_stiff_method() { return false; }

long stiff_run(System&, Inputs*, const SampleTimes&, const AdaptiveSteps&, Samples&, const double*,
               const StiffSensitivities&) {
  throw InvalidInput({.function = "stiff_run",
                      .rule =
                          "needs SUNDIALS (Debian: libsundials-dev), and this program was built "
                          "without it"});
}

}  // namespace alembert::integrate::ode
