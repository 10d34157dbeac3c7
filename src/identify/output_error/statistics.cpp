#include "identify/output_error/statistics.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/optimize/transformation.hpp"
#include "identify/output_error/equation_residuals.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Distance of a scaled variable from its bound, as in minimise().
constexpr double kAtBound = 1e-9;

// ∂θ/∂(names of the statistics): one in the place of each name, the factor where one is tied to it.
MatrixXd chain_of(const std::vector<std::string>& names,
                  const std::vector<optimize::Parameter>& parameters) {
  MatrixXd chain =
      MatrixXd::Zero(static_cast<Index>(parameters.size()), static_cast<Index>(names.size()));
  for (std::size_t j = 0; j < names.size(); ++j) {
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      double& entry = chain(static_cast<Index>(k), static_cast<Index>(j));
      if (parameters[k].name == names[j]) entry = 1.0;
      if (parameters[k].tie && parameters[k].tie->other == names[j]) {
        entry = parameters[k].tie->factor;
      }
    }
  }
  return chain;
}

// A prior is one more residual of variance 1, (θ - mean)/deviation: its score has the variance
// 1/deviation².
void add_prior_scores(const std::vector<optimize::Parameter>& parameters, const MatrixXd& chain,
                      MatrixXd& covariance) {
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    if (!parameters[k].prior) continue;
    const VectorXd slope =
        chain.row(static_cast<Index>(k)).transpose() / parameters[k].prior->deviation;
    covariance += slope * slope.transpose();
  }
}

}  // namespace

std::vector<std::string> at_bound_of(const std::vector<optimize::Parameter>& parameters,
                                     const VectorXd& theta) {
  const optimize::Transformation map(parameters);
  const VectorXd x = map.to_free(theta);
  std::vector<std::string> names;
  for (Index j = 0; j < map.free_size(); ++j) {
    if (x(j) - map.lower()(j) <= kAtBound || map.upper()(j) - x(j) <= kAtBound) {
      names.push_back(parameters[static_cast<std::size_t>(map.parameter_of(j))].name);
    }
  }
  return names;
}

void find_statistics(const model::CompiledEquations& model,
                     const std::vector<EquationRecord>& records,
                     const std::vector<optimize::Parameter>& parameters,
                     const OutputErrorOptions& options, OutputErrorResult& result) {
  const auto residuals =
      std::make_shared<EquationResiduals>(model, records, options.simulation.start, result.weights);
  const optimize::Problem problem{parameters, objective_of(residuals)};
  optimize::Minimum minimum;
  minimum.parameters = result.parameters;
  minimum.cost = result.cost;
  minimum.at_bound = result.at_bound;
  const auto free = static_cast<std::size_t>(optimize::Transformation(parameters).free_size());
  if (result.at_bound.size() == free) {
    static_cast<Outcome&>(result.statistics) = {
        Status::NotIdentifiable,
        "every free parameter ended at a bound, so that none is estimated; widen the bounds"};
    result.statistics.held = result.at_bound;
    return;
  }
  try {
    result.statistics = optimize::estimate_statistics(problem, minimum);
  } catch (const InvalidInput&) {
    static_cast<Outcome&>(result.statistics) = {
        Status::NotFinite, "the sensitivities at the end of the search leave the range of numbers"};
    return;
  }
  if (!result.statistics.ok() || result.statistics.names.empty()) return;
  const MatrixXd chain = chain_of(result.statistics.names, parameters);
  Index samples = 0;
  for (const EquationRecord& record : records) samples += record.experiment().samples();
  optimize::ScoreCovariance scores(chain.cols(), optimize::largest_useful_lag(samples));
  residuals->add_scores(result.parameters, chain, scores);
  MatrixXd covariance = scores.covariance(scores.automatic_lag());
  add_prior_scores(parameters, chain, covariance);
  result.robust = optimize::estimate_statistics(problem, minimum, {.score_covariance = covariance});
}

double relative_change(const EquationPrediction& prediction, const std::vector<MatrixXd>& finer,
                       const VectorXd& weights) {
  double change = 0.0;
  double residual = 0.0;
  for (std::size_t e = 0; e < finer.size(); ++e) {
    const MatrixXd& left = prediction.residuals[e];
    for (Index i = 0; i < left.cols(); ++i) {
      const double w = weights(i) * weights(i);
      for (Index k = 0; k < left.rows(); ++k) {
        if (std::isnan(left(k, i))) continue;
        const double moved = finer[e](k, i) - prediction.outputs[e](k, i);
        change += w * moved * moved;
        residual += w * left(k, i) * left(k, i);
      }
    }
  }
  return residual > 0.0 ? std::sqrt(change / residual) : 0.0;
}

}  // namespace alembert::identify
