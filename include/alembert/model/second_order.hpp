#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/core/linear_algebra.hpp"

namespace alembert::model {

/// A linear mechanical system M q'' + D q' + K q = L u.
struct SecondOrder {
  Eigen::MatrixXd M;  ///< n x n mass, symmetric positive definite
  Eigen::MatrixXd D;  ///< n x n damping, symmetric
  Eigen::MatrixXd K;  ///< n x n stiffness, symmetric
  Eigen::MatrixXd L;  ///< n x m force distribution

  [[nodiscard]] Eigen::Index degrees_of_freedom() const noexcept { return M.rows(); }
  [[nodiscard]] Eigen::Index inputs() const noexcept { return L.cols(); }
};

/// Definiteness of the three matrices.
struct SecondOrderCheck {
  Definiteness mass, damping, stiffness;

  /// Energy cannot grow: M > 0, D >= 0, K >= 0.
  [[nodiscard]] bool passive() const;
};

/// Checks sizes, finiteness and symmetry, and returns the definiteness of M, D, K.
/// @throws InvalidInput for unequal sizes, NaN, asymmetry above 1e-9 relative, M not positive
///   definite, or L with dependent columns.
SecondOrderCheck check_second_order(const SecondOrder& system);

/// What a sensor of the model sees: y = Cq q + Cv q' + Ca q''.
/// Any row may mix the three; sizes are outputs x n each.
struct OutputMap {
  Eigen::MatrixXd displacement;  ///< Cq
  Eigen::MatrixXd velocity;      ///< Cv
  Eigen::MatrixXd acceleration;  ///< Ca

  [[nodiscard]] Eigen::Index outputs() const noexcept { return displacement.rows(); }
};

/// The kind of motion a sensor measures.
enum class Motion { Displacement, Velocity, Acceleration };

/// One output per entry: motion kind of the coordinate with this index.
struct OutputChoice {
  Motion motion = Motion::Displacement;
  Eigen::Index coordinate = 0;
};
[[nodiscard]] OutputMap output_map(Eigen::Index degrees_of_freedom,
                                   const std::vector<OutputChoice>& choices);

/// First-order form x' = A x + B u, y = C x + E u with x = (q, q').
struct StateSpace {
  Eigen::MatrixXd A, B, C, E;
};
[[nodiscard]] StateSpace state_space(const SecondOrder& system, const OutputMap& outputs);

/// Damping from modal ratios: D = M Φ diag(2 ζ ω) Φᵀ M with mass-normalised Φ.
[[nodiscard]] Eigen::MatrixXd modal_damping(const Eigen::Ref<const Eigen::MatrixXd>& M,
                                            const Eigen::Ref<const Eigen::MatrixXd>& K,
                                            const Eigen::Ref<const Eigen::VectorXd>& ratios);

}  // namespace alembert::model
