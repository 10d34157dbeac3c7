#include "identify/output_error/loss/output_error_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "alembert/core/not_a_number.hpp"
#include "alembert/optimize/transformation.hpp"
#include "identify/output_error/equation_residuals.hpp"
#include "identify/output_error/finer_simulation.hpp"
#include "identify/output_error/loss/robust.hpp"
#include "identify/output_error/missing/missing_terms.hpp"
#include "identify/output_error/pieces/piecewise_prediction.hpp"
#include "identify/output_error/start_strategy.hpp"
#include "identify/output_error/statistics/statistics.hpp"
#include "identify/output_error/window_result.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Weights of a loss are renewed so often at most, and until none changes by more than this.
constexpr int kMostRenewals = 50;
constexpr double kSameLossWeights = 0.01;

// Renews the weights of several outputs by their residuals and searches again, until they stay.
void weigh_outputs(const model::CompiledEquations& model, const Experiments& data,
                   const std::vector<EquationRecord>& records, const OutputErrorOptions& options,
                   std::vector<optimize::Parameter> current, OutputErrorResult& result) {
  const OutputErrorSearch search(model, records, options);
  const auto simulate = [&] {
    result.prediction = simulate_equations(model, result.parameters, data,
                                           simulation_of(result, options.simulation));
  };
  simulate();
  const bool weigh_again = options.weights.size() == 0 && result.weights.size() > 1;
  for (int turn = 0; weigh_again && turn < kWeighings; ++turn) {
    if (!result.ok() || !result.prediction.ok()) break;
    const VectorXd weights =
        weights_by_residuals(data, weighted_rms(data, result.prediction.residuals));
    const bool settled = same_weights(weights, result.weights);
    result.weights = weights;
    search.run(current, result, true);
    simulate();
    if (settled) break;
  }
}

// The experiments with factors beside their own.
Experiments with_factors(Experiments data, const std::vector<MatrixXd>& factors) {
  for (std::size_t e = 0; e < data.size(); ++e) {
    MatrixXd& weight = data[e].weight;
    weight = weight.size() > 0 ? weight.cwiseProduct(factors[e]).eval() : factors[e];
  }
  return data;
}

double largest_change(const std::vector<MatrixXd>& now, const std::vector<MatrixXd>& before) {
  if (before.empty()) return 1.0;
  double largest = 0.0;
  for (std::size_t e = 0; e < now.size(); ++e) {
    largest = std::max(largest, (now[e] - before[e]).cwiseAbs().maxCoeff());
  }
  return largest;
}

}  // namespace

bool OutputErrorRun::searched() const {
  return !found_.prediction.outputs.empty() && found_.prediction.ok();
}

void OutputErrorRun::search_from(const Experiments& data,
                                 const std::vector<optimize::Parameter>& parameters,
                                 const OutputErrorOptions& options) {
  if (optimize::Transformation(parameters).free_size() == 0) {
    score(data, parameters, options);
    return;
  }
  const std::vector<EquationRecord> records = records_of(data, options.simulation);
  StartSearch begin(model_, data, records, parameters, options);
  OutputErrorResult result;
  result.weights = first_weights(data, options.weights);
  begin.run(result);
  const bool other = options.machines != nullptr && !options.machines->is_first();
  if (!other && result.windows > 0) {
    result.at_bound = at_bound_of(parameters, result.parameters);
    result.prediction = predict_windows(model_, data, begin.windows(), options.simulation);
  } else if (!other) {
    weigh_outputs(model_, data, records, options, begin.guesses(result.parameters), result);
  }
  found_ = std::move(result);
  windows_ = begin.windows();
}

// Parameters that are all given: only free starts and the weights of several outputs are found.
void OutputErrorRun::score(const Experiments& data,
                           const std::vector<optimize::Parameter>& parameters,
                           const OutputErrorOptions& options) {
  OutputErrorResult result;
  const optimize::Transformation map(parameters);
  map.to_parameters(map.start(), result.parameters);
  result.weights = first_weights(data, options.weights);
  const bool in_windows = options.window > 0.0 && !model_.model().states().empty();
  const auto simulate = [&] {
    ++result.evaluations;
    SimulationOptions simulation = simulation_of(result, options.simulation);
    if (in_windows) {
      simulation.start_weights = result.weights;
      result.windows = pieces_in(data, options.window);
      result.prediction = predict_in_pieces(model_, result.parameters, data, simulation,
                                            {.length = options.window});
    } else {
      result.prediction = simulate_equations(model_, result.parameters, data, simulation);
    }
  };
  simulate();
  const bool weigh_again = options.weights.size() == 0 && result.weights.size() > 1;
  if (weigh_again && result.prediction.ok()) {
    result.weights = weights_by_residuals(data, weighted_rms(data, result.prediction.residuals));
    simulate();
  }
  for (std::size_t e = 0; e < data.size() && result.prediction.ok(); ++e) {
    MatrixXd left = result.prediction.residuals[e] * result.weights.asDiagonal();
    if (data[e].weight.size() > 0) left = left.cwiseProduct(data[e].weight).eval();
    result.cost += left.array().isNaN().select(0.0, left).squaredNorm();
  }
  found_ = std::move(result);
}

void OutputErrorRun::search(const Experiments& data) { search_from(data, parameters_, options_); }

