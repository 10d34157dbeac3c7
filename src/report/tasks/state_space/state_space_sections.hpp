#pragma once

#include "alembert/study/records/state_space.hpp"
#include "report/page/vocabulary.hpp"

/// Pictures of the report of [identify] with method = "state-space".
namespace alembert::report {

/// Measured and simulated outputs over time: of the held-back record, else of the estimate.
[[nodiscard]] Plot state_signals_plot(const study::StateSpaceOutcome& result);
/// Spectra of an output and of what the model leaves of it.
[[nodiscard]] Plot state_residual_plot(const study::StateSpaceOutcome& result);
/// Magnitude of the frequency response with bands.
[[nodiscard]] Plot state_magnitude_plot(const study::StateSpaceOutcome& result);
/// Its phase.
[[nodiscard]] Plot state_phase_plot(const study::StateSpaceOutcome& result);
/// Step responses with bands.
[[nodiscard]] Plot state_step_plot(const study::StateSpaceOutcome& result);
/// Residual on held-out samples over the order.
[[nodiscard]] Plot state_order_plot(const study::StateSpaceOutcome& result);
/// Singular values of the projection.
[[nodiscard]] Plot state_singular_plot(const study::StateSpaceOutcome& result);

}  // namespace alembert::report
