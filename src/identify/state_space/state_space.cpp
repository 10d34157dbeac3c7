#include "alembert/identify/state_space/state_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"
#include "identify/state_space/deviations.hpp"
#include "identify/state_space/innovations.hpp"
#include "identify/state_space/order_choice.hpp"
#include "identify/state_space/state_space_evidence.hpp"
#include "identify/subspace/steps.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using namespace state_space;

constexpr Index kLines = 400;             // of the frequency response
constexpr Index kStepSamples = 400;       // of the step response
constexpr Index kStartShare = 4;          // of a record, at most, estimates its start state
constexpr double kWorthOfGain = 0.98;     // of the residual that a gain may leave, to be kept
constexpr double kStepNepers = 5.0;       // that the slowest pole decays in it
constexpr double kSlowBlockRows = 0.05;   // of the rate over the highest frequency: more rows
constexpr double kLargestStretch = 20.0;  // of block rows

VectorXd rms_of(const Experiments& data, bool inputs) {
  const Index channels = inputs ? data.front().input.cols() : data.front().output.cols();
  VectorXd sum = VectorXd::Zero(channels);
  Index rows = 0;
  for (const Experiment& one : data) {
    sum += (inputs ? one.input : one.output).colwise().squaredNorm().transpose();
    rows += one.samples();
  }
  return (sum / static_cast<double>(rows)).cwiseSqrt();
}

void check_alive(const VectorXd& scale, const char* kind) {
  for (Index i = 0; i < scale.size(); ++i) {
    if (scale(i) > 0.0) continue;
    throw InvalidInput(
        {.function = "identify_state_space",
         .rule = fmt::format("{} {} is zero throughout; a dead channel?", kind, i + 1)});
  }
}

Samples scaled_samples(const Experiments& data, const Scales& scales) {
  Samples samples{.inputs = {}, .outputs = {}, .step = data.front().step};
  for (const Experiment& one : data) {
    samples.inputs.emplace_back(one.input * scales.input.cwiseInverse().asDiagonal());
    samples.outputs.emplace_back(one.output * scales.output.cwiseInverse().asDiagonal());
  }
  return samples;
}

// Slow outputs need a longer past and future in samples.
double stretch_of(const Experiments& data) {
  const double frequency = realisation::fastest_frequency(data);
  if (!(frequency > 0.0)) return 1.0;
  return std::clamp(kSlowBlockRows / (frequency * data.front().step), 1.0, kLargestStretch);
}

// y - J u simulated from rest and the free motions: x(0) by least squares over the first samples.
VectorXd start_state(const DiscreteModel& model, const Experiment& data, Index samples) {
  const Index n = model.F.rows();
  const Index rows = std::min({samples, data.samples(), std::max(data.samples() / kStartShare, n)});
  const Index l = model.H.rows();
  MatrixXd free(rows * l, n);
  VectorXd side(rows * l);
  VectorXd x = VectorXd::Zero(n);
  MatrixXd motion = MatrixXd::Identity(n, n);
  for (Index k = 0; k < rows; ++k) {
    const VectorXd u = data.input.row(k).transpose();
    free.middleRows(k * l, l) = model.H * motion;
    side.segment(k * l, l) = data.output.row(k).transpose() - model.H * x - model.J * u;
    x = model.F * x + model.G * u;
    motion = model.F * motion;
  }
  return n == 0 ? x : VectorXd(dense::least_squares(free, side));
}

MatrixXd simulation(const DiscreteModel& model, const Experiment& data, const VectorXd& start) {
  MatrixXd y(data.samples(), model.H.rows());
  VectorXd x = start;
  for (Index k = 0; k < data.samples(); ++k) {
    const VectorXd u = data.input.row(k).transpose();
    y.row(k) = (model.H * x + model.J * u).transpose();
    x = model.F * x + model.G * u;
  }
  return y;
}

// 100 (1 - |y - ŷ|/|y - mean y|) of each output, over all experiments.
VectorXd fit_percent(const Experiments& data, const std::vector<MatrixXd>& model, VectorXd* rms) {
  const Index l = data.front().output.cols();
  VectorXd left = VectorXd::Zero(l);
  VectorXd size = VectorXd::Zero(l);
  Index rows = 0;
  for (std::size_t e = 0; e < data.size(); ++e) {
    const MatrixXd& y = data[e].output;
    left += (y - model[e]).colwise().squaredNorm().transpose();
    size += (y.rowwise() - y.colwise().mean()).colwise().squaredNorm().transpose();
    rows += y.rows();
  }
  if (rms != nullptr) *rms = (left / static_cast<double>(rows)).cwiseSqrt();
  return 100.0 * (1.0 - left.cwiseQuotient(size).cwiseSqrt().array());
}

