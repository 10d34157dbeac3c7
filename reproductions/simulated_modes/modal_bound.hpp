#pragma once

#include <vector>

#include "reproductions/simulated_modes/modal_test.hpp"

namespace alembert::reproductions::simulated_modes {

/// Whether the Cramér-Rao bound of each mode of the band keeps 0.3 % of its frequency and 20 % of
/// its damping, all modes, shapes and participations unknown together, forces known.
///
/// With y = Re Σ c_or x_r + white noise of variance σ², and conjugates left out as small, the
/// Fisher matrix of poles and participations after elimination of the c_or is
///   Re 1/(2σ²) Σ_o conj(c_or) c_os v_rᴴ (I - X (XᴴX)⁻¹ Xᴴ) v_s,
/// v the derivatives of the states x.
/// @param states of each experiment and input, one column per mode.
[[nodiscard]] std::vector<bool> clear_modes(
    const KnownStructure& structure, const std::vector<std::vector<Eigen::MatrixXcd>>& states,
    double step, double sigma);

}  // namespace alembert::reproductions::simulated_modes
