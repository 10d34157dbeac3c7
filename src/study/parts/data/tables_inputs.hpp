#pragma once

#include "alembert/signal/excitation.hpp"
#include "study/schema/bound_keys.hpp"

namespace alembert::study {

/// [simulate.inputs.NAME]: one generated input.
[[nodiscard]] const TableSpec& input_table();
/// [simulate.inputs]: all of them.
[[nodiscard]] const TableSpec& simulate_inputs_table();

/// The keys of each kind of input.
[[nodiscard]] const BoundKeys<signal::SplineNoiseOptions>& spline_noise_keys();
[[nodiscard]] const BoundKeys<signal::MultisineOptions>& multisine_keys();
[[nodiscard]] const BoundKeys<signal::ChirpOptions>& chirp_keys();
[[nodiscard]] const BoundKeys<signal::PrbsOptions>& prbs_keys();
[[nodiscard]] const BoundKeys<signal::StepsOptions>& steps_keys();
[[nodiscard]] const BoundKeys<signal::PulsesOptions>& pulses_keys();

}  // namespace alembert::study
