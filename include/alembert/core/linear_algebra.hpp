#pragma once

#include <Eigen/Core>

namespace alembert {

/// Definiteness of a symmetric matrix, judged on its eigenvalues λ with the margin
/// n·eps·max|λ| that their computation leaves uncertain.
struct Definiteness {
  double smallest = 0.0;  ///< smallest eigenvalue
  double largest = 0.0;   ///< largest eigenvalue
  bool positive_definite = false;
  bool positive_semidefinite = false;

  /// largest / smallest; infinite unless positive definite.
  [[nodiscard]] double condition() const;
};

/// Computes the definiteness of a symmetric matrix (only the lower triangle is read).
/// @throws InvalidInput if the matrix is empty, not square or not finite.
[[nodiscard]] Definiteness definiteness(const Eigen::Ref<const Eigen::MatrixXd>& symmetric);

/// Returns (A + Aᵀ)/2.
[[nodiscard]] Eigen::MatrixXd symmetrised(const Eigen::Ref<const Eigen::MatrixXd>& matrix);

}  // namespace alembert
