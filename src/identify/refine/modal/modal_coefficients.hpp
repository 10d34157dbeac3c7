#pragma once

#include <Eigen/Core>

#include "identify/refine/fit.hpp"
#include "identify/refine/modal/modal_basis.hpp"
#include "identify/refine/modal/modal_signals.hpp"

/// How the sensitivities of the outputs are made of the modal signals.
namespace alembert::identify {

/// With P = W ∂A V and divided differences, for output i and any unknown,
///
///   ∂y_i = Σ_t Re{ g_it ξ_t + c_it (P_tt η_t + Σ_c e_tc s_tc) } + Σ_c ε_ic u_c
///
/// where c_it is the output of eigenvector t, ξ_t = Σ_c β_tc s_tc, and
///
///   P_rs = -u_rᵀ X_s v_s,   X_s = λ_s² ∂M + h λ_s ∂D + h² ∂K
///   g_it = -(Σ_{r≠t} c_ir u_r/(λ_t - λ_r) + M⁻¹ Ca_i/h²)ᵀ X_t v_t
///   e_tc = u_tᵀ (Σ_{s≠t} X_s v_s β_sc/(λ_s - λ_t) - ∂M b_c),   b = h² M⁻¹ L
///   ε_ic = -(M⁻¹ Ca_i/h²)ᵀ ∂M b_c.
///
/// Only g and ε depend on the output in a way of their own; the other part is c_it times something
/// common, which makes the sum over outputs of all squares a product by entries. Close pairs are
/// left out of the sums and have the coefficient c_ir P_rs β_sc of their own signal.
class ModalCoefficients {
 public:
  ModalCoefficients(const Fit& fit, const Guess& guess);

  /// False if eigenvectors do not exist, are badly conditioned or close poles cross the real axis:
  /// then nothing else may be used.
  [[nodiscard]] bool usable() const noexcept { return usable_; }
  [[nodiscard]] const SignalLayout& layout() const noexcept { return layout_; }
  [[nodiscard]] const Eigen::VectorXcd& poles() const noexcept { return kept_poles_; }
  /// c, outputs x kept poles.
  [[nodiscard]] const Eigen::MatrixXcd& outputs() const noexcept { return c_; }
  /// Rows (Re g, -Im g, ε) of output i, own_rows() of them from i own_rows() on; columns θ.
  [[nodiscard]] const Eigen::MatrixXd& own() const noexcept { return own_; }
  [[nodiscard]] Eigen::Index own_rows() const noexcept {
    return 2 * layout_.modes + (layout_.direct_input ? layout_.inputs : 0);
  }
  /// β of an experiment, kept poles x channels.
  [[nodiscard]] Eigen::MatrixXcd beta(Eigen::Index experiment) const;
  /// Re and Im (stacked) of the common coefficients; columns θ and the start state.
  [[nodiscard]] Eigen::MatrixXd common(Eigen::Index experiment) const;

 private:
  void set_layout();
  void set_own();
  [[nodiscard]] Eigen::MatrixXcd all_beta(Eigen::Index experiment) const;
  [[nodiscard]] bool close(Eigen::Index r, Eigen::Index s) const;
  void add_plain(Eigen::Index mode, const Eigen::MatrixXcd& beta, Eigen::MatrixXcd& rows) const;
  void add_pairs(const Eigen::MatrixXcd& beta, Eigen::MatrixXcd& rows) const;

  const Fit& fit_;
  const Guess& guess_;
  ModalBasis basis_;
  ClosePairs close_;
  bool usable_ = false;
  SignalLayout layout_;
  Eigen::VectorXcd kept_poles_;
  Eigen::MatrixXcd all_outputs_;  // outputs x 2n
  Eigen::MatrixXcd c_;
  Eigen::MatrixXd forces_;   // b
  Eigen::MatrixXd sensing_;  // M⁻¹ Caᵀ/h², n x outputs
  Eigen::MatrixXd own_;
};

}  // namespace alembert::identify
