#pragma once

#include "alembert/identify/acceleration.hpp"

namespace alembert::identify {

/// Displacement and velocity of the whole record from the fits of its windows, each in its middle,
/// and the classical tests of that displacement.
void join_windows(RecordFit& fit);

}  // namespace alembert::identify
