#pragma once

#include <Eigen/Core>
#include <vector>

#include "identify/refine/fit.hpp"

/// The response to white noise on all forces as noise of a known shape: resonances that are sharper
/// than a spectrum of the residuals shows, and common to all outputs.
namespace alembert::identify {

/// Forces of size 1: `sizes` are the deviations of the noise on each.
/// @param blocks of sensitivity_blocks(), which must outlive the shape.
[[nodiscard]] optimize::NoiseShape force_shape(const Fit& fit, const model::SecondOrder& system,
                                               const std::vector<optimize::ColouredBlock>& blocks,
                                               const Eigen::VectorXd& weights,
                                               const Eigen::VectorXd& sizes);

/// The rms of each force over all experiments.
[[nodiscard]] Eigen::VectorXd force_sizes(const Experiments& data);

/// Noise on forces over the rms of the measured ones, from noise of the shape above with the
/// variance φ that residuals show, the rms of the measured forces as sizes. The fit lowers the
/// response from G to G f/(f + n), f and n the spectra of force and noise, and leaves |G|² f n/(f +
/// n). As the response of the lowered system that is φ (f + n) with φ = n/f, so that n/(f + n) is
///
///   φ/(1 + φ),   and the result its root
[[nodiscard]] double share_of_noise(double variance);

/// The largest deviation that white noise on each force can have: the measured force has no less
/// power than its noise in any sixteenth of its band.
[[nodiscard]] Eigen::VectorXd force_floors(const Experiments& data);

}  // namespace alembert::identify
