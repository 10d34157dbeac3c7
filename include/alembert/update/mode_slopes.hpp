#pragma once

#include <Eigen/Core>
#include <vector>

/// How modes change with parameters.
namespace alembert::update {

/// Slopes of modes K φ = λ M φ, φᵀMφ = 1. Of a repeated eigenvalue the shapes that change
/// smoothly with one parameter differ from those with another: `bases` has them.
struct ModeSlopes {
  Eigen::MatrixXd eigenvalue;           ///< ∂λ/∂p, modes x parameters
  std::vector<Eigen::MatrixXd> shapes;  ///< ∂φ/∂p for each parameter, n x modes
  std::vector<Eigen::MatrixXd> bases;   ///< the φ that these belong to, for each parameter
};

/// Exact slopes of M and K that are linear in the parameters (docs/theory/updating.md).
///
///   λ' = φᵀ(K' - λM')φ,  (K - λM) φ' = -(K' - λM' - λ'M)φ,  2 φᵀMφ' = -φᵀM'φ
///
/// A single mode as [Nelson1976] with the singular system bordered by Mφ. Repeated ones: λ' are the
/// eigenvalues of Φᵀ(K' - λM')Φ; the part of φ' inside their space follows from the equation
/// differentiated twice.
/// @param modes all of each repeated eigenvalue, rising. @param repeated relative distance of
///   eigenvalues that count as one.
/// @throws InvalidInput if sizes disagree.
[[nodiscard]] ModeSlopes mode_slopes(const Eigen::Ref<const Eigen::MatrixXd>& K,
                                     const Eigen::Ref<const Eigen::MatrixXd>& M,
                                     const Eigen::Ref<const Eigen::VectorXd>& eigenvalues,
                                     const Eigen::Ref<const Eigen::MatrixXd>& modes,
                                     const std::vector<Eigen::MatrixXd>& dK,
                                     const std::vector<Eigen::MatrixXd>& dM,
                                     double repeated = 1e-8);

}  // namespace alembert::update
