#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "alembert/core/status.hpp"

/// Variable projection over complex unknowns, for models that are linear in the shapes:
///
///   y_o = Σ_r (s1_r a_ro + s2_r b_ro) + X_rest c_o,      φ_ro = a_ro + i b_ro
///
/// where a complex unknown p of mode r moves the pair (s1, s2) to first order by
/// (S1, S2) dp: a real step adds S1 a + S2 b, an imaginary one S2 a - S1 b. FRFs, free decays and
/// responses to measured forces all have this form.
namespace alembert::identify::modes {

/// What is fitted. The matrix of signals has the columns [X S Y]: X the 2 R pairs of modes and the
/// rest of the regressor, S two columns for each unknown, Y the measured outputs, all weighted.
struct PairedModel {
  std::vector<Eigen::Index> mode_of_unknown;  ///< for each complex unknown
  Eigen::Index modes = 0;                     ///< R
  Eigen::Index regressors = 0;                ///< columns of X
  Eigen::Index outputs = 0;                   ///< columns of Y
  std::function<Eigen::MatrixXd(const Eigen::VectorXcd& unknowns)> signals;
  std::function<bool(const Eigen::VectorXcd& unknowns)> allowed;
};

/// The model at one set of unknowns.
struct Projected {
  double cost = 0.0;
  Eigen::MatrixXd coefficients;  ///< of X, regressors x outputs
  Eigen::MatrixXd factor;        ///< R of X = Q R
  Eigen::MatrixXd carried;       ///< X⁺ S
  Eigen::MatrixXd normal;        ///< JᵀJ: unknown i has the rows 2i (real) and 2i+1 (imaginary)
  Eigen::VectorXd gradient;      ///< Jᵀ e
};
[[nodiscard]] Projected project(const PairedModel& model, const Eigen::VectorXcd& unknowns);

struct PairedFit : Outcome {
  Eigen::VectorXcd unknowns;
  Projected at;
  int iterations = 0;
};

/// Levenberg-Marquardt: damping 1e-3 of the diagonal, over 8 after a success, times 6 after a
/// failure. Ends early at a cost below `enough`.
[[nodiscard]] PairedFit fit_paired(const PairedModel& model, Eigen::VectorXcd start, int iterations,
                                   double tolerance, double enough = 0.0);

/// (JᵀJ)⁻¹, zeros if there are no unknowns; NaN where it is singular.
[[nodiscard]] Eigen::MatrixXd inverse_normal(const Projected& at);

/// For each mode the fall of the cost that its pair of columns brings, the others held:
/// Σ_o c_oᵀ [(XᵀX)⁻¹]₂ₓ₂⁻¹ c_o.
[[nodiscard]] Eigen::VectorXd drop_of_modes(const PairedModel& model, const Projected& at);

/// Variances of a and b of each mode and output, times s²: those of least squares and what the
/// unknowns carry over; outputs x 2 R.
[[nodiscard]] Eigen::MatrixXd coefficient_variances(const PairedModel& model, const Projected& at,
                                                    const Eigen::MatrixXd& covariance);

/// Covariance of the unknowns from the scores of single rows, for residuals whose size differs from
/// row to row:
///   (JᵀJ)⁻¹ (Σ_k g_k g_kᵀ) (JᵀJ)⁻¹,  g_k = J_kᵀ e_k.
/// @param joint [X S Y] at the unknowns of `at`.
[[nodiscard]] Eigen::MatrixXd score_covariance(const PairedModel& model, const Projected& at,
                                               const Eigen::MatrixXd& joint);

/// The same for modes that stand on a few lines, as under a hammer: g_k over 1 - h_k, h_k the
/// leverage of the row, since such a mode fits the noise of its lines too; and each unknown widened
/// by Student's t over the normal quantile of 97.5 %, with the degrees of freedom that its scores
/// have, since a sum of few squares is itself uncertain.
[[nodiscard]] Eigen::MatrixXd few_line_score_covariance(const PairedModel& model,
                                                        const Projected& at,
                                                        const Eigen::MatrixXd& joint);

}  // namespace alembert::identify::modes
