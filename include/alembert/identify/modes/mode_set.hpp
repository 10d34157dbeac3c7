#pragma once

#include <Eigen/Core>
#include <complex>
#include <string>
#include <vector>

/// Modes found in data, and figures that compare shapes. The criterion MAC itself is model::mac().
namespace alembert::identify {

/// One mode as the data show it.
struct Mode {
  std::complex<double> pole;   ///< λ in 1/s, Im λ > 0
  double frequency_hz = 0.0;   ///< |λ|/2π
  double damping_ratio = 0.0;  ///< -Re λ/|λ|
  double frequency_deviation = 0.0;
  double damping_deviation = 0.0;
  Eigen::VectorXcd shape;           ///< one entry per output, the largest one is 1
  Eigen::VectorXd shape_deviation;  ///< of Re and Im of each entry; empty: not known
  Eigen::VectorXcd participation;   ///< one entry per input, the largest one is 1; empty: no input
  std::complex<double> residue;     ///< φ_o l_j where shape and participation are 1; 0: not known
  double collinearity = 0.0;        ///< see modal_phase_collinearity()
  double phase_spread = 0.0;        ///< see mean_phase_deviation(), rad
  bool damping_known = true;        ///< false: the data do not tell it, `remark` says why
  std::string remark = {};
};

/// What is known of one output after a fit of the records.
struct OutputFit {
  double fit_percent = 0.0;  ///< 100 (1 - |residual|/|y - mean|)
  double residual = 0.0;     ///< rms
};

/// A pole of one order of a stabilisation diagram.
struct StabilityPoint {
  int order = 0;
  double frequency_hz = 0.0;
  double damping_ratio = 0.0;
  bool stable = false;  ///< part of a track over several orders
};

/// Modal phase collinearity, 1 for a shape whose entries lie on a line through 0, down to 0:
///   MPC = ((Sxx - Syy)² + 4 Sxy²)/(Sxx + Syy)²,  Sxx = Re φᵀ Re φ, Sxy = Re φᵀ Im φ.
[[nodiscard]] double modal_phase_collinearity(const Eigen::VectorXcd& shape);

/// Mean phase deviation in rad from the line that fits the entries best, weighted by |φ_o|:
///   MPD = Σ |φ_o| acos(|Re φ_o cos t + Im φ_o sin t|/|φ_o|)/Σ |φ_o|,
/// where (cos t, sin t) is the first right singular vector of [Re φ, Im φ].
[[nodiscard]] double mean_phase_deviation(const Eigen::VectorXcd& shape);

/// MAC for complex shapes that are known up to conjugation:
///   (|aᴴb| + |aᵀb|)²/((aᴴa + |aᵀa|)(bᴴb + |bᵀb|)).
/// @throws InvalidInput if sizes differ.
[[nodiscard]] double extended_mac(const Eigen::VectorXcd& a, const Eigen::VectorXcd& b);

/// MAC of every mode of one set with every one of another. @throws InvalidInput if sizes differ.
[[nodiscard]] Eigen::MatrixXd mac_matrix(const std::vector<Mode>& rows,
                                         const std::vector<Mode>& columns);

/// Scales the shape so that its largest entry is 1, with its deviations, and fills the two figures
/// of phase.
void normalise_shape(Mode& mode);

}  // namespace alembert::identify
