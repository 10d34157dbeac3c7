#include "identify/output_error/search.hpp"

#include <memory>
#include <utility>

#include "identify/output_error/statistics/statistics.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

template <typename Found>
void take_found(const Found& found, OutputErrorResult& result) {
  result.status = found.status;
  result.message = found.message;
  result.parameters = found.parameters;
  result.cost = found.cost;
  result.evaluations += found.evaluations;
}

}  // namespace

optimize::Objective OutputErrorSearch::objective(const VectorXd& weights) const {
  return objective_of(
      std::make_shared<EquationResiduals>(model_, records_, options_.simulation.start, weights));
}

void OutputErrorSearch::run(std::vector<optimize::Parameter>& parameters, OutputErrorResult& result,
                            bool many, const Machines* machines) const {
  if (many && options_.starts > 1) {
    const optimize::MultiStartResult found =
        optimize::minimise_from_many(parameters, [&] { return objective(result.weights); },
                                     {.starts = options_.starts,
                                      .seed = options_.seed,
                                      .local = options_.search,
                                      .threads = options_.threads,
                                      .on_progress = options_.on_progress,
                                      .machines = machines});
    take_found(found, result);
    result.optima = found.optima;
    result.at_bound = at_bound_of(parameters, found.parameters);
  } else {
    const optimize::Minimum found =
        optimize::minimise({parameters, objective(result.weights)}, options_.search);
    take_found(found, result);
    result.at_bound = found.at_bound;
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    parameters[i].guess = result.parameters(static_cast<Index>(i));
  }
}

VectorXd inverse_or_one(VectorXd values) {
  for (double& value : values) value = value > 0.0 ? 1.0 / value : 1.0;
  return values;
}

VectorXd first_weights(const Experiments& data, const VectorXd& given) {
  const Index outputs = data.front().output.cols();
  if (given.size() > 0) return given;
  if (outputs == 1) return VectorXd::Ones(1);
  std::vector<MatrixXd> measured;
  for (const Experiment& experiment : data) measured.push_back(experiment.output);
  VectorXd sizes(outputs);
  for (Index i = 0; i < outputs; ++i) sizes(i) = rms_of(measured, i, true);
  return inverse_or_one(std::move(sizes));
}

VectorXd weights_by_residuals(const Experiments& data, const VectorXd& rms) {
  // An output without noise would take all weight and leave the others out.
  constexpr double kSmallestResidual = 1e-6;  // over the size of the output
  return inverse_or_one(rms.cwiseMax(kSmallestResidual * first_weights(data, {}).cwiseInverse()));
}

bool same_weights(const VectorXd& weights, const VectorXd& before) {
  constexpr double kSameWeights = 0.01;
  return (weights - before).cwiseQuotient(weights).norm() < kSameWeights;
}

}  // namespace alembert::identify