// From the estimate, with other weights of the samples.
void OutputErrorRun::search_again(const Experiments& data) {
  OutputErrorOptions options = options_;
  options.strategy = StartStrategy::Plain;
  options.starts = 1;
  options.machines = nullptr;
  options.simulation = simulation_of(found_, options_.simulation);
  options.search.solver = optimize::Solver::LevenbergMarquardt;
  if (found_.windows > 0 && options.window == 0.0) {  // records depart from whole simulations
    double seconds = 0.0;
    for (const Experiment& one : data) seconds += static_cast<double>(one.samples()) * one.step;
    options.window = seconds / static_cast<double>(found_.windows);
  }
  if (options.weights.size() == 0 && scales_.size() > 1) options.weights = scales_.cwiseInverse();
  OutputErrorResult before = std::move(found_);
  std::vector<optimize::Parameter> from = parameters_;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const double value = before.parameters(static_cast<Index>(i));
    from[i].guess = std::clamp(value, from[i].lower, from[i].upper);
  }
  search_from(data, from, options);
  found_.evaluations += before.evaluations;
  found_.trials = std::move(before.trials);
  found_.optima = std::move(before.optima);
  found_.strategy = before.strategy;
  found_.growth = std::max(before.growth, found_.growth);
  if (found_.note.empty()) found_.note = std::move(before.note);
}

// Least squares with the weights of the residuals, again and again.
void OutputErrorRun::renew_weights(const Experiments& data, Loss loss) {
  const StopFlag* stop = options_.search.stop;
  std::vector<MatrixXd> factors;
  loss_ = loss;
  for (int turn = 0; turn < kMostRenewals && searched(); ++turn) {
    if (stop != nullptr && stop->requested()) return;
    const std::vector<MatrixXd>& outputs = found_.prediction.outputs;
    scales_ = residual_scales(data, outputs);
    std::vector<MatrixXd> next = loss_weights(data, outputs, scales_, loss);
    const double change = largest_change(next, factors);
    factors = std::move(next);
    if (change < kSameLossWeights) return;
    const Experiments weighed = with_factors(data, factors);
    search_again(weighed);
    found_.sample_weights.clear();
    for (const Experiment& one : weighed) found_.sample_weights.push_back(one.weight);
  }
}

// Samples far outside of the record that the estimate follows come back.
void OutputErrorRun::keep_away(const Experiments& data, const std::vector<Outlier>& gross) {
  std::vector<Outlier> missed = missed_samples(data, found_.prediction.outputs, gross);
  if (missed.size() < gross.size()) {
    search_again(without(data, missed));
    if (!searched()) return;
    missed = missed_samples(data, found_.prediction.outputs, missed);
  }
  take_outliers(data, std::move(missed));
}

void OutputErrorRun::search_robustly(const Experiments& data, const std::vector<Outlier>& gross) {
  // A tenth of all samples is no slip but what the record is like.
  const bool few = 10 * static_cast<Index>(gross.size()) < measured_samples(data);
  search_from(few ? without(data, gross) : data, parameters_, options_);
  if (!searched()) return;
  if (options_.loss == Loss::Squares) {
    if (few) keep_away(data, gross);
    return;
  }
  renew_weights(data, Loss::Huber);
  if (options_.loss == Loss::Bisquare) renew_weights(data, Loss::Bisquare);
  if (!searched()) return;
  scales_ = residual_scales(data, found_.prediction.outputs);
  take_outliers(data, far_samples(data, found_.prediction.outputs, scales_));
}

// Residuals of the data as they are, but for the outliers.
void OutputErrorRun::take_outliers(const Experiments& data, std::vector<Outlier> outliers) {
  EquationPrediction& prediction = found_.prediction;
  const Experiments clean = without(data, outliers);
  for (std::size_t e = 0; e < clean.size(); ++e) {
    prediction.residuals[e] = clean[e].output - prediction.outputs[e];
  }
  for (Index i = 0; i < prediction.rms.size(); ++i) {
    prediction.rms(i) = rms_of(prediction.residuals, i, false);
  }
  found_.outliers = std::move(outliers);
}

// |Δŷ|/|y - ŷ| with finer steps, of weighted outputs.
double OutputErrorRun::step_error(const Experiments& data) const {
  const SimulationOptions fine = finer(simulation_of(found_, options_.simulation));
  const EquationPrediction check = found_.windows > 0
                                       ? predict_windows(model_, data, windows_, fine)
                                       : simulate_equations(model_, found_.parameters, data, fine);
  if (!check.ok()) return std::numeric_limits<double>::infinity();
  return relative_change(found_.prediction, check.outputs, found_.weights);
}

void OutputErrorRun::judge(const Experiments& data) {
  if (found_.windows > 0) {
    const std::vector<EquationRecord> records = records_of(data, options_.simulation);
    find_window_statistics(model_, records, parameters_, options_, windows_, found_);
    find_missing_terms(model_, records, parameters_, options_, &windows_, found_);
    return;
  }
  const std::vector<EquationRecord> records =
      records_of(data, simulation_of(found_, options_.simulation));
  find_statistics(model_, records, parameters_, options_, found_);
  find_missing_terms(model_, records, parameters_, options_, nullptr, found_);
}

OutputErrorResult OutputErrorRun::result(const Experiments& data) {
  if (!searched()) return std::move(found_);
  const Experiments clean = without(data, found_.outliers);
  found_.outputs = residual_verdicts(clean, found_.prediction.residuals);
  // Deviations of a long record take much longer than someone waits who has asked for a stop.
  const StopFlag* stop = options_.search.stop;
  if (!options_.statistics || (stop != nullptr && stop->requested())) return std::move(found_);
  const bool all_given = optimize::Transformation(parameters_).free_size() == 0;
  if (!all_given || found_.windows == 0) {
    // Free starts are found with the weights of the search.
    found_.step_error = step_error(fitted_data(data, options_, found_));
  }
  if (all_given) return std::move(found_);
  if (loss_ == Loss::Squares) {
    judge(clean);
  } else {
    judge(pseudo_observations(data, found_.prediction.outputs, scales_, loss_));
  }
  return std::move(found_);
}

}  // namespace alembert::identify
