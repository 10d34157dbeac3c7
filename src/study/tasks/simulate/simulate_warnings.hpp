#pragma once

#include "alembert/study/simulate.hpp"

namespace alembert::study {

/// Warns of a model that may gain energy, and of modes above half the sampling rate.
void warn_about_model(SimulateResult& result);

/// Warns of inputs that do less than their description says: times without a sample, zero
/// throughout, jumps that the hold rounds off; and of a system that stays at rest.
void warn_about_inputs(SimulateResult& result);

/// Warns of sensors that clip.
void warn_about_sensors(SimulateResult& result);

}  // namespace alembert::study
