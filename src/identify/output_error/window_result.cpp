#include "identify/output_error/window_result.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "identify/output_error/equation_residuals.hpp"

namespace alembert::identify {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

EquationPrediction predict_windows(const model::CompiledEquations& model, const Experiments& data,
                                   const WindowEstimate& estimate,
                                   const SimulationOptions& options) {
  const std::vector<EquationRecord> records = records_of(data, options);
  std::vector<optimize::Parameter> parameters;
  for (Index k = 0; k < estimate.point.theta.size(); ++k) {
    parameters.push_back({.name = std::to_string(k), .guess = estimate.point.theta(k)});
  }
  const optimize::Transformation map(parameters);
  const VectorXd weights = VectorXd::Ones(data.front().output.cols());
  WindowProblem problem(model, records, map, weights, options.start);
  problem.set_windows(estimate.windows);
  problem.set_parameters(estimate.point.theta);
  EquationPrediction prediction;
  for (const Experiment& experiment : data) {
    prediction.outputs.push_back(
        MatrixXd::Zero(experiment.output.rows(), experiment.output.cols()));
  }
  for (std::size_t w = 0; w < estimate.windows.size(); ++w) {
    const RecordWindow& window = estimate.windows[w];
    if (!problem.simulate(window, estimate.point.states.col(static_cast<Index>(w)).data())) {
      static_cast<Outcome&>(prediction) = {Status::NotFinite, "a window cannot be simulated"};
      return prediction;
    }
    MatrixXd& y = prediction.outputs[window.record];
    for (std::size_t k = 0; k < window.samples; ++k) {
      for (Index i = 0; i < y.cols(); ++i) {
        y(static_cast<Index>(window.first + k), i) = problem.output(k, static_cast<std::size_t>(i));
      }
    }
  }
  prediction.rms = VectorXd::Zero(data.front().output.cols());
  for (std::size_t e = 0; e < data.size(); ++e) {
    prediction.residuals.push_back(data[e].output - prediction.outputs[e]);
  }
  for (Index i = 0; i < prediction.rms.size(); ++i) {
    prediction.rms(i) = rms_of(prediction.residuals, i, false);
  }
  return prediction;
}

namespace {

// The condensed equations by the parameters kept, named and in their own units.
struct KeptInformation {
  std::vector<std::string> names;
  std::vector<std::string> at_start;  // act on the start of the model alone, which windows ignore
  VectorXd values;
  MatrixXd matrix;
};

KeptInformation information_of(const CondensedEquations& condensed,
                               const optimize::Transformation& map, const VectorXd& theta,
                               const std::vector<std::string>& at_bound,
                               const std::function<bool(Index)>& acts_at_start) {
  KeptInformation kept;
  std::vector<Index> places;
  for (Index j = 0; j < map.free_size(); ++j) {
    const std::string& name = map.parameters()[static_cast<std::size_t>(map.parameter_of(j))].name;
    if (std::find(at_bound.begin(), at_bound.end(), name) != at_bound.end()) continue;
    if (condensed.matrix(j, j) == 0.0 && acts_at_start(map.parameter_of(j))) {
      kept.at_start.push_back(name);
      continue;
    }
    kept.names.push_back(name);
    places.push_back(j);
  }
  VectorXd slope;
  map.slopes(theta, slope);
  const auto size = static_cast<Index>(places.size());
  kept.values.resize(size);
  kept.matrix.resize(size, size);
  for (Index b = 0; b < size; ++b) {
    const Index j = places[static_cast<std::size_t>(b)];
    kept.values(b) = theta(map.parameter_of(j));
    for (Index a = 0; a < size; ++a) {
      const Index i = places[static_cast<std::size_t>(a)];
      kept.matrix(a, b) =
          condensed.matrix(i, j) / (slope(map.parameter_of(i)) * slope(map.parameter_of(j)));
    }
  }
  return kept;
}

// Whether the start of the model moves with a parameter.
bool acts_at_start(const model::CompiledEquations& model, const VectorXd& theta, Index parameter) {
  model::EquationEvaluator evaluator(model);
  evaluator.set_parameters({theta.data(), static_cast<std::size_t>(theta.size())});
  model::EquationJacobians start = evaluator.start_jacobians();
  evaluator.start(start);
  const std::size_t states = start.values.size();
  const auto column = start.by_parameter.begin() + parameter * static_cast<std::ptrdiff_t>(states);
  return std::any_of(column, column + static_cast<std::ptrdiff_t>(states),
                     [](double slope) { return slope != 0.0; });
}

}  // namespace

void find_window_statistics(const model::CompiledEquations& model,
                            const std::vector<EquationRecord>& records,
                            const std::vector<optimize::Parameter>& parameters,
                            const OutputErrorOptions& options, const WindowEstimate& estimate,
                            OutputErrorResult& result) {
  const optimize::Transformation map(parameters);
  WindowProblem problem(model, records, map, result.weights, options.simulation.start);
  problem.set_windows(estimate.windows);
  WindowPoint point = estimate.point;
  WindowEquations equations;
  if (!problem.linearise(point, equations)) {
    static_cast<Outcome&>(result.statistics) = {Status::NotFinite, "a window cannot be simulated"};
    return;
  }
  std::vector<MatrixXd> solutions;
  const CondensedEquations condensed =
      condense(equations, 0.0, VectorXd::Zero(problem.states()), solutions);
  const KeptInformation kept =
      information_of(condensed, map, point.theta, result.at_bound,
                     [&](Index parameter) { return acts_at_start(model, point.theta, parameter); });
  if (!kept.at_start.empty()) {
    result.note +=
        fmt::format("; {} act{} at the start of the records alone and {} no estimate by windows",
                    fmt::join(kept.at_start, ", "), kept.at_start.size() == 1 ? "s" : "",
                    kept.at_start.size() == 1 ? "has" : "have");
  }
  if (!condensed.definite || kept.names.empty()) {
    static_cast<Outcome&>(result.statistics) = {
        Status::NotIdentifiable, kept.names.empty()
                                     ? "every free parameter ended at a bound; widen the bounds"
                                     : "the outputs do not show the start states of the windows"};
    result.statistics.held = result.at_bound;
    return;
  }
  Index residuals = -problem.states() * static_cast<Index>(estimate.windows.size());
  for (const EquationRecord& record : records) {
    const MatrixXd& y = record.experiment().output;
    residuals += (y.array() == y.array()).count();
  }
  result.statistics =
      optimize::estimate_statistics(kept.names, kept.values, kept.matrix, point.misfit, residuals);
  result.statistics.held = result.at_bound;
}

}  // namespace alembert::identify
