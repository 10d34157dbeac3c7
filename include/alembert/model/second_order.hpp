#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/core/enum_names.hpp"
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

/// Definiteness of a symmetric matrix X, free of units.
///
/// The eigenvalues are those of the matrix as given. The two flags are judged on S X S with
/// S = diag(|x_ii|^-1/2), which has the same inertia: a model that mixes metres and radians, or
/// tonnes and grams, is not called indefinite because of its units.
/// @throws InvalidInput as definiteness().
[[nodiscard]] Definiteness scaled_definiteness(const Eigen::Ref<const Eigen::MatrixXd>& symmetric);

/// Definiteness of the three matrices, as scaled_definiteness().
struct SecondOrderCheck {
  Definiteness mass, damping, stiffness;

  /// Energy cannot grow: M > 0, D >= 0, K >= 0.
  [[nodiscard]] bool passive() const;
};

/// Checks sizes, finiteness and symmetry, and returns the definiteness of M, D, K.
/// @throws InvalidInput for unequal sizes, NaN, asymmetry above 1e-9 relative, M not positive
///   definite, or L with dependent columns.
SecondOrderCheck check_second_order(const SecondOrder& system);

/// The part of check_second_order() that every function of a system needs: n >= 1, sizes agree,
/// all entries finite, M, D, K symmetric. The message begins with `function`.
/// @throws InvalidInput naming the matrix and the rule it breaks.
void check_matrices(std::string_view function, const SecondOrder& system);

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
constexpr auto enum_names(Motion) {
  return std::to_array<EnumName<Motion>>({{Motion::Displacement, "displacement"},
                                          {Motion::Velocity, "velocity"},
                                          {Motion::Acceleration, "acceleration"}});
}

/// One output per entry: motion kind of the coordinate with this index.
struct OutputChoice {
  Motion motion = Motion::Displacement;
  Eigen::Index coordinate = 0;  ///< 0-based
};
/// @throws InvalidInput naming the choice whose coordinate is not in 0..n-1.
[[nodiscard]] OutputMap output_map(Eigen::Index degrees_of_freedom,
                                   const std::vector<OutputChoice>& choices);

/// Checks that the three matrices of an output map have one size, outputs x n, and are finite.
/// @throws InvalidInput with a message that begins with `function`.
void check_outputs(std::string_view function, const OutputMap& outputs,
                   Eigen::Index degrees_of_freedom);

/// First-order form x' = A x + B u, y = C x + E u with x = (q, q').
///
///   A = |    0       I   |   B = |   0   |   C = ( Cq - Ca M⁻¹K   Cv - Ca M⁻¹D )   E = Ca M⁻¹L
///       | -M⁻¹K   -M⁻¹D  |       | M⁻¹L  |
struct StateSpace {
  Eigen::MatrixXd A, B, C, E;
};
/// @throws InvalidInput as check_matrices() and check_outputs(), or if M is not positive definite.
[[nodiscard]] StateSpace state_space(const SecondOrder& system, const OutputMap& outputs);

/// The same without outputs: C and E have no rows.
[[nodiscard]] StateSpace state_space(const SecondOrder& system);

/// Damping from modal ratios: D = M Φ diag(2 ζ ω) Φᵀ M with mass-normalised Φ.
/// @param ratios ζ >= 0, one per undamped mode in ascending order; without effect on rigid-body
///   modes, whose ω is 0.
/// @throws InvalidInput for wrong sizes, a negative ratio, M not positive definite, or K with a
///   negative eigenvalue.
[[nodiscard]] Eigen::MatrixXd modal_damping(const Eigen::Ref<const Eigen::MatrixXd>& M,
                                            const Eigen::Ref<const Eigen::MatrixXd>& K,
                                            const Eigen::Ref<const Eigen::VectorXd>& ratios);

}  // namespace alembert::model
