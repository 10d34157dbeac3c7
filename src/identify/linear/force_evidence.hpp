#pragma once

#include "alembert/core/verdict.hpp"
#include "alembert/identify/linear.hpp"

namespace alembert::identify {

/// Noise on the measured forces that would move the unknowns by more than their deviations allow
/// for.
void judge_force_noise(const LinearIdentification& result, Evidence& evidence);

}  // namespace alembert::identify
