#include "update/sequential/convex_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/optimize/box_program.hpp"

namespace alembert::update {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double objective_of(const ModalResiduals& residuals, const PriorBox& prior, const VectorXd& theta) {
  return residuals.r.squaredNorm() + theta.dot(prior.weight.cwiseProduct(theta));
}

}  // namespace

PriorBox prior_box(const ParametricModel& model) {
  const Index count = model.count();
  PriorBox box{.nominal = model.nominal(),
               .scale = VectorXd(count),
               .lower = VectorXd(count),
               .upper = VectorXd(count),
               .weight = VectorXd::Zero(count)};
  for (Index j = 0; j < count; ++j) {
    const ModelParameter& one = model.parameters[static_cast<std::size_t>(j)];
    const double range = one.upper - one.lower;
    const bool has_prior = std::isfinite(one.sigma);
    box.scale(j) = has_prior              ? one.sigma
                   : one.nominal != 0.0   ? 0.1 * std::abs(one.nominal)
                   : std::isfinite(range) ? 0.25 * range
                                          : 1.0;
    if (has_prior) box.weight(j) = 1.0;
    box.lower(j) = (one.lower - one.nominal) / box.scale(j);
    box.upper(j) = (one.upper - one.nominal) / box.scale(j);
  }
  return box;
}

ConvexSteps go_down(const ModalProblem& problem, const PriorBox& prior, const VectorXd& theta,
                    const FollowedModes& before, int most_iterations) {
  constexpr double kSmallStep = 1e-7;   // of a prior's sigma
  constexpr double kSmallGain = 1e-12;  // of the objective
  const MatrixXd scale = prior.scale.asDiagonal();
  ConvexSteps state;
  state.theta = theta;
  std::optional<ModalResiduals> here = problem.at(prior.values(theta), before, true);
  if (!here) {
    state.status = Status::Indefinite;
    state.message = "the model has no modes at its nominal parameters";
    return state;
  }
  state.residuals = *std::move(here);
  state.objective = objective_of(state.residuals, prior, theta);
  double radius = 1.0;
  while (state.iterations < most_iterations) {
    ++state.iterations;
    const MatrixXd J = state.residuals.J * scale;
    MatrixXd H = J.transpose() * J;
    H.diagonal() += prior.weight;
    const VectorXd g = J.transpose() * state.residuals.r + prior.weight.cwiseProduct(state.theta);
    // Without priors a direction may change nothing: then the step along it is zero.
    H.diagonal().array() += 1e-12 * H.diagonal().maxCoeff();
    const VectorXd lower = (prior.lower - state.theta).cwiseMax(-radius);
    const VectorXd upper = (prior.upper - state.theta).cwiseMin(radius);
    const optimize::BoxProgram program = optimize::minimise_in_box(H, g, lower, upper);
    state.gap = program.gap / std::max(state.objective, 1e-300);
    const double promised = -2.0 * program.objective;
    if (program.x.cwiseAbs().maxCoeff() < kSmallStep || promised <= kSmallGain * state.objective) {
      return state;
    }
    const VectorXd next = (state.theta + program.x).cwiseMax(prior.lower).cwiseMin(prior.upper);
    std::optional<ModalResiduals> there =
        problem.at(prior.values(next), state.residuals.modes, true);
    const double objective =
        there ? objective_of(*there, prior, next) : std::numeric_limits<double>::infinity();
    const double gain = (state.objective - objective) / promised;
    if (gain > 0.75) radius = std::max(radius, 3.0 * program.x.cwiseAbs().maxCoeff());
    if (gain < 0.25) radius = 0.3 * program.x.cwiseAbs().maxCoeff();
    if (!(gain > 1e-4)) {
      if (radius < kSmallStep) return state;
      continue;
    }
    state.theta = next;
    state.residuals = *std::move(there);
    state.objective = objective;
  }
  state.status = Status::NotConverged;
  state.message = fmt::format(
      "{} convex programs did not end at a minimum; see whether priors and "
      "bounds suit the measured modes",
      most_iterations);
  return state;
}

}  // namespace alembert::update
