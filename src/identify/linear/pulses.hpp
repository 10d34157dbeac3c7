#pragma once

#include "alembert/core/verdict.hpp"
#include "alembert/identify/linear.hpp"

namespace alembert::identify {

/// Hammer blows of so few samples that their impulse is less well known than the matrices seem to
/// be. A half sine of n samples that is integrated through them errs by π²/(12 n²).
void judge_pulses(const Experiments& data, const LinearIdentification& result, Evidence& evidence);

}  // namespace alembert::identify
