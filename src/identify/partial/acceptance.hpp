#pragma once

#include <Eigen/Core>
#include <vector>

namespace alembert::identify {

/// Is there anything of the system left in the residuals? Their power inside the band of the modes
/// against that above it, where only noise is:
///
///   ρ = [ Σ_i Σ_{0<ω<=ω_h} E_i(ω) / mean_{ω>1.5 ω_h} E_i ] · 2/(ν - p),   ν = 2 · (lines in band)
///
/// with the periodograms E_i of the residuals of output i. White noise and a right model give
/// ρ ≈ 1; the limit is 1 + 3 √(2/(ν - p) + 2/ν_out).
struct BandTest {
  double ratio = 0.0;
  double limit = 0.0;
  bool possible = false;  ///< there are enough lines above the band
};
/// @param residuals N x l per experiment, NaN counts as zero. @param highest ω_h in rad/s.
/// @param unknowns p; ν - p is at least 0.15 ν.
[[nodiscard]] BandTest band_test(const std::vector<Eigen::MatrixXd>& residuals, double step,
                                 double highest, Eigen::Index unknowns);

}  // namespace alembert::identify
