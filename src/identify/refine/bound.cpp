#include <fmt/format.h>

#include "alembert/core/check.hpp"
#include "alembert/identify/refine.hpp"
#include "identify/refine/information.hpp"
#include "identify/refine/problem_checks.hpp"
#include "identify/refine/refiner.hpp"
#include "identify/refine/sensitivity.hpp"

namespace alembert::identify {

Bound cramer_rao_bound(const LinearProblem& problem, const Experiments& data, const Matrices& truth,
                       const Eigen::Ref<const Eigen::VectorXd>& noise,
                       const RefineOptions& options) {
  const Fit fit("cramer_rao_bound", data, problem.L, problem.outputs, options);
  check_problem("cramer_rao_bound", problem, options);
  check_start("cramer_rao_bound", "truth", truth, fit.coordinates());
  check::size("cramer_rao_bound", "noise", noise.size(), fit.output_count());
  for (Eigen::Index i = 0; i < noise.size(); ++i) {
    check::positive("cramer_rao_bound", fmt::format("noise({})", i + 1), noise(i));
  }
  const Eigen::VectorXd weights = noise.cwiseInverse();
  const Eigen::VectorXd theta = nearest_parameters(problem.unknowns, truth);
  const Matrices at = matrices(problem.unknowns, theta);
  const model::SecondOrder system{at.M, at.D, at.K, fit.L};
  const Guess guess{system, jacobian(problem.unknowns, theta), fitted_start(fit, system, weights)};
  const Information found = information(fit, guess, sensitivity_factor(fit, guess, weights));
  Bound bound;
  bound.covariance = found.covariance.topLeftCorner(theta.size(), theta.size());
  bound.matrix_covariance = found.matrix_covariance;
  bound.condition = found.condition;
  bound.weakest = found.weakest.head(theta.size());
  if (!found.identifiable) {
    bound.status = Status::NotIdentifiable;
    bound.message =
        fmt::format("the data do not determine some unknowns (condition {:.1e}): {}",
                    found.condition, involved_unknowns(fit, problem.unknowns, found.weakest));
  }
  return bound;
}

}  // namespace alembert::identify
