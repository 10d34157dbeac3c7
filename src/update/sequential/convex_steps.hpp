#pragma once

#include <Eigen/Core>

#include "alembert/core/status.hpp"
#include "update/sequential/modal_residuals.hpp"

namespace alembert::update {

/// Bounds and priors, in units of `scale`: θ = (p - nominal)/scale.
struct PriorBox {
  Eigen::VectorXd nominal, scale, lower, upper;
  Eigen::VectorXd weight;  ///< 1/σ² in these units; 0: no prior

  [[nodiscard]] Eigen::VectorXd values(const Eigen::VectorXd& theta) const {
    return nominal + scale.cwiseProduct(theta);
  }
};
[[nodiscard]] PriorBox prior_box(const ParametricModel& model);

/// Where a sequence of convex programs ended.
struct ConvexSteps : Outcome {
  Eigen::VectorXd theta = {};
  ModalResiduals residuals = {};  ///< there, with slopes
  double objective = 0.0;
  int iterations = 0;
  double gap = 0.0;
};

/// Goes down from theta by convex programs in a region of trust.
[[nodiscard]] ConvexSteps go_down(const ModalProblem& problem, const PriorBox& prior,
                                  const Eigen::VectorXd& theta, const FollowedModes& before,
                                  int most_iterations);

}  // namespace alembert::update
