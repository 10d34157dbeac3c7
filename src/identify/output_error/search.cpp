#include "identify/output_error/search.hpp"

#include <cmath>
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

// Starts that are carried along may make the first steps from a guess look worse than they are,
// and a search then ends where it began.
constexpr double kStayed = 1e-9;  // of a parameter

bool stayed(const std::vector<optimize::Parameter>& parameters, const optimize::Minimum& found) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const double moved = found.parameters(static_cast<Index>(i)) - parameters[i].guess;
    if (std::abs(moved) > kStayed * std::abs(parameters[i].guess)) return false;
  }
  return true;
}

}  // namespace

// Methods without derivatives ask for costs alone, far from each other.
std::shared_ptr<EquationResiduals> OutputErrorSearch::residuals(const VectorXd& weights) const {
  const bool carried = options_.search.solver == optimize::Solver::LevenbergMarquardt;
  return std::make_shared<EquationResiduals>(model_, records_, options_.simulation.start, weights,
                                             carried ? StartFit::Carried : StartFit::Exact);
}

void OutputErrorSearch::search_once(const std::vector<optimize::Parameter>& parameters,
                                    OutputErrorResult& result) const {
  const std::shared_ptr<EquationResiduals> one = residuals(result.weights);
  // A search with other weights begins where the one before ended.
  if (result.prediction.starts.size() > 0) one->guess_starts(result.prediction.starts);
  optimize::Minimum found = optimize::minimise({parameters, objective_of(one)}, options_.search);
  if (options_.simulation.start == StartState::Free && stayed(parameters, found)) {
    optimize::Minimum exact = optimize::minimise(
        {parameters, objective_of(std::make_shared<EquationResiduals>(
                         model_, records_, StartState::Free, result.weights, StartFit::Exact))},
        options_.search);
    const auto evaluations = found.evaluations + exact.evaluations;
    if (exact.cost < found.cost) found = std::move(exact);
    found.evaluations = evaluations;
  }
  take_found(found, result);
  result.at_bound = found.at_bound;
  result.prediction.starts.resize(0, 0);
  if (options_.simulation.start != StartState::Free || !std::isfinite(found.cost)) return;
  try {
    result.prediction.starts = one->starts(found.parameters);
  } catch (const optimize::Infeasible&) {
    // The simulation of the result finds starts of its own.
  }
}

void OutputErrorSearch::search_often(const std::vector<optimize::Parameter>& parameters,
                                     const Machines* machines, OutputErrorResult& result) const {
  const optimize::MultiStartResult found = optimize::minimise_from_many(
      parameters, [&] { return objective_of(residuals(result.weights)); },
      {.starts = options_.starts,
       .seed = options_.seed,
       .local = options_.search,
       .threads = options_.threads,
       .on_progress = options_.on_progress,
       .machines = machines});
  take_found(found, result);
  result.optima = found.optima;
  result.at_bound = at_bound_of(parameters, found.parameters);
  result.prediction.starts.resize(0, 0);
}

void OutputErrorSearch::run(std::vector<optimize::Parameter>& parameters, OutputErrorResult& result,
                            bool many, const Machines* machines) const {
  if (many && options_.starts > 1) {
    search_often(parameters, machines, result);
  } else {
    search_once(parameters, result);
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    parameters[i].guess = result.parameters(static_cast<Index>(i));
  }
}

SimulationOptions simulation_of(const OutputErrorResult& result, SimulationOptions options) {
  if (options.start != StartState::Free) return options;
  options.start_weights = result.weights;
  if (result.prediction.starts.size() > 0) options.start_values = result.prediction.starts;
  return options;
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