StateSpaceFit judged(const DiscreteModel& model, const Experiments& data, MatrixXd start,
                     const StateSpaceOptions& options) {
  StateSpaceFit fit;
  fit.start = std::move(start);
  const auto start_of = [&](std::size_t e) { return fit.start.col(static_cast<Index>(e)); };
  for (std::size_t e = 0; e < data.size(); ++e) {
    fit.simulated.push_back(simulation(model, data[e], start_of(e)));
  }
  VectorXd rms;
  const VectorXd percent = fit_percent(data, fit.simulated, &rms);
  for (Index o = 0; o < percent.size(); ++o) {
    fit.outputs.push_back({.fit_percent = percent(o), .residual = rms(o)});
  }
  if (model.gain.size() == 0) return fit;
  fit.predicted.resize(percent.size(), 2);
  for (const Index s : {0, 1}) {
    std::vector<MatrixXd> ahead;
    for (std::size_t e = 0; e < data.size(); ++e) {
      ahead.push_back(predict_ahead(model, data[e], start_of(e), s == 0 ? 1 : options.steps_ahead));
    }
    fit.predicted.col(s) = fit_percent(data, ahead, nullptr);
  }
  return fit;
}

// The gain stays if one step ahead it predicts better than the simulation.
void add_gain(const Experiments& data, StateSpace& result) {
  std::vector<MatrixXd> residuals;
  for (std::size_t e = 0; e < data.size(); ++e) {
    residuals.emplace_back(data[e].output - result.estimation.simulated[e]);
  }
  const std::optional<GainFit> gain = innovation_gain(result.model, residuals);
  if (!gain) {
    result.notes.emplace_back(
        "the residual does not give a Kalman gain: the model has the output-error form");
    return;
  }
  DiscreteModel trial = result.model;
  trial.gain = gain->gain;
  std::vector<MatrixXd> ahead;
  for (std::size_t e = 0; e < data.size(); ++e) {
    ahead.push_back(
        predict_ahead(trial, data[e], result.estimation.start.col(static_cast<Index>(e)), 1));
  }
  const double missed = 100.0 - fit_percent(data, ahead, nullptr).mean();
  if (!(missed < kWorthOfGain * (100.0 - result.estimation.mean_fit()))) {
    result.notes.emplace_back(
        "one sample ahead a Kalman gain predicts no better than the simulation: the model has the "
        "output-error form");
    return;
  }
  result.model.gain = gain->gain;
  result.model.noise = gain->noise;
}

MatrixXd residual_covariance(const Experiments& data, const StateSpaceFit& fit) {
  const Index l = data.front().output.cols();
  MatrixXd sum = MatrixXd::Zero(l, l);
  Index rows = 0;
  for (std::size_t e = 0; e < data.size(); ++e) {
    const MatrixXd v = data[e].output - fit.simulated[e];
    sum += v.transpose() * v;
    rows += v.rows();
  }
  return sum / static_cast<double>(rows);
}

VectorXd response_frequencies(const StateSpace& result, const Samples& samples,
                              const StateSpaceOptions& options) {
  const double nyquist = 0.5 / samples.step;
  const double lowest = 1.0 / (samples.step * static_cast<double>(samples.longest()));
  const double from = std::max(options.from_hz.value_or(0.0), lowest);
  const double to = std::min(options.to_hz.value_or(nyquist), nyquist);
  std::vector<double> lines;
  for (Index k = 0; k < kLines; ++k) {
    lines.push_back(from + (to - from) * static_cast<double>(k) / static_cast<double>(kLines - 1));
  }
  // The tops of light resonances lie between even lines.
  for (const StatePole& pole : result.poles) {
    for (const double places : {-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0}) {
      const double f = pole.frequency_hz * (1.0 + places * pole.damping_ratio);
      if (f > from && f < to && pole.damping_ratio < 0.1) lines.push_back(f);
    }
  }
  std::sort(lines.begin(), lines.end());
  return Eigen::Map<const VectorXd>(lines.data(), static_cast<Index>(lines.size()));
}

// Samples between the points of the step response, so that the slowest pole settles.
Index step_stride(const StateSpace& result, Index longest) {
  double slowest = 1.0;
  for (const StatePole& pole : result.poles) {
    slowest = std::min(slowest, -std::log(std::min(std::abs(pole.z), 1.0 - 1e-12)));
  }
  const double wanted = std::min(kStepNepers / slowest, static_cast<double>(longest));
  return std::max<Index>(1, static_cast<Index>(wanted / static_cast<double>(kStepSamples - 1)));
}

