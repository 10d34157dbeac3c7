#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/identify/modes/plscf.hpp"

/// The modal model of FRFs, fitted by maximum likelihood.
///
///   H_oj(ω) = Σ_r [ φ_or l_rj/(iω - λ_r) + conj(φ_or l_rj)/(iω - conj λ_r) ]
///             + E0_oj + E1_oj (ω/ω1)² + E2_oj (ω0/ω)²
///
/// for receptance, mobility and accelerance alike (E real: what modes beyond the band leave).
/// Given poles and participations, shapes and E follow by linear least squares with one regressor
/// for all outputs; so the search is over 2 m numbers a mode, whatever the number of outputs
/// (variable projection, Kaufman's form). Its Jacobian is never formed.
namespace alembert::identify {

struct ModalFitOptions {
  int iterations = 40;      ///< at most
  double tolerance = 1e-9;  ///< of the relative fall of the cost
};

/// A fitted modal model. Standard deviations include s² = cost / degrees of freedom; those of poles
/// are the larger of that and of the one by the scores g_k of the lines, (JᵀJ)⁻¹ (Σ_k g_k g_kᵀ)
/// (JᵀJ)⁻¹.
struct ModalFit : Outcome {
  std::vector<FrfPole> modes;           ///< as refined
  Eigen::MatrixXcd shapes;              ///< l x R: φ in the unit of H times 1/s
  Eigen::MatrixXd constant;             ///< E0, l x m
  Eigen::MatrixXd above;                ///< E1
  Eigen::MatrixXd below;                ///< E2
  double cost = 0.0;                    ///< Σ |weighted residual|²
  double freedom = 0.0;                 ///< real data less real unknowns
  double variance = 0.0;                ///< s²: 1 if model and deviations of the data are right
  Eigen::VectorXd frequency_deviation;  ///< Hz
  Eigen::VectorXd damping_deviation;
  Eigen::MatrixXd shape_deviation;  ///< l x R, of |φ|, root of half the sum over Re and Im
  /// How much the cost over s² would rise without the mode, the other modes held.
  Eigen::VectorXd drop;
  Eigen::MatrixXcd residual;  ///< weighted, lines x (l m), as FrfData::values
  int iterations = 0;
};

/// Fits the model from given modes. Without any mode only E is fitted.
/// @throws InvalidInput as check_frf_data(), for a start pole that is not stable, or for more
///   unknowns than numbers.
[[nodiscard]] ModalFit fit_modal_model(const FrfData& data, const std::vector<FrfPole>& start,
                                       const ModalFitOptions& options = {});

/// The FRFs of the model at given frequencies, lines x (l m). @param band that of the data.
[[nodiscard]] Eigen::MatrixXcd synthesised(const ModalFit& fit, const FrfData& band,
                                           const Eigen::VectorXd& frequencies_hz);

}  // namespace alembert::identify
