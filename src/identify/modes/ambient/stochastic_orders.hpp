#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "identify/modes/ambient/block_covariances.hpp"

namespace alembert::identify::modes {

/// A pole of one order with its deviations.
struct AmbientPole {
  std::complex<double> pole;  ///< λ, Im λ > 0
  double frequency_hz = 0.0, damping_ratio = 0.0;
  double frequency_deviation = 0.0, damping_deviation = 0.0;
  Eigen::VectorXcd shape;
};

struct AmbientOrder {
  int order = 0;
  std::vector<AmbientPole> poles;
};

/// The decomposition H = U S Vᵀ and what all orders share: QR of U without its last block row,
/// whose columns are nested, so that A_n = R[:n,:n]⁻¹ (Qᵀ U[l:])[:n,:n].
class StochasticOrders {
 public:
  StochasticOrders(const BlockCovariances& covariances, Eigen::Index q, Eigen::Index largest);

  /// The poles with 0 < ζ < largest_damping, with deviations.
  [[nodiscard]] AmbientOrder poles(int order, double step, double largest_damping) const;
  [[nodiscard]] const Eigen::VectorXd& singular_values() const { return values_; }
  /// The highest order that the matrix carries.
  [[nodiscard]] Eigen::Index largest() const { return largest_; }

 private:
  void set_deviations(const Eigen::VectorXcd& left, const Eigen::VectorXcd& right,
                      std::complex<double> z, double step, Eigen::Index n, AmbientPole& pole) const;

  const BlockCovariances& covariances_;
  Eigen::Index q_, largest_;
  Eigen::VectorXd values_;
  Eigen::MatrixXd U_, scaled_V_;  // V S⁻¹
  Eigen::MatrixXd Q_, R_, shifted_;
};

}  // namespace alembert::identify::modes