void add_deviations(const Samples& samples, const ResponseProblem& problem, const ResponseFit& fit,
                    const Scales& scales, const StateSpaceOptions& options, StateSpace& result) {
  const BlockScores scores = block_scores(problem, fit, options.blocks);
  result.poles = state_poles(fit, scores, samples.step);
  std::sort(result.poles.begin(), result.poles.end(),
            [](const StatePole& a, const StatePole& b) { return a.frequency_hz < b.frequency_hz; });
  result.frequency_response =
      frequency_band(problem, fit, scores, scales, response_frequencies(result, samples, options));
  result.step_response =
      step_band(problem, fit, scores, scales, kStepSamples, step_stride(result, samples.longest()));
  if (options.refine && !fit.poles.empty()) {
    const HalfRatios ratios = disagreement_of_halves(samples, problem, fit, options.blocks);
    result.halves = ratios.median;
    result.largest_half = ratios.largest;
    result.largest_half_hz = ratios.largest_hz;
  }
}

void check_data(const Experiments& data, const Experiments& validation,
                const StateSpaceOptions& options) {
  const char* function = "identify_state_space";
  check_experiments(function, data);
  if (!validation.empty()) check_experiments(function, validation);
  check::at_least(function, "order_step", options.order_step, 1);
  check::at_least(function, "blocks", options.blocks, 4);
  check::at_least(function, "steps_ahead", options.steps_ahead, 1);
  check::at_least(function, "largest_order", options.largest_order, options.order_step);
  for (const Experiments* each : {&data, &validation}) {
    if (each->empty() || !has_missing(*each)) continue;
    throw InvalidInput({.function = function, .rule = "the records must have no missing samples"});
  }
  if (data.front().input.cols() == 0) {
    throw InvalidInput({.function = function, .rule = "the records must have inputs"});
  }
}

}  // namespace

double StateSpaceFit::mean_fit() const {
  double sum = 0.0;
  for (const OutputFit& one : outputs) sum += one.fit_percent;
  return sum / static_cast<double>(outputs.size());
}

double StateSpaceFit::worst_fit() const {
  double least = std::numeric_limits<double>::infinity();
  for (const OutputFit& one : outputs) least = std::min(least, one.fit_percent);
  return least;
}

std::vector<StabilityPoint> state_space_diagram(const Experiments& data, Index largest_order,
                                                Index horizon) {
  StateSpaceOptions options;
  options.largest_order = largest_order;
  options.horizon = horizon;
  check_data(data, {}, options);
  const Scales scales{rms_of(data, true), rms_of(data, false)};
  check_alive(scales.input, "input");
  check_alive(scales.output, "output");
  const Samples samples = scaled_samples(data, scales);
  return start_diagram(
      start_poles(samples, start_horizons(samples, 1.0, options).front(), largest_order),
      samples.step);
}

StateSpace identify_state_space(const Experiments& data, const Experiments& validation,
                                const StateSpaceOptions& options) {
  check_data(data, validation, options);
  const Scales scales{rms_of(data, true), rms_of(data, false)};
  check_alive(scales.input, "input");
  check_alive(scales.output, "output");
  const Samples samples = scaled_samples(data, scales);
  const std::vector<Index> horizons = start_horizons(samples, stretch_of(data), options);
  StartOfOrder start = choose_start(samples, horizons, options);
  const FitRules rules{.feedthrough = options.feedthrough,
                       .largest_radius = largest_radius(samples.longest(), options.stable),
                       .iterations = options.refine ? options.iterations : 0};
  const ResponseProblem problem(samples, rules);
  const ResponseFit fit = fit_responses(problem, problem.driven(start.poles));

  StateSpace result;
  result.status = fit.status;
  result.message = fit.message;
  result.iterations = fit.iterations;
  result.singular_values = std::move(start.singular_values);
  result.order = start.order;
  result.horizon = start.horizon;
  result.reflected = start.reflected;
  result.dropped = start.dropped;
  result.trials = std::move(start.trials);
  result.reason = std::move(start.reason);
  result.model =
      discrete_model(fit.model(options.feedthrough), samples.step, scales.input, scales.output);
  result.estimation = judged(result.model, data, result.model.start, options);
  result.model.noise = residual_covariance(data, result.estimation);
  if (options.form == StateSpaceForm::Innovation) {
    add_gain(data, result);
    result.estimation = judged(result.model, data, result.model.start, options);
  }
  if (!validation.empty()) {
    MatrixXd starts(result.model.F.rows(), static_cast<Index>(validation.size()));
    for (std::size_t e = 0; e < validation.size(); ++e) {
      starts.col(static_cast<Index>(e)) =
          start_state(result.model, validation[e], options.start_samples);
    }
    result.validation = judged(result.model, validation, starts, options);
  }
  add_deviations(samples, problem, fit, scales, options, result);
  result.verdict = state_space_verdict(result, options);
  return result;
}

}  // namespace alembert::identify
