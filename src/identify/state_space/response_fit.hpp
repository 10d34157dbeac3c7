#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "alembert/core/status.hpp"
#include "identify/state_space/response_model.hpp"

/// Output-error fit over the poles, by variable projection [Golub1973, Kaufman1975].
///
/// Given poles, drives and start states, every output is linear in its own shape and row of D with
/// the same regressor X; so one QR of [X S Y] serves all outputs, where S are the signals by which
/// unknowns move the states,
///
///   ∂x/∂z = x filtered once more by 1/(q - z),  ∂x/∂b_j = u_j filtered,  ∂x/∂ξ = z^k.
///
/// JᵀJ follows from SᵀS and C Cᵀ (C the shapes); J is never formed.
namespace alembert::identify::state_space {

/// What a search may do.
struct FitRules {
  bool feedthrough = true;
  double largest_radius = 1.0;  ///< of the poles
  int iterations = 60;
  double tolerance = 1e-5;  ///< of the relative fall of the cost
};

/// The fit at one set of poles.
struct Projected {
  double cost = 0.0;
  Eigen::MatrixXd coefficients;  ///< see ResponseModel
  Eigen::MatrixXd factor;        ///< R of X = Q R
  Eigen::MatrixXd carried;       ///< X⁺ S
  Eigen::MatrixXd normal;        ///< JᵀJ of the real unknowns, after projection
  Eigen::VectorXd gradient;      ///< Jᵀ e
};

/// Real unknowns of the poles: for each pole z, then b but the held entry, then ξ; real part and
/// imaginary part of each, the real part alone for a real pole.
class ResponseProblem {
 public:
  /// @pre samples outlive this.
  ResponseProblem(const Samples& samples, FitRules rules) : samples_(samples), rules_(rules) {}

  /// Poles with drives and start states: least squares with a residue matrix for each pole, of
  /// which the best one of rank one is taken.
  [[nodiscard]] Poles driven(const std::vector<std::complex<double>>& poles) const;
  [[nodiscard]] Projected project(const Poles& poles) const;
  /// [X S Y] of all experiments.
  [[nodiscard]] Eigen::MatrixXd joint(const Poles& poles) const;
  [[nodiscard]] Poles moved(const Poles& poles, const Eigen::VectorXd& step) const;
  [[nodiscard]] bool allowed(const Poles& poles) const;
  [[nodiscard]] const FitRules& rules() const { return rules_; }
  [[nodiscard]] const Samples& samples() const { return samples_; }

 private:
  const Samples& samples_;
  FitRules rules_;
};

struct ResponseFit : Outcome {
  Poles poles;
  Projected at;
  int iterations = 0;

  [[nodiscard]] ResponseModel model(bool feedthrough) const {
    return {.poles = poles, .coefficients = at.coefficients, .feedthrough = feedthrough};
  }
};
/// Levenberg-Marquardt: damping 1e-3 of the diagonal, over 8 after a success, times 6 after a
/// failure.
[[nodiscard]] ResponseFit fit_responses(const ResponseProblem& problem, Poles start);

/// How the fit would move if single parts of the record counted a little more: for each of `count`
/// parts (JᵀJ)⁻¹ J_bᵀ e_b, and what that makes of the linear coefficients. Sums of their products
/// are covariances that hold for residuals of any colour that is short against a part.
struct BlockScores {
  Eigen::MatrixXd unknowns;                   ///< real unknowns x parts
  std::vector<Eigen::MatrixXd> coefficients;  ///< as Projected::coefficients, one per part
};
[[nodiscard]] BlockScores block_scores(const ResponseProblem& problem, const ResponseFit& fit,
                                       int count);

}  // namespace alembert::identify::state_space
