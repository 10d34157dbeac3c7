#pragma once

#include <vector>

#include "identify/acceleration/window_regression.hpp"

namespace alembert::identify {

/// What white noise e of the acceleration does to the mean of estimates from several stretches, to
/// first order.
///
/// The estimate of a stretch moves by G r with the rows G of (CᵀC)⁻¹Cᵀ. The residuals hold the
/// noise and its integrals, r = e - f_x ∬e - f_v ∫e; start values of the integrals do not matter,
/// for the columns of x0 and v0 take them up. Summed over stretches and turned round in time this
/// is Σ c_k e_k, and the variance is σ² Σ c_k².
class NoiseInfluence {
 public:
  explicit NoiseInfluence(const WindowRegression& regression);

  /// One more stretch at its estimate. False if its columns depend on each other.
  bool add(WindowRegression& regression, const Stretch& stretch, const WindowState& state);

  /// Standard deviations of the mean: one for each free parameter, then the offset if it is
  /// unknown. @param noise σ of a sample of the record.
  [[nodiscard]] std::vector<double> deviations(double noise) const;

 private:
  struct Weights {
    std::vector<double> direct, by_v, by_x;  // one number per row of the signals
  };

  /// The weights c of the samples of the record.
  [[nodiscard]] Eigen::VectorXd influence(const Weights& weights) const;

  const IntegratedSignals& signals_;
  std::size_t results_;               // free parameters and the offset
  std::vector<std::size_t> columns_;  // of the results
  std::vector<Weights> weights_;
  std::size_t stretches_ = 0;
};

}  // namespace alembert::identify
