#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/identify/experiment.hpp"

namespace alembert::identify {

/// How much of the residuals of one output a filter of the inputs explains: what the model should
/// have explained and did not.
///
///   r(t) ≈ Σ_j Σ_l h_j(l) u_j(t - l),    share = bᵀ G⁻¹ b / Σ r²,
///   b_(j,l) = Σ u_j(t - l) r(t),         G_(j,l)(k,m) = Σ u_j(t - l) u_k(t - m)
///
/// Noise of the same spectrum S that has nothing to do with the inputs gives a share too, with
///
///   mean tr(G⁻¹ G_S) / Σ r²  and variance  2 tr((G⁻¹ G_S)²) / (Σ r²)²,
///
/// where G_S is G with the spectra of the inputs weighted by S. So colour raises no false alarm.
struct InputShare {
  double share = 0.0;      ///< of Σ r², 0..1
  double expected = 0.0;   ///< of noise with the spectrum of the residuals
  double deviation = 0.0;  ///< of the share of such noise
  double size = 0.0;       ///< rms of the part beyond what is expected, over the rms of the output

  /// What noise does not explain.
  [[nodiscard]] double excess() const { return share > expected ? share - expected : 0.0; }
  /// Whether it is beyond chance, five standard deviations.
  [[nodiscard]] bool beyond_chance() const { return excess() > 5.0 * deviation; }
};

/// One for each output; all zero without inputs or residuals. Missing samples count as zero.
/// Filters see `lags` samples of each input around the reading, some of them later than it, so that
/// a response that runs ahead of its force is found. Lags are spaced by an eighth of the residuals'
/// mean period. Costs O(m² N log N) and the cube of the number of lags, of which there are at most
/// 400 in all.
[[nodiscard]] std::vector<InputShare> input_shares(const Experiments& data,
                                                   const std::vector<Eigen::MatrixXd>& residuals,
                                                   int lags = 40);

}  // namespace alembert::identify
