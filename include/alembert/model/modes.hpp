#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "alembert/model/second_order.hpp"

namespace alembert::model {

/// Modes of M q'' + K q = 0: K φ = ω² M φ, φᵀ M φ = 1, ascending ω; the largest entry of each
/// φ is positive.
struct UndampedModes {
  Eigen::VectorXd frequency;  ///< ω in rad/s; 0 for rigid-body modes
  Eigen::MatrixXd shapes;     ///< columns φ
};
[[nodiscard]] UndampedModes undamped_modes(const SecondOrder& system);

/// A mode of the damped system: (λ² M + λ D + K) ψ = 0.
struct DampedMode {
  std::complex<double> pole;  ///< λ in 1/s; Im λ >= 0
  double frequency_hz = 0.0;  ///< |λ| / 2π
  double damping_ratio = 0.0;  ///< -Re λ / |λ|; 1 for real poles
  Eigen::VectorXcd shape;     ///< ψ, scaled so that its largest entry is 1
};
/// All modes, ascending |λ|: a conjugate pair is listed once, each real pole is listed alone.
[[nodiscard]] std::vector<DampedMode> damped_modes(const SecondOrder& system);

/// Frequency response H(iω), outputs x inputs, for each frequency:
///   H = (Cq + iω Cv - ω² Ca)(K - ω² M + iω D)⁻¹ L
[[nodiscard]] std::vector<Eigen::MatrixXcd> frequency_response(
    const SecondOrder& system, const OutputMap& outputs,
    const Eigen::Ref<const Eigen::VectorXd>& frequency_hz);

/// Modal assurance criterion |aᴴb|² / ((aᴴa)(bᴴb)).
[[nodiscard]] double mac(const Eigen::Ref<const Eigen::VectorXcd>& a,
                         const Eigen::Ref<const Eigen::VectorXcd>& b);

}  // namespace alembert::model
