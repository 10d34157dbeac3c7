#pragma once

#include "alembert/identify/acceleration.hpp"

namespace alembert::identify {

/// The parameters over several records.
void judge_repeatability(AccelerationFit& fit);

}  // namespace alembert::identify
