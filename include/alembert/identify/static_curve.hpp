#pragma once

#include <Eigen/Core>

namespace alembert::identify {

/// A polynomial fitted to a static force-displacement curve, without some of its terms.
struct StaticFit {
  Eigen::VectorXd coefficients;  ///< line: (F0, k); cubic: (F0, k, k3)
  Eigen::MatrixXd covariance;    ///< s² (XᵀX)⁻¹
  Eigen::VectorXd deviations;
  double residual = 0.0;  ///< s, from n - p degrees of freedom
  double aicc = 0.0;      ///< n ln(SSE/n) + 2(p+1) n/(n - p - 2)
};

/// Static test: F = F0 + k x, and F = F0 + k x + k3 x³.
struct StaticCurve {
  Eigen::Index points = 0;
  StaticFit line, cubic;
  double f_value = 0.0;  ///< (SSE_line - SSE_cubic)/s²_cubic with 1 and n - 3 degrees of freedom
  double p_value = 1.0;  ///< of F if the curve were a line
  bool cubic_better = false;  ///< p < 0.01 and the lower AICc
};

/// @param displacement in m, at least 5 different values. @param force in N.
/// @throws InvalidInput if sizes differ, a value is not finite or there are too few.
[[nodiscard]] StaticCurve fit_static_curve(const Eigen::Ref<const Eigen::VectorXd>& displacement,
                                           const Eigen::Ref<const Eigen::VectorXd>& force);

}  // namespace alembert::identify
