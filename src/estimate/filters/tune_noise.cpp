#include "alembert/estimate/tune_noise.hpp"

#include <cmath>
#include <limits>

#include "alembert/core/check.hpp"
#include "alembert/optimize/minimise.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::estimate {

namespace {

using LogLikelihood = std::function<double(const Eigen::VectorXd&)>;

optimize::Problem likelihood_problem(const std::vector<NoiseLevel>& levels,
                                     const LogLikelihood& log_likelihood) {
  optimize::Problem problem;
  for (const NoiseLevel& level : levels) {
    check::positive("tune_noise", "guess of " + level.name, level.guess);
    check::positive("tune_noise", "decades of " + level.name, level.decades);
    optimize::Parameter parameter;
    parameter.name = level.name;
    parameter.guess = level.guess;
    parameter.lower = level.guess * std::pow(10.0, -level.decades);
    parameter.upper = level.guess * std::pow(10.0, level.decades);
    parameter.logarithmic = true;
    problem.parameters.push_back(parameter);
  }
  problem.objective.cost = [&log_likelihood](const Eigen::VectorXd& theta) {
    return -log_likelihood(theta);
  };
  return problem;
}

/// Standard deviations of ln θ from the curvature of -ln p, by central differences in ln θ.
Eigen::VectorXd curvature_deviations(const Eigen::VectorXd& theta, double at_best,
                                     const LogLikelihood& log_likelihood) {
  // ln p is a sum over the record, smooth in ln θ over a tenth of a natural unit.
  constexpr double kStep = 0.05;
  const Eigen::Index n = theta.size();
  const auto cost = [&](Eigen::Index i, double di, Eigen::Index j, double dj) {
    Eigen::VectorXd moved = theta;
    moved(i) *= std::exp(di);
    moved(j) *= std::exp(dj);
    return -log_likelihood(moved);
  };
  Eigen::MatrixXd information(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double around = cost(i, kStep, i, 0.0) + cost(i, -kStep, i, 0.0) + 2.0 * at_best;
    information(i, i) = around / (kStep * kStep);
    for (Eigen::Index j = 0; j < i; ++j) {
      const double mixed = cost(i, kStep, j, kStep) - cost(i, kStep, j, -kStep) -
                           cost(i, -kStep, j, kStep) + cost(i, -kStep, j, -kStep);
      information(i, j) = information(j, i) = mixed / (4.0 * kStep * kStep);
    }
  }
  const Eigen::LLT<Eigen::MatrixXd> factor(information);
  if (factor.info() != Eigen::Success) {
    return Eigen::VectorXd::Constant(n, std::numeric_limits<double>::quiet_NaN());
  }
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(n, n);
  const Eigen::MatrixXd covariance = factor.solve(identity);
  return covariance.diagonal().cwiseSqrt();
}

}  // namespace

TunedNoise tune_noise(const std::vector<NoiseLevel>& levels, const LogLikelihood& log_likelihood,
                      const TuneOptions& options) {
  check::at_least("tune_noise", "levels", static_cast<long long>(levels.size()), 1);
  check::positive("tune_noise", "tolerance", options.tolerance);
  const optimize::Problem problem = likelihood_problem(levels, log_likelihood);
  optimize::MinimiseOptions search;
  search.max_evaluations = options.max_evaluations > 0 ? options.max_evaluations
                                                       : 400 * static_cast<long>(levels.size());
  search.cost_tolerance = options.tolerance;
  // Variances are known to a few per cent at best: finer steps gain nothing.
  search.step_tolerance = 1e-4;
  const optimize::Minimum minimum = optimize::minimise(problem, search);

  TunedNoise tuned;
  tuned.status = minimum.status;
  tuned.message = minimum.message;
  tuned.levels = minimum.parameters;
  tuned.log_likelihood = -minimum.cost;
  tuned.evaluations = minimum.evaluations;
  tuned.at_bound = minimum.at_bound;
  tuned.log_deviations = curvature_deviations(tuned.levels, tuned.log_likelihood, log_likelihood);
  return tuned;
}

}  // namespace alembert::estimate
