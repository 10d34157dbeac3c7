#include "identify/output_error/equation_fit/validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "alembert/core/not_a_number.hpp"
#include "identify/output_error/loss/robust.hpp"
#include "identify/output_error/pieces/piecewise_prediction.hpp"
#include "identify/verdict/fit_evidence.hpp"
#include "identify/verdict/unsure.hpp"

namespace alembert::identify {
namespace {

constexpr int kMostStartFits = 10;           // of fits without outliers
constexpr Eigen::Index kSamplesOfStart = 5;  // for each start value of a window

using Eigen::Index;
using Eigen::VectorXd;

// Samples `first` to `first + count - 1` of an experiment.
Experiment part_of(const Experiment& whole, Index first, Index count) {
  return {.input = whole.input.middleRows(first, count),
          .output = whole.output.middleRows(first, count),
          .step = whole.step,
          .start_time = whole.start_time + static_cast<double>(first) * whole.step};
}

Index start_samples(const FitProblem& problem) {
  const Index given = problem.options.validation.start_samples;
  return given > 0
             ? given
             : kStartSamplesPerState * static_cast<Index>(problem.model.model().states().size());
}

// From the start that fits best; with a loss without the samples that it then misses.
EquationPrediction fitted_to(const FitProblem& problem, const VectorXd& parameters,
                             const Experiment& part, const SimulationOptions& options) {
  Experiments used = {part};
  EquationPrediction found = simulate_equations(problem.model, parameters, used, options);
  const bool robust = problem.options.output_error.loss != Loss::Squares;
  for (int turn = 0; robust && turn < kMostStartFits && found.ok(); ++turn) {
    const std::vector<Outlier> far =
        far_samples(used, found.outputs, residual_scales(used, found.outputs));
    // Enough must be left to tell the states.
    const auto states = static_cast<Index>(problem.model.model().states().size());
    const auto left = measured_samples(used) - static_cast<Index>(far.size());
    if (far.empty() || left <= 2 * states) break;
    used = without(std::move(used), far);
    found = simulate_equations(problem.model, parameters, used, options);
  }
  return found;
}

// The start that fits the first samples best, the parameters held.
VectorXd fitted_start(const FitProblem& problem, const OutputErrorResult& estimate, std::size_t e,
                      EquationValidation& validation) {
  const Experiment& whole = problem.options.held_back[e];
  const bool all = problem.options.validation.start == ValidationStart::Free;
  const Index samples = all ? whole.samples() : std::min(start_samples(problem), whole.samples());
  SimulationOptions options = problem.options.output_error.simulation;
  options.start = StartState::Free;
  options.start_values.resize(0, 0);
  options.start_weights = estimate.weights;
  const Experiment part = part_of(whole, 0, samples);
  std::vector<std::string>& warnings = validation.warnings;
  const auto states = static_cast<Index>(problem.model.model().states().size());
  if (part.output.array().isNaN().all()) {
    warnings.push_back(
        fmt::format("the first {} samples of held-back experiment {} are missing; the start of the "
                    "model is taken. Raise {}",
                    samples, e + 1, problem.options.names.start_samples));
    return VectorXd::Constant(states, kNaN);
  }
  const EquationPrediction found = fitted_to(problem, estimate.parameters, part, options);
  if (!found.ok()) {
    warnings.push_back(fmt::format("the start of held-back experiment {} was not found: {}", e + 1,
                                   found.message));
    return VectorXd::Constant(states, kNaN);
  }
  if (!found.starts_seen) {
    warnings.push_back(
        fmt::format("the first {} samples of held-back experiment {} do not tell all states at its "
                    "start; raise {}",
                    samples, e + 1, problem.options.names.start_samples));
  }
  return found.starts.col(0);
}

void warn_about_first_samples(const FitProblem& problem, std::size_t e,
                              std::vector<std::string>& warnings) {
  const std::vector<std::string>& states = problem.model.model().states();
  const std::vector<std::string>& outputs = problem.model.model().outputs();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const bool state = std::find(states.begin(), states.end(), outputs[i]) != states.end();
    if (!state || !std::isnan(problem.options.held_back[e].output(0, static_cast<Index>(i)))) {
      continue;
    }
    warnings.push_back(
        fmt::format("{} has no first sample in held-back experiment {}; the start of the model is "
                    "taken for it",
                    outputs[i], e + 1));
  }
}

void add_to(EquationPrediction& all, const EquationPrediction& one) {
  if (!one.ok() && all.ok()) static_cast<Outcome&>(all) = one;
  all.outputs.insert(all.outputs.end(), one.outputs.begin(), one.outputs.end());
  all.residuals.insert(all.residuals.end(), one.residuals.begin(), one.residuals.end());
}

// Each experiment from a start of its own.
void simulate_from_starts(const FitProblem& problem, const OutputErrorResult& estimate,
                          EquationValidation& validation) {
  SimulationOptions options = problem.options.output_error.simulation;
  const bool data = problem.options.validation.start == ValidationStart::Data;
  options.start = data ? StartState::Data : StartState::Model;
  for (std::size_t e = 0; e < problem.options.held_back.size(); ++e) {
    options.start_values.resize(0, 0);
    if (data) {
      warn_about_first_samples(problem, e, validation.warnings);
    } else {
      options.start_values = fitted_start(problem, estimate, e, validation);
    }
    const EquationPrediction one = simulate_equations(problem.model, estimate.parameters,
                                                      {problem.options.held_back[e]}, options);
    validation.starts.emplace_back(one.starts.col(0));
    add_to(validation.prediction, one);
  }
}

// The data used and what follows them are one record; of its simulation the last part counts.
void simulate_on(const FitProblem& problem, const OutputErrorResult& estimate,
                 EquationValidation& validation) {
  const Experiments& held_back = problem.options.held_back;
  Experiments whole;
  for (std::size_t e = 0; e < held_back.size(); ++e) {
    const Experiment& used = problem.data[e];
    const Experiment& held = held_back[e];
    Experiment joined;
    joined.step = used.step;
    joined.start_time = used.start_time;
    joined.input.resize(used.samples() + held.samples(), used.input.cols());
    joined.input << used.input, held.input;
    joined.output.resize(joined.input.rows(), used.output.cols());
    joined.output << used.output, held.output;
    whole.push_back(std::move(joined));
  }
  SimulationOptions options = problem.options.output_error.simulation;
  const auto count = static_cast<Index>(held_back.size());
  if (options.start == StartState::Free) {
    options.start = StartState::Model;
    options.start_values = estimate.prediction.starts.leftCols(count);
  } else if (options.start_values.size() > 0) {
    options.start_values = options.start_values.leftCols(count).eval();
  }
  validation.prediction = simulate_equations(problem.model, estimate.parameters, whole, options);
  for (std::size_t e = 0; e < validation.prediction.outputs.size(); ++e) {
    const Index last = held_back[e].samples();
    for (std::vector<Eigen::MatrixXd>* list :
         {&validation.prediction.outputs, &validation.prediction.residuals}) {
      (*list)[e] = Eigen::MatrixXd((*list)[e].bottomRows(last));
    }
  }
}

// States at the beginning of each window were fitted to its own samples and took their share of the
// residuals: with n states in W windows and N samples σ² = Σ r²/(N − n W).
void allow_for_starts(const FitProblem& problem, const std::vector<Eigen::MatrixXd>& residuals,
                      EquationValidation& validation) {
  const ValidationSettings& settings = problem.options.validation;
  if (!(settings.window > 0.0) || settings.ahead) return;
  Index measured = 0;
  for (const Eigen::MatrixXd& one : residuals) {
    measured += one.size() - one.array().isNaN().count();
  }
  const auto states = static_cast<Index>(problem.model.model().states().size());
  const Index starts = states * pieces_in(problem.options.held_back, settings.window);
  if (measured < kSamplesOfStart * starts) {
    validation.warnings.push_back(fmt::format(
        "windows of the held-back data have {} samples for {} start values: so short ones fit "
        "whatever the model is; take longer ones",
        measured, starts));
  }
  const double left = static_cast<double>(std::max<Index>(measured - starts, 1));
  const double factor = std::sqrt(static_cast<double>(measured) / left);
  for (ResidualVerdict& one : validation.outputs) {
    one.rms *= factor;
    one.fit = 100.0 - factor * (100.0 - one.fit);
  }
}

// The verdict without the samples that are not scored.
void score(const FitProblem& problem, EquationValidation& validation) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const Index skip = problem.options.validation.skip;
  Experiments data = problem.options.held_back;
  std::vector<Eigen::MatrixXd> residuals = validation.prediction.residuals;
  const std::vector<Eigen::MatrixXd>& outputs = validation.prediction.outputs;
  const bool robust = problem.options.output_error.loss != Loss::Squares;
  const std::vector<Outlier> missed =
      robust ? far_samples(data, outputs, residual_scales(data, outputs))
             : missed_samples(data, outputs, gross_samples(data));
  for (const Outlier& one : missed) {
    const auto output = static_cast<Index>(one.output);
    data[one.experiment].output(one.sample, output) = none;
    residuals[one.experiment](one.sample, output) = none;
  }
  if (!missed.empty() && !robust) {
    validation.warnings.push_back(
        fmt::format("{} of the held-back samples lie far outside of their record and are not "
                    "scored; the first is sample {} of experiment {}",
                    missed.size(), missed.front().sample + 1, missed.front().experiment + 1));
  }
  for (std::size_t e = 0; e < data.size(); ++e) {
    data[e].output.topRows(skip).setConstant(none);
    residuals[e].topRows(skip).setConstant(none);
  }
  validation.outputs = residual_verdicts(data, residuals);
  allow_for_starts(problem, residuals, validation);
  validation.prediction.rms.resize(static_cast<Index>(validation.outputs.size()));
  for (Index i = 0; i < validation.prediction.rms.size(); ++i) {
    validation.prediction.rms(i) = validation.outputs[static_cast<std::size_t>(i)].rms;
  }
}

