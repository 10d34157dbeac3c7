#pragma once

#include "alembert/identify/experiment.hpp"
#include "alembert/integrate/one_step_map.hpp"
#include "alembert/model/second_order.hpp"

namespace alembert::identify {

/// Records in the band of the modes: responses and forces through one and the same low-pass
/// filter, so that the filtered responses are still those of the system to the filtered forces,
/// from other start states.
///
/// Finite impulse response of 6 r + 1 taps, Hamming-windowed sinc, cut off at 0.45 π/(r h); only
/// samples that see no end of the record are kept. Held forces are averaged with their
/// predecessor first (half a sample of delay). For velocities and accelerations the forces are
/// differentiated once or twice, so that these obey the equation of displacements. Missing
/// outputs are interpolated.
/// @param decimation r. @throws InvalidInput if an experiment is shorter than the filter.
[[nodiscard]] Experiments band_filtered(const Experiments& data, Eigen::Index decimation,
                                        model::Motion motion, signal::BetweenSamples hold);

/// Every r-th sample.
[[nodiscard]] Experiments every_nth(const Experiments& data, Eigen::Index decimation);

}  // namespace alembert::identify
