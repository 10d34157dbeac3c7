#pragma once

#include <Eigen/Core>
#include <vector>

namespace alembert::optimize {

/// Covariance of a sum of correlated vectors, for the robust covariance of an estimate whose
/// residuals are coloured [NeweyWest1987].
///
/// Takes the scores s_t = J_tᵀ r_t (row of the Jacobian times residual) in the order of time and
/// keeps the sums Γ_l = Σ_t s_t s_{t-l}ᵀ up to a largest lag, not the scores. Then
///
///   S = Γ_0 + Σ_{l=1..L} (1 - l/(L+1)) (Γ_l + Γ_lᵀ)
class ScoreCovariance {
 public:
  /// @throws InvalidInput unless parameters >= 1 and max_lag >= 0.
  ScoreCovariance(Eigen::Index parameters, Eigen::Index max_lag);

  /// The next sample. Several outputs at one time are one sample: the sum of their scores.
  void add(const Eigen::VectorXd& score);
  /// A gap or a new experiment: samples before it are not paired with those after it.
  void interrupt();

  [[nodiscard]] Eigen::Index samples() const { return samples_; }
  /// The lag from the data [NeweyWest1994], for the score component with the parameters' equal
  /// weights, at most max_lag:
  ///
  ///   L = 1.1447 ((s1/s0)² N)^(1/3)
  ///   s0 = σ_0 + 2 Σ_{l=1..n} σ_l,  s1 = 2 Σ_{l=1..n} l σ_l,  n = 4 (N/100)^(2/9)
  ///
  /// Differs from the paper: the sums go on beyond n up to the first lag with |σ_l/σ_0| < 2/√N,
  /// because residuals of oversampled records are correlated over far more samples than the paper's
  /// n.
  [[nodiscard]] Eigen::Index automatic_lag() const;
  /// S with this lag. @throws InvalidInput unless 0 <= lag <= max_lag.
  [[nodiscard]] Eigen::MatrixXd covariance(Eigen::Index lag) const;

 private:
  std::vector<Eigen::MatrixXd> sums_;      // Γ_l
  std::vector<Eigen::VectorXd> previous_;  // ring of the last scores
  Eigen::Index samples_ = 0;
  Eigen::Index in_row_ = 0;  // samples since the last interruption
};

/// A largest lag that leaves automatic_lag() room: 4 N^(1/3), one at least.
[[nodiscard]] Eigen::Index largest_useful_lag(Eigen::Index samples);

}  // namespace alembert::optimize
