#pragma once

#include "alembert/identify/linear.hpp"

namespace alembert::identify {

/// Sets verdict and warnings by what speaks against an identified system: how it ended, fit, what
/// the inputs still explain, colour, held-back data, positivity that was forced, what the data
/// hardly tell, modes that the sampling cannot show.
void judge_trust(LinearIdentification& result);

}  // namespace alembert::identify
