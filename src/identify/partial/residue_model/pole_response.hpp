#pragma once

#include <Eigen/Core>
#include <complex>

namespace alembert::identify {

/// The spline through input samples as it drives a mode: (u, h u', h² u'', h³ u''') at each sample.
struct PoleDrive {
  Eigen::MatrixXd w;        ///< N x 4m, the last row unused
  Eigen::Index inputs = 0;  ///< m
  double step = 0.0;        ///< h in s
};
[[nodiscard]] PoleDrive pole_drive(const Eigen::Ref<const Eigen::MatrixXd>& input, double step);

/// Response of x' = λ x + u from x(0) = 0 to each input, and the free motion e^{λt}:
///
///   x(k+1) = e^z x(k) + h Σ_j φ_{j+1}(z) w_j(k),   z = λ h,   φ_k(z) = Σ_p z^p/(p + k)!
struct PoleResponse {
  Eigen::MatrixXcd x;   ///< N x m
  Eigen::MatrixXcd dx;  ///< ∂x/∂λ, N x m; empty unless asked for
  Eigen::VectorXcd e;   ///< e^{λt}, N
  Eigen::VectorXcd te;  ///< t e^{λt}, N
};
[[nodiscard]] PoleResponse pole_response(const PoleDrive& drive, std::complex<double> pole,
                                         bool with_derivative);

}  // namespace alembert::identify
