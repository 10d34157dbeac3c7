#pragma once

#include <Eigen/Core>

#include "alembert/identify/modes/modal_model.hpp"

namespace alembert::identify::modes {

/// Deviations of the lines of FRFs that come without any:
///
///   σ²(k) = a²(k) + b² h²(k),   h² = mean over entries of |H_oj/σ_o|²/2.
///
/// a is noise that a sensor adds. b stands for what grows with the response itself: leakage, a
/// frequency that moves with the amplitude, drift between averages. Without b, a light mode far
/// above the noise is fitted with several terms.
struct LineNoise {
  Eigen::VectorXd deviation;  ///< σ
  double relative = 0.0;      ///< b
};

/// Before any fit: a from second differences of neighbouring lines, b = 0.05.
[[nodiscard]] LineNoise first_line_noise(const FrfData& data);

/// From the residual of a fit: a from the running mean of log |residual|² over 81 lines, b of
/// largest likelihood.
[[nodiscard]] LineNoise line_noise(const FrfData& data, const ModalFit& fit);

}  // namespace alembert::identify::modes
