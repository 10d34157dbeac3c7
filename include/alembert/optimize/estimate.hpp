#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/optimize/minimise.hpp"

/// What the data say about an estimate: standard deviations, correlations, and what they cannot
/// see.
namespace alembert::optimize {

/// Two estimates that the data can hardly tell apart.
struct CorrelatedParameters {
  std::string first, second;
  double correlation = 0.0;
};

/// A combination of parameters along which the residuals hardly change.
struct Direction {
  Eigen::VectorXd change;       ///< of θ; the largest part, relative to θ where possible, is 1
  double singular_value = 0.0;  ///< of J with columns of unit length; zero in a null direction
  std::string words;            ///< "beta up, gamma and delta down in proportion"
};

struct StatisticsOptions {
  /// Variance of the noise; 0 takes residual_sum/(N - p).
  double noise_variance = 0.0;
  /// Pairs with |ρ| above this are named.
  double correlation_limit = 0.95;
  /// Singular values of the column-scaled J below this times the largest count as zero. JᵀJ
  /// cannot show smaller ones than about 1e-8, so it is 1e-7 at least.
  double rank_tolerance = 1e-7;
  /// Covariance S of the score Σ Jᵀr for coloured residuals, from elsewhere; empty for white
  /// ones. Then the covariance is the sandwich (JᵀJ)⁻¹ S (JᵀJ)⁻¹ N/(N - p).
  Eigen::MatrixXd score_covariance = {};
};

/// Statistics of p parameters estimated from N residuals by least squares.
///
///   P = σ² (JᵀJ)⁻¹,  std_i = √P_ii,  ρ_ij = P_ij/√(P_ii P_jj)
///
/// If J loses rank the status is NotIdentifiable, the parameters that take part in a null
/// direction have infinite variance, and the others have theirs.
struct EstimateStatistics : Outcome {
  std::vector<std::string> names;  ///< of the parameters below
  Eigen::VectorXd parameters;
  double noise_variance = 0.0;
  Eigen::Index freedom = 0;  ///< N - p, with the rank of J for p
  Eigen::Index rank = 0;
  double condition = 0.0;           ///< of the column-scaled J; infinite if rank < p
  Eigen::VectorXd singular_values;  ///< of the column-scaled J, decreasing
  Eigen::MatrixXd covariance;
  Eigen::VectorXd deviations;
  Eigen::VectorXd relative_deviations;  ///< std/|θ|; infinite where θ = 0
  Eigen::MatrixXd correlation;          ///< NaN where a variance is infinite
  std::vector<CorrelatedParameters> correlated;
  std::vector<Direction> null_directions;
  Direction weakest;              ///< of the smallest singular value
  std::vector<std::string> held;  ///< left out because they ended at a bound
};

/// @param information JᵀJ (p x p, only the lower triangle is read), J = ∂r/∂θ.
/// @param residual_sum rᵀr. @param residuals N.
/// @throws InvalidInput if sizes disagree, something is not finite, or N < 1.
[[nodiscard]] EstimateStatistics estimate_statistics(const std::vector<std::string>& names,
                                                     const Eigen::VectorXd& parameters,
                                                     const Eigen::MatrixXd& information,
                                                     double residual_sum, Eigen::Index residuals,
                                                     const StatisticsOptions& options = {});

/// The same from the triangular factor R of J = Q R (or of any matrix with RᵀR = JᵀJ), which shows
/// singular values down to rounding. Below 1e-7 one counts as zero also if σ/s is 1000 times a θ_i.
/// @param factor R, p x p or more rows.
/// @throws InvalidInput likewise.
[[nodiscard]] EstimateStatistics estimate_statistics_by_factor(
    const std::vector<std::string>& names, const Eigen::VectorXd& parameters,
    const Eigen::MatrixXd& factor, double residual_sum, Eigen::Index residuals,
    const StatisticsOptions& options = {.rank_tolerance = 1e-10});

/// Statistics with another covariance of the same parameters, such as that for coloured residuals:
/// deviations and correlations follow from it; parameters with infinite variance keep it.
/// @throws InvalidInput if the size is not p x p.
[[nodiscard]] EstimateStatistics with_covariance(EstimateStatistics statistics,
                                                 const Eigen::MatrixXd& covariance,
                                                 double correlation_limit = 0.95);

/// The same for the free parameters of a problem at its minimum, with ties and priors; those that
/// ended at a bound are held there. Needs objective.sums. A score covariance in the options is for
/// the parameters in the result, in their order.
/// @throws InvalidInput if objective.sums is missing or infeasible at the minimum.
[[nodiscard]] EstimateStatistics estimate_statistics(const Problem& problem, const Minimum& minimum,
                                                     const StatisticsOptions& options = {});

/// A change of parameters in words: "beta up, gamma and delta down in proportion",
/// "a up 1 %, b down 0.52 %", "c". Up means away from zero. Parts below 1e-3 of the largest are
/// left out; "none" where nothing changes.
/// @throws InvalidInput if the sizes differ.
[[nodiscard]] std::string direction_in_words(const std::vector<std::string>& names,
                                             const Eigen::VectorXd& parameters,
                                             const Eigen::VectorXd& change);

}  // namespace alembert::optimize
