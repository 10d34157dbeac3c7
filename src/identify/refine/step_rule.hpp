#pragma once

#include <Eigen/Core>
#include <complex>

#include "alembert/identify/refine.hpp"
#include "alembert/integrate/one_step_map.hpp"

/// The one-step rules as functions of the scaled system matrix, and their derivatives.
namespace alembert::identify {

/// Every rule is z₊ = μ(A) z + Σ_j γ_j(A) B w_j with scalar functions μ and γ_j; w_j is the j-th
/// group of m numbers that the rule's drive reads.
struct StepRule {
  integrate::Method method = integrate::Method::Exact;
  signal::BetweenSamples hold = signal::BetweenSamples::Cubic;
  int stages = 2;  ///< of Method::Gauss
};

/// @throws InvalidInput in the name of `function` for Newmark's method, or stages not 1, 2 or 3.
[[nodiscard]] StepRule step_rule(std::string_view function, const RefineOptions& options);

/// What the rule reads of the input.
[[nodiscard]] integrate::Drive drive_of(const StepRule& rule);
/// Number of groups w_j: 1, 2 or 4.
[[nodiscard]] int terms_of(const StepRule& rule);

/// μ, γ_j and their derivatives by λ.
struct RuleValues {
  std::complex<double> mu, mu_slope;
  Eigen::VectorXcd gamma, gamma_slope;  ///< terms_of(rule) each
};
[[nodiscard]] RuleValues rule_values(const StepRule& rule, std::complex<double> pole);

/// F = μ(A) and G = (γ_0(A) B, γ_1(A) B, ...) for any square A.
struct RuleMatrices {
  Eigen::MatrixXd F, G;
};
[[nodiscard]] RuleMatrices rule_matrices(const StepRule& rule, const Eigen::MatrixXd& A,
                                         const Eigen::MatrixXd& B);

}  // namespace alembert::identify
