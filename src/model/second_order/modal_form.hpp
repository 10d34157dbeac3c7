#pragma once

#include <Eigen/Core>
#include <string_view>

#include "alembert/model/second_order.hpp"

namespace alembert::model {

/// A system in the coordinates η of its undamped modes, q = Φ η:
///   η'' + Δ η' + diag(κ) η = Φᵀ L u
struct ModalForm {
  Eigen::MatrixXd shapes;     ///< Φ, n x n, Φᵀ M Φ = I, signs fixed
  Eigen::VectorXd stiffness;  ///< κ = ω², ascending; exactly 0 where it is below rounding
  Eigen::MatrixXd damping;    ///< Δ = Φᵀ D Φ
};

/// Computes the modal form of a system that passed check_matrices().
/// @throws InvalidInput in the name of `function` if M is not positive definite.
[[nodiscard]] ModalForm modal_form(std::string_view function, const SecondOrder& system);

/// First-order form x' = A x + B u in the coordinates x = (|ω| η of the modes with κ ≠ 0, all η').
///
///   A = |      0       |ω|  |   B = |  0   |
///       | -sign(κ)|ω|   -Δ  |       | ΦᵀL  |
///
/// A is skew-symmetric for D = 0, K >= 0. Positions of rigid-body modes (κ = 0) act on nothing
/// and are left out; each stands for one more pole at zero.
struct BalancedForm {
  Eigen::MatrixXd A;        ///< (e + n) x (e + n)
  Eigen::VectorXd omega;    ///< |ω| of the e modes with κ ≠ 0
  Eigen::VectorXi elastic;  ///< their indices among the n modes
};
[[nodiscard]] BalancedForm balanced_form(const ModalForm& modal);

/// The index of the largest entry, the first one among equals (within 1e-8), so that rounding does
/// not decide which of two equal entries scales a mode shape. @param magnitude |φ|, not empty.
[[nodiscard]] Eigen::Index leading_entry(const Eigen::Ref<const Eigen::VectorXd>& magnitude);

}  // namespace alembert::model