// As the model itself starts, or from its steady state.
void simulate_plainly(const FitProblem& problem, const VectorXd& parameters,
                      EquationValidation& validation) {
  SimulationOptions options = problem.options.output_error.simulation;
  options.start = problem.options.validation.start == ValidationStart::Periodic
                      ? StartState::Periodic
                      : StartState::Model;
  options.start_values.resize(0, 0);  // those of the data used
  validation.prediction =
      simulate_equations(problem.model, parameters, problem.options.held_back, options);
}

// Window by window, each from a start of its own or from the end of the one before.
void simulate_in_windows(const FitProblem& problem, const OutputErrorResult& estimate,
                         EquationValidation& validation) {
  const ValidationSettings& settings = problem.options.validation;
  SimulationOptions options = problem.options.output_error.simulation;
  options.start_weights = estimate.weights;
  validation.prediction =
      predict_in_pieces(problem.model, estimate.parameters, problem.options.held_back, options,
                        {.length = settings.window, .ahead = settings.ahead});
}

EquationValidation simulate_held_back(const FitProblem& problem,
                                      const OutputErrorResult& estimate) {
  EquationValidation validation;
  if (problem.options.validation.window > 0.0) {
    simulate_in_windows(problem, estimate, validation);
    if (validation.prediction.ok()) score(problem, validation);
    return validation;
  }
  switch (problem.options.validation.start) {
    case ValidationStart::Estimate:
    case ValidationStart::Free:
    case ValidationStart::Data:
      simulate_from_starts(problem, estimate, validation);
      break;
    case ValidationStart::Continue:
      simulate_on(problem, estimate, validation);
      break;
    case ValidationStart::Model:
    case ValidationStart::Periodic:
      simulate_plainly(problem, estimate.parameters, validation);
      break;
  }
  if (validation.prediction.ok()) score(problem, validation);
  return validation;
}

