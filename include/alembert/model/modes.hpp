#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "alembert/model/second_order.hpp"

namespace alembert::model {

/// Modes of M q'' + K q = 0: K φ = ω² M φ, φᵀ M φ = 1, ascending ω²; the largest entry of each
/// φ is positive.
///
/// An ω² within 4 n eps of the largest one cannot be told from zero in double precision; it is
/// returned as exactly 0 (a rigid-body mode).
struct UndampedModes {
  Eigen::VectorXd angular_frequency;  ///< ω in rad/s; 0 for rigid-body modes; NaN where ω² < 0
  Eigen::VectorXd eigenvalue;         ///< ω² in rad²/s²; negative only if K is not semidefinite
  Eigen::MatrixXd shapes;             ///< columns φ
};
/// @throws InvalidInput as check_matrices(), or if M is not positive definite.
[[nodiscard]] UndampedModes undamped_modes(const SecondOrder& system);

/// A mode of the damped system: (λ² M + λ D + K) ψ = 0.
struct DampedMode {
  std::complex<double> pole;   ///< λ in 1/s; Im λ >= 0
  double frequency_hz = 0.0;   ///< |λ| / 2π
  double damping_ratio = 0.0;  ///< -Re λ / |λ|; 1 for negative real poles, +0 for Re λ = 0
  Eigen::VectorXcd shape;      ///< ψ, scaled so that its largest entry is 1
};
/// All modes, ascending |λ|: a conjugate pair is listed once, each real pole is listed alone.
///
/// Poles are the eigenvalues of the first-order form in the coordinates (|Ω| η, η') of the
/// undamped modes, in which an undamped system is exactly skew-symmetric and no entry exceeds the
/// size of a pole. The zero poles of rigid-body modes are split off before, because together with
/// η' they would form a defective block whose eigenvalues carry only half of the digits. Each pole
/// is then polished once on the quadratic ψᵀ(λ² M + λ D + K) ψ = 0 (docs/theory/modes.md). A real
/// part within 8 n eps of |λ| cannot be told from zero and is returned as exactly +0.
/// @throws InvalidInput as check_matrices(), or if M is not positive definite.
[[nodiscard]] std::vector<DampedMode> damped_modes(const SecondOrder& system);

/// Frequency response H(iω), outputs x inputs, for each frequency:
///   H = (Cq + iω Cv - ω² Ca)(K - ω² M + iω D)⁻¹ L
///
/// Entries are NaN at a frequency where K - ω² M + iω D is singular to working precision: 0 Hz of
/// a free structure, or exactly on a resonance without damping.
///
/// Cost per frequency: O(n m) if the undamped modes diagonalise D; O(n² m) from a sum over poles
/// for more than 256 frequencies, if the eigenvectors of the damped system are well conditioned;
/// else O(n³) from a factorisation.
/// @throws InvalidInput as check_matrices() and check_outputs(), if M is not positive definite, or
///   if a frequency is not finite.
[[nodiscard]] std::vector<Eigen::MatrixXcd> frequency_response(
    const SecondOrder& system, const OutputMap& outputs,
    const Eigen::Ref<const Eigen::VectorXd>& frequency_hz);

/// Modal assurance criterion |aᴴb|² / ((aᴴa)(bᴴb)), in [0, 1]; 0 if a vector is zero.
/// @throws InvalidInput if the sizes differ or are 0.
[[nodiscard]] double mac(const Eigen::Ref<const Eigen::VectorXcd>& a,
                         const Eigen::Ref<const Eigen::VectorXcd>& b);

}  // namespace alembert::model
