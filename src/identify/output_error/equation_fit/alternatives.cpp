#include "identify/output_error/equation_fit/alternatives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/core/parallel.hpp"
#include "alembert/optimize/transformation.hpp"
#include "identify/output_error/loss/robust.hpp"
#include "identify/verdict/readings.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;

constexpr Index kMostFitSamples = 600;
constexpr Index kLeastFitSamples = 100;
constexpr double kMostFitWork = 2e6;      // samples x readings x states x (parameters + 1)
constexpr long kMostFitEvaluations = 40;  // a right reading takes ten to twenty
constexpr double kThousand = 1000.0;      // kN for N, mm for m
constexpr double kDegrees = 180.0 / std::numbers::pi;
constexpr double kOneGravity = 9.80665;  // m/s² in a g

void add_between(const SimulationOptions& options, Readings& readings) {
  using signal::BetweenSamples;
  if (options.between == BetweenSamples::BandLimited) return;
  for (const BetweenSamples one :
       {BetweenSamples::Held, BetweenSamples::Linear, BetweenSamples::Cubic}) {
    if (one == options.between) continue;
    readings.push_back(
        {.words = fmt::format("inputs \"{}\" between samples", name_of(one)), .between = one});
  }
}

Readings fit_readings(const EquationFit& fit, const SimulationOptions& options) {
  Readings readings;
  const bool periodic = options.start == StartState::Periodic;
  add_signs_and_swaps(&Experiment::output, fit.output_names, readings);
  add_signs_and_swaps(&Experiment::input, fit.input_names, readings);
  add_exchange(fit.input_names.size(), fit.output_names.size(), readings);
  add_units(&Experiment::input, fit.input_names, {kThousand, 1.0 / kThousand}, readings);
  add_units(&Experiment::output, fit.output_names,
            {kThousand, 1.0 / kThousand, kDegrees, 1.0 / kDegrees, kOneGravity}, readings);
  add_between(options, readings);
  add_delays(fit.output_names, {1, 2, 3, 4, -1, -2}, {1, 2, -1}, periodic, readings);
  return readings;
}

OutputErrorOptions quick_search(OutputErrorOptions options) {
  options.starts = 1;
  options.threads = 1;
  options.on_progress = {};
  options.machines = nullptr;
  options.strategy = StartStrategy::Plain;
  options.statistics = false;
  options.loss = Loss::Squares;          // the data come without the outliers
  options.experiment_weights.resize(0);  // the data have them
  // Starts that were found belong to the columns as they were.
  if (options.simulation.start == StartState::Free) options.simulation.start_values.resize(0, 0);
  long& most = options.search.max_evaluations;
  most = most > 0 ? std::min(most, kMostFitEvaluations) : kMostFitEvaluations;
  return options;
}

struct FoundMisfit {
  double misfit = HUGE_VAL;  // infinite if nothing was found
  std::vector<Eigen::MatrixXd> residuals;
};

FoundMisfit misfit_from(const model::CompiledEquations& model,
                        const std::vector<optimize::Parameter>& guesses, const Experiments& data,
                        const OutputErrorOptions& options) {
  try {
    const OutputErrorResult found = output_error(model, guesses, data, options);
    if (found.prediction.ok()) {
      return {relative_misfit(data, weighted_rms(data, found.prediction.residuals)),
              found.prediction.residuals};
    }
  } catch (const InvalidInput&) {
    // A reading that cannot be fitted at all explains nothing.
  }
  return {};
}

std::vector<optimize::Parameter> from_estimate(const EquationFit& fit) {
  std::vector<optimize::Parameter> guesses = fit.parameters;
  if (!fit.estimate.parameters.allFinite()) return guesses;
  for (std::size_t i = 0; i < guesses.size(); ++i) {
    guesses[i].guess = fit.estimate.parameters(static_cast<Index>(i));
  }
  return guesses;
}

std::vector<double> fit_misfits(const FitProblem& problem, const EquationFit& fit,
                                const Experiments& data, const Readings& readings) {
  std::vector<double> misfits(readings.size() + 1, HUGE_VAL);
  std::vector<Eigen::MatrixXd> as_given;
  const std::vector<optimize::Parameter> estimate = from_estimate(fit);
  const OutputErrorOptions& given = problem.options.output_error;
  const auto search = [&](std::size_t i) {
    Experiments changed = data;
    OutputErrorOptions options = quick_search(given);
    Eigen::MatrixXd& starts = options.simulation.start_values;
    if (starts.size() > 0) starts = starts.leftCols(static_cast<Index>(data.size())).eval();
    if (i > 0 && readings[i - 1].apply) readings[i - 1].apply(changed);
    if (i > 0 && readings[i - 1].between) options.simulation.between = *readings[i - 1].between;
    FoundMisfit found = misfit_from(problem.model, fit.parameters, changed, options);
    FoundMisfit other = misfit_from(problem.model, estimate, changed, options);
    if (other.misfit < found.misfit) found = std::move(other);
    misfits[i] = found.misfit;
    if (i == 0) as_given = std::move(found.residuals);
  };
  parallel_for(misfits.size(), search, {.threads = given.threads, .stop = given.search.stop});
  count_on_the_others(data, as_given, readings, misfits);
  return misfits;
}

// How many samples the work allows.
Index fit_samples(const FitProblem& problem, std::size_t readings) {
  const auto states = static_cast<double>(problem.model.model().states().size());
  const auto unknowns = static_cast<double>(problem.model.model().parameters().size());
  const double work = std::max(states, 1.0) * (unknowns + 1.0) * static_cast<double>(readings);
  return std::min(kMostFitSamples, static_cast<Index>(kMostFitWork / work));
}

}  // namespace

std::vector<Alternative> find_equation_alternatives(const FitProblem& problem,
                                                    const EquationFit& fit) {
  const SimulationOptions& simulation = problem.options.output_error.simulation;
  Readings readings = fit_readings(fit, simulation);
  const Index most = fit_samples(problem, readings.size());
  if (most < kLeastFitSamples) return {};
  const bool periodic = simulation.start == StartState::Periodic;
  if (periodic && measured_samples(problem.data) > 10 * most) return {};
  const Experiments data =
      without(with_weights(problem.data, problem.options.output_error.experiment_weights),
              fit.estimate.outliers);
  const Experiments part = periodic ? data : first_samples(data, most, kLeastFitSamples);
  // Given starts belong to all experiments.
  if (simulation.start_values.size() == 0 || simulation.start == StartState::Free) {
    add_omissions(part.size(), readings);
  }
  return clearly_better(readings, fit_misfits(problem, fit, part, readings),
                        static_cast<double>(measured_samples(part)));
}

}  // namespace alembert::identify