// The estimate moved by a change of the parameters that the statistics name; tied ones follow.
OutputErrorResult estimate_moved_by(const EquationFit& fit, const VectorXd& change) {
  OutputErrorResult moved = fit.estimate;
  const std::vector<std::string>& names = fit.estimate.trusted().names;
  for (std::size_t i = 0; i < fit.parameters.size(); ++i) {
    const optimize::Parameter& one = fit.parameters[i];
    const std::string& name = one.tie ? one.tie->other : one.name;
    const auto found = std::find(names.begin(), names.end(), name);
    if (one.fixed || found == names.end()) continue;
    double& value = moved.parameters(static_cast<Index>(i));
    value += (one.tie ? one.tie->factor : 1.0) * change(found - names.begin());
    value = std::clamp(value, one.lower, one.upper);
  }
  return moved;
}

// Mean square of the change of output i over all held-back samples that are scored.
double mean_square_change(const FitProblem& problem, const EquationPrediction& a,
                          const EquationPrediction& b, Index i) {
  const Index skip = problem.options.validation.skip;
  double sum = 0.0;
  Index count = 0;
  for (std::size_t e = 0; e < a.outputs.size(); ++e) {
    const Index rest = a.outputs[e].rows() - skip;
    sum += (a.outputs[e] - b.outputs[e]).col(i).tail(rest).squaredNorm();
    count += rest;
  }
  return sum / static_cast<double>(count);
}

// What the parameters leave open of the prediction.
VectorXd unsure_outputs(const FitProblem& problem, const EquationFit& fit,
                        const EquationValidation& validation) {
  constexpr double kNotKnown = std::numeric_limits<double>::infinity();
  const Eigen::MatrixXd directions = unsure_directions(fit.estimate.trusted());
  const Index outputs = validation.prediction.rms.size();
  if (directions.cols() == 0) return VectorXd::Zero(outputs);  // excuses nothing
  Eigen::MatrixXd moved = Eigen::MatrixXd::Constant(directions.cols(), outputs, kNotKnown);
  for (Index k = 0; k < directions.cols(); ++k) {
    const EquationValidation other =
        simulate_held_back(problem, estimate_moved_by(fit, directions.col(k)));
    if (!other.prediction.ok()) continue;
    for (Index i = 0; i < outputs; ++i) {
      moved(k, i) = mean_square_change(problem, other.prediction, validation.prediction, i);
    }
  }
  VectorXd unsure(outputs);
  for (Index i = 0; i < outputs; ++i) unsure(i) = std::sqrt(unsure_mean_square(moved.col(i)));
  return unsure;
}

}  // namespace

void validate_fit(const FitProblem& problem, EquationFit& fit) {
  if (problem.options.held_back.empty() || !fit.has_prediction()) return;
  EquationValidation validation = simulate_held_back(problem, fit.estimate);
  if (validation.prediction.ok()) {
    const VectorXd& rms = validation.prediction.rms;
    const bool worse = (rms.array() > kWorsePrediction * fit.estimate.prediction.rms.array()).any();
    validation.unsure =
        worse ? unsure_outputs(problem, fit, validation) : VectorXd::Zero(rms.size()).eval();
  }
  fit.validation = std::move(validation);
}

}  // namespace alembert::identify
