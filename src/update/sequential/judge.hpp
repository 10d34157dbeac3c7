#pragma once

#include "alembert/update/update.hpp"
#include "update/sequential/convex_steps.hpp"

namespace alembert::update {

/// Adds deviations, shares of the priors, what cannot be told apart, and the misfit.
void add_posterior(const ParametricModel& model, const PriorBox& prior, const ConvexSteps& end,
                   UpdateResult& result);

/// The verdict, from all that the result has.
[[nodiscard]] Verdict update_verdict(const UpdateResult& result, Eigen::Index measured);

}  // namespace alembert::update
