#pragma once

#include <Eigen/Core>
#include <vector>

namespace alembert::optimize {

/// Autoregressive noise: e_t + a_1 e_{t-1} + .. + a_m e_{t-m} = white noise of this variance.
struct AutoregressiveNoise {
  Eigen::VectorXd coefficients;  ///< 1, a_1, .. a_m
  double variance = 0.0;

  [[nodiscard]] Eigen::Index order() const { return coefficients.size() - 1; }
  /// S(ω) = variance/|Σ_l a_l exp(-iωl)|² at frequencies in rad per sample.
  [[nodiscard]] Eigen::VectorXd spectrum(const Eigen::VectorXd& frequency) const;
};

/// Burg's method on several records with common coefficients: each reflection coefficient minimises
/// the sum of squares of the forward and backward prediction errors of all records. The order is
/// that of the least BIC, N ln(variance) + m ln N.
/// @param samples N, those that are not missing.
[[nodiscard]] AutoregressiveNoise burg(const std::vector<Eigen::VectorXd>& records, double samples,
                                       Eigen::Index max_order);

}  // namespace alembert::optimize
