#include "identify/output_error_statistics.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/optimize/transformation.hpp"
#include "identify/equation_residuals.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Distance of a scaled variable from its bound, as in minimise().
constexpr double kAtBound = 1e-9;

// The places of the names of the statistics in the parameter vector.
std::vector<Index> places_of(const std::vector<std::string>& names,
                             const std::vector<optimize::Parameter>& parameters) {
  std::vector<Index> places;
  for (const std::string& name : names) {
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      if (parameters[k].name == name) places.push_back(static_cast<Index>(k));
    }
  }
  return places;
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
  const std::vector<Index> wanted = places_of(result.statistics.names, parameters);
  const bool tied = std::any_of(parameters.begin(), parameters.end(),
                                [](const optimize::Parameter& p) { return p.tie.has_value(); });
  if (wanted.empty() || tied || !result.statistics.ok()) return;
  Index samples = 0;
  for (const EquationRecord& record : records) samples += record.experiment().samples();
  optimize::ScoreCovariance scores(static_cast<Index>(wanted.size()),
                                   optimize::largest_useful_lag(samples));
  residuals->add_scores(result.parameters, wanted, scores);
  result.robust = optimize::estimate_statistics(
      problem, minimum, {.score_covariance = scores.covariance(scores.automatic_lag())});
}

double relative_change(const EquationPrediction& prediction, const std::vector<MatrixXd>& finer) {
  double change = 0.0;
  double residual = 0.0;
  for (std::size_t e = 0; e < finer.size(); ++e) {
    change += (finer[e] - prediction.outputs[e]).squaredNorm();
    const MatrixXd& left = prediction.residuals[e];
    for (Index i = 0; i < left.cols(); ++i) {
      for (Index k = 0; k < left.rows(); ++k) {
        if (!std::isnan(left(k, i))) residual += left(k, i) * left(k, i);
      }
    }
  }
  return residual > 0.0 ? std::sqrt(change / residual) : 0.0;
}

}  // namespace alembert::identify
