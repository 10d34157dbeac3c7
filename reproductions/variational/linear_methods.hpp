#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "alembert/identify/linear.hpp"
#include "alembert/identify/to_continuous.hpp"
#include "alembert/identify/variational.hpp"
#include "alembert/identify/weak_form.hpp"
#include "reproductions/variational/linear_case.hpp"

/// The ways from one data set to M, D, K that the reproductions compare.
namespace alembert::reproductions::variational {

/// One estimate against the truth.
struct Estimate {
  std::optional<identify::Matrices> matrices;                    ///< none if the method gave up
  Eigen::Vector3d errors = Eigen::Vector3d::Constant(kUnknown);  ///< relative, M, D, K
  double noise_ratio = kUnknown;  ///< see noise_ratio(); only of refined estimates
  double iterations = 0.0;

  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
};

/// Weak form with instrumental variables, window chosen by itself.
[[nodiscard]] Estimate weak_estimate(const LinearCase& linear, const SimulatedCase& simulated);

/// Subspace identification on (y, u), matrix logarithm, projection to second order.
[[nodiscard]] Estimate rival_estimate(const LinearCase& linear, const SimulatedCase& simulated,
                                      identify::MassScaling scaling, Eigen::Index horizon);

/// The published variational start on (y, fd).
[[nodiscard]] Estimate published_start(const LinearCase& linear, const SimulatedCase& simulated,
                                       Eigen::Index horizon);

/// Structured refinement from an estimate (its eigenvalues clipped) with the given rule.
[[nodiscard]] Estimate refined(const LinearCase& linear, const SimulatedCase& simulated,
                               const Estimate& start, identify::RefineOptions options);

/// The hold that matches the forces of a case.
[[nodiscard]] signal::BetweenSamples matching_hold(const LinearCase& linear);

/// Relative Cramer-Rao bound of M, D, K for this data set.
[[nodiscard]] Eigen::Vector3d bound(const LinearCase& linear, const SimulatedCase& simulated);

/// Estimates of one method over runs.
struct MethodSummary {
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();  ///< of the errors over the runs that gave one
  Eigen::Vector3d median = Eigen::Vector3d::Zero();
  Eigen::Vector3d rms = Eigen::Vector3d::Zero();
  Eigen::Index failed = 0;  ///< runs without an estimate
  double mean_iterations = 0.0;
  double most_iterations = 0.0;
};
[[nodiscard]] MethodSummary summary(const std::vector<Estimate>& estimates);

}  // namespace alembert::reproductions::variational
