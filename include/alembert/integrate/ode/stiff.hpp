#pragma once

#include <span>

#include "alembert/integrate/ode/adaptive.hpp"
#include "alembert/integrate/ode/system.hpp"

namespace alembert::integrate::ode {

/// Whether this program was built with SUNDIALS, which stiff_run() needs.
[[nodiscard]] bool has_stiff_method();

/// Sensitivities of a stiff run: the columns of S that count, at most stride().
struct StiffSensitivities {
  const double* start = nullptr;  ///< S at the start, rows of stride() numbers
  /// Sizes of what the columns are taken with respect to, which set their absolute tolerances.
  std::span<const double> sizes = {};
};

/// A run by backward differentiation formulas of orders 1 to 5 (SUNDIALS CVODES) with the exact
/// Jacobian; sensitivities staggered and under error control.
///
/// Returns the number of samples that were reached. Where inputs jump the method starts anew; with
/// inputs it never steps across a sample.
/// @throws InvalidInput if the program was built without SUNDIALS.
long stiff_run(System& system, Inputs* inputs, const SampleTimes& times, const AdaptiveSteps& steps,
               Samples& samples, const double* x0, const StiffSensitivities& sensitivities = {});

}  // namespace alembert::integrate::ode
