#pragma once

#include "alembert/identify/linear.hpp"

namespace alembert::identify {

/// Sets verdict and warnings by what speaks against an identified system: how it ended, fit, what
/// the inputs still explain, experiments that fit worse than others, colour, held-back data,
/// positivity that was forced, what the data hardly tell, modes that the sampling cannot show,
/// pulses that it cannot show, other readings of the columns that fit better.
/// @param smooth_forces they are taken as smooth between samples: held ones are known exactly.
void judge_trust(const Experiments& data, bool smooth_forces, LinearIdentification& result);

/// Whether the system misses something of the data, so that the columns may be read wrongly.
[[nodiscard]] bool is_doubtful(const Experiments& data, const LinearIdentification& result);

}  // namespace alembert::identify
