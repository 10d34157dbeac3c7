#pragma once

#include <Eigen/Core>
#include <complex>
#include <optional>
#include <vector>

#include "alembert/identify/modes/mode_set.hpp"
#include "identify/state_space/response_model.hpp"

/// Poles of all orders from one projection of future outputs on inputs and few instruments.
namespace alembert::identify::state_space {

/// The observability matrix of the largest order: models of all orders are nested in it.
struct StartPoles {
  Eigen::VectorXd singular_values;
  Eigen::MatrixXd triangle;  ///< R of the observability matrix less its last block row, = Q R
  Eigen::MatrixXd shifted;   ///< Qᵀ times the one less its first block row
  Eigen::Index horizon = 0;

  [[nodiscard]] Eigen::Index largest_order() const { return triangle.cols(); }
  /// Eigenvalues of the n x n model, A_n = R_n⁻¹ (Qᵀ Γ)_n; one of each pair, Im >= 0.
  [[nodiscard]] std::vector<std::complex<double>> poles(Eigen::Index order) const;
};

/// MOESP with instruments: past inputs and the first six principal components of the past outputs;
/// future inputs projected out. @param horizon block rows of past and of future.
/// @pre at least one Hankel column more than instruments.
[[nodiscard]] StartPoles start_poles(const Samples& samples, Eigen::Index horizon,
                                     Eigen::Index largest_order);

/// The oscillating poles of orders 2, 4, ..., see state_space_diagram().
[[nodiscard]] std::vector<StabilityPoint> start_diagram(const StartPoles& start, double step);

/// Hankel columns and rows of instruments at a horizon: whether start_poles() can be asked.
[[nodiscard]] Eigen::Index start_columns(const Samples& samples, Eigen::Index horizon);
[[nodiscard]] Eigen::Index instrument_rows(const Samples& samples, Eigen::Index horizon);

/// What may be a pole of the model.
struct PoleRules {
  double step = 0.0;
  double largest_radius = 1.0;
  bool reflect = true;  ///< unstable ones at the unit circle
  std::optional<double> from_hz = {}, to_hz = {};
};
struct KeptPoles {
  std::vector<std::complex<double>> poles;
  Eigen::Index reflected = 0, dropped = 0;  ///< dropped: states
};
[[nodiscard]] KeptPoles kept_poles(const std::vector<std::complex<double>>& all,
                                   const PoleRules& rules);

/// λ = log(z)/step.
[[nodiscard]] double frequency_of(std::complex<double> z, double step);
[[nodiscard]] double damping_of(std::complex<double> z);

}  // namespace alembert::identify::state_space
