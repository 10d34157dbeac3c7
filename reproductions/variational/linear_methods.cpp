#include "reproductions/variational/linear_methods.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/core/error.hpp"

namespace alembert::reproductions::variational {

namespace {

Estimate judged(const identify::Matrices& matrices, const LinearCase& linear) {
  Estimate estimate;
  estimate.matrices = matrices;
  estimate.errors = identify::relative_differences(matrices, matrices_of(linear.system));
  return estimate;
}

double median_of(std::vector<double> values) {
  if (values.empty()) {
    return Estimate::kUnknown;
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// As published. Order and feedthrough are those of the method.
identify::SubspaceOptions n4sid(Eigen::Index horizon) {
  return {.weighting = identify::SubspaceWeighting::N4sid, .horizon = horizon, .innovation = false};
}

}  // namespace

signal::BetweenSamples matching_hold(const LinearCase& linear) {
  return linear.force == ForceKind::Binary ? signal::BetweenSamples::Held
                                           : signal::BetweenSamples::Cubic;
}

Estimate weak_estimate(const LinearCase& linear, const SimulatedCase& simulated) {
  const identify::WeakFormEstimate weak = identify::weak_form(
      identify::free_matrices(linear.system.degrees_of_freedom()), simulated.data, linear.system.L,
      model::Motion::Displacement, {.hold = matching_hold(linear)});
  return usable(weak.matrices) ? judged(weak.matrices, linear) : Estimate{};
}

Estimate rival_estimate(const LinearCase& linear, const SimulatedCase& simulated,
                        identify::MassScaling scaling, Eigen::Index horizon) {
  const identify::ProjectedSubspace found = identify::projected_subspace(
      simulated.data, linear.system.L, {.subspace = n4sid(horizon), .scaling = scaling});
  // A matrix logarithm that is not that of the data gives no system to compare.
  return found.continuous.ok() && usable(found.matrices) ? judged(found.matrices, linear)
                                                         : Estimate{};
}

Estimate published_start(const LinearCase& linear, const SimulatedCase& simulated,
                         Eigen::Index horizon) {
  const identify::VariationalStart start =
      identify::variational_start(simulated.data, linear.system.L, {.subspace = n4sid(horizon)});
  return usable(start.matrices) ? judged(start.matrices, linear) : Estimate{};
}

// Of the estimate alone: deviations cost more than the search.
Estimate refined(const LinearCase& linear, const SimulatedCase& simulated, const Estimate& start,
                 identify::RefineOptions options) {
  if (!start.matrices) {
    return {};
  }
  options.coloured = false;
  const identify::Refinement refinement = identify::refine(
      free_problem(linear), simulated.data, identify::clipped(*start.matrices), options);
  if (!usable(matrices_of(refinement.system))) {
    return {};
  }
  Estimate estimate = judged(matrices_of(refinement.system), linear);
  estimate.iterations = refinement.iterations;
  estimate.noise_ratio = noise_ratio(refinement.noise, simulated.noise);
  return estimate;
}

Eigen::Vector3d bound(const LinearCase& linear, const SimulatedCase& simulated) {
  const identify::Bound crb =
      identify::cramer_rao_bound(free_problem(linear), simulated.data, matrices_of(linear.system),
                                 simulated.noise, {.hold = matching_hold(linear)});
  return relative_deviations(crb.matrix_covariance, matrices_of(linear.system));
}

MethodSummary summary(const std::vector<Estimate>& estimates) {
  MethodSummary result;
  std::vector<double> single[3];
  Eigen::Vector3d squares = Eigen::Vector3d::Zero();
  for (const Estimate& estimate : estimates) {
    if (!estimate.matrices) {
      ++result.failed;
      continue;
    }
    result.mean += estimate.errors;
    squares += estimate.errors.cwiseAbs2();
    result.mean_iterations += estimate.iterations;
    result.most_iterations = std::max(result.most_iterations, estimate.iterations);
    for (std::size_t i = 0; i < 3; ++i) {
      single[i].push_back(estimate.errors[static_cast<Eigen::Index>(i)]);
    }
  }
  const double count = static_cast<double>(single[0].size());
  result.mean /= count;
  result.rms = (squares / count).cwiseSqrt();
  result.mean_iterations /= count;
  result.median = {median_of(single[0]), median_of(single[1]), median_of(single[2])};
  return result;
}

}  // namespace alembert::reproductions::variational
