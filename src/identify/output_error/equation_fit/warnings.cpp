#include "identify/output_error/equation_fit/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/text.hpp"
#include "identify/output_error/equation_fit/finer_steps.hpp"
#include "identify/output_error/equation_fit/parameter_verdict.hpp"
#include "identify/verdict/fit_evidence.hpp"

namespace alembert::identify {
namespace {

constexpr double kFitFalseAlarmRate = 0.001;  // of the correlation with the inputs, all together
constexpr double kFitIsExact = 1e-9;  // part of an output that is left, as rounding leaves it
// Relative deviation up to which a correlation does no harm: the deviations have it in them. From
// there on a parameter is hardly known, as elsewhere in the verdict.
constexpr double kWellKnown = 0.5;
constexpr double kPoorFit = 30.0;  // %
constexpr double kByChance = 4.0;  // standard deviations of that ratio; 1/√(2n) for each rms
constexpr double kUnstableGrowth = 7.0;  // ln of the growth of a change of the start: a thousand
constexpr double kLostGrowth =
    9.2;  // ten thousand: a start that is right to four digits is not enough

using Verdicts = std::vector<ResidualVerdict>;

void warn_about_parameters(EquationFit& fit) {
  const OutputErrorResult& estimate = fit.estimate;
  for (const std::string& name : estimate.at_bound) {
    fit.warnings.push_back(fmt::format(
        "{} ended at its bound: widen it if it is not physical; the standard deviations of the "
        "others take it for known",
        name));
  }
  for (const optimize::Direction& direction : estimate.statistics.null_directions) {
    fit.warnings.push_back(
        fmt::format("the data do not determine this change of parameters: {}", direction.words));
  }
  const optimize::EstimateStatistics& trusted = estimate.trusted();
  for (const optimize::CorrelatedParameters& pair : trusted.correlated) {
    const double deviation = std::max(known_relative_deviation(trusted, pair.first),
                                      known_relative_deviation(trusted, pair.second));
    if (deviation < kWellKnown) {
      fit.remarks.push_back(fmt::format(
          "{} and {} are strongly correlated, {:.3f}, though each is known to {:.2g} % or better",
          pair.first, pair.second, pair.correlation, 100.0 * deviation));
    } else {
      fit.warnings.push_back(
          fmt::format("{} and {} are strongly correlated, {:.3f}, and one of them is known to "
                      "{:.0f} % only",
                      pair.first, pair.second, pair.correlation, 100.0 * deviation));
    }
  }
}

std::vector<std::string> not_white(const EquationFit& fit) {
  std::vector<std::string> names;
  for (const std::size_t i : coloured_outputs(fit.estimate.outputs)) {
    names.push_back(fit.output_names[i]);
  }
  return names;
}

void warn_about_jumps(const EquationFitNames& names, EquationFit& fit) {
  if (!fit.estimate.jumps) return;
  fit.warnings.push_back(
      fmt::format("the equations jump along the record (sign or floor): no standard "
                  "deviations are given, since derivatives do not see the jumps; use "
                  "smooth_sign(v, w) with a small w, or steps that end at the jumps ({})",
                  names.events));
}

void warn_about_colour(EquationFit& fit) {
  const std::vector<std::string> coloured = not_white(fit);
  if (coloured.empty()) return;
  const OutputErrorResult& estimate = fit.estimate;
  const bool allowed_for = estimate.robust.deviations.size() > 0;
  fit.warnings.push_back(
      fmt::format("the residuals of {} are not white: the noise is coloured, or the model misses "
                  "something; {}",
                  join(coloured, ", "),
                  allowed_for      ? "the standard deviations allow for coloured noise, not for a "
                                     "model that misses something"
                  : estimate.jumps ? "there are no standard deviations"
                                   : "the standard deviations are too small"));
  const std::string doubt = optimize::doubt_of(estimate.coloured);
  if (allowed_for && !doubt.empty()) fit.warnings.push_back(doubt);
}

// What grows along a record shows in the residuals, or in what finer steps change. Where neither is
// seen, whole records were simulated down to their noise in spite of it.
bool follows_to_the_noise(const EquationFit& fit) {
  const bool fits = std::none_of(fit.estimate.outputs.begin(), fit.estimate.outputs.end(),
                                 [](const ResidualVerdict& one) { return one.fit < kPoorFit; });
  return fits && not_white(fit).empty() && fit.estimate.step_error <= kLargeStepError &&
         fit.estimate.growth < kLostGrowth;
}

void warn_about_growth(const EquationFitNames& names, EquationFit& fit) {
  if (fit.estimate.windows > 0 || !(fit.estimate.growth > kUnstableGrowth)) return;
  const std::string words = fmt::format(
      "the model is unstable along the record, a change of its start grows by a factor of 1e{:.0f}",
      fit.estimate.growth / std::log(10.0));
  if (follows_to_the_noise(fit)) {
    fit.remarks.push_back(words + "; it follows the record to the noise all the same");
    return;
  }
  fit.warnings.push_back(
      fmt::format("{}: small faults decide the simulation; use windows with free start states ({})",
                  words, names.window));
}

void warn_about_residuals(const EquationFitNames& names, EquationFit& fit) {
  const Verdicts& outputs = fit.estimate.outputs;
  if (!fit.estimate.note.empty()) fit.warnings.push_back(fit.estimate.note);
  warn_about_growth(names, fit);
  warn_about_jumps(names, fit);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!(1.0 - outputs[i].fit / 100.0 < kFitIsExact)) continue;
    fit.warnings.push_back(fmt::format(
        "{} is followed to the last digits: data without noise? The standard deviations then say "
        "nothing",
        fit.output_names[i]));
  }
  warn_about_colour(fit);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!(outputs[i].fit < kPoorFit)) continue;
    fit.warnings.push_back(
        fmt::format("poor fit of {}, {} %: the model is wrong, or the search ended in a local "
                    "minimum; try guesses that are nearer, or {}",
                    fit.output_names[i], fit_words(outputs[i].fit), names.starts));
  }
  if (std::isinf(fit.estimate.step_error)) {
    fit.warnings.push_back(
        fmt::format("with finer steps the model cannot be simulated: check {} or {}",
                    names.substeps, names.relative_tolerance));
  } else if (fit.estimate.step_error > kLargeStepError) {
    fit.warnings.push_back(
        fmt::format("finer steps change the simulation by {:.2g} of the residual; raise "
                    "{}, or lower {}",
                    fit.estimate.step_error, names.substeps, names.relative_tolerance));
  }
}

// Where residuals are not white the test would cry wolf, and that has been said already.
void warn_about_inputs_left(EquationFit& fit) {
  const double limit =
      kFitFalseAlarmRate / static_cast<double>(std::max<std::size_t>(fit.inputs.size(), 1));
  const std::vector<std::string> coloured = not_white(fit);
  for (const InputCorrelation& one : fit.inputs) {
    const std::string& output = fit.output_names[one.output];
    if (!(one.p_value < limit) ||
        std::find(coloured.begin(), coloured.end(), output) != coloured.end()) {
      continue;
    }
    fit.warnings.push_back(fmt::format(
        "the residuals of {} follow the input {}, correlation {:.2f} at a lag of {} samples: the "
        "model misses something between them",
        output, fit.input_names[one.input], one.values(one.lag), one.lag));
  }
}

double samples_in(const std::vector<Eigen::MatrixXd>& residuals, Eigen::Index column) {
  Eigen::Index count = 0;
  for (const Eigen::MatrixXd& one : residuals) {
    count += one.rows() - one.col(column).array().isNaN().count();
  }
  return static_cast<double>(std::max<Eigen::Index>(count, 1));
}

void warn_about_validation(EquationFit& fit) {
  if (!fit.validation) return;
  for (const std::string& warning : fit.validation->warnings) {
    fit.warnings.push_back(warning);
  }
  const EquationPrediction& prediction = fit.validation->prediction;
  if (!prediction.ok()) {
    fit.warnings.push_back("the held-back data cannot be simulated: " + prediction.message);
    return;
  }
  std::vector<std::string> worse;
  for (Eigen::Index i = 0; i < prediction.rms.size(); ++i) {
    const double ratio = prediction.rms(i) / fit.estimate.prediction.rms(i);
    const double chance =
        kByChance * std::sqrt(0.5 / samples_in(prediction.residuals, i) +
                              0.5 / samples_in(fit.estimate.prediction.residuals, i));
    // And beyond what the parameters leave open.
    const double limit = std::hypot(std::max(kWorsePrediction, 1.0 + chance),
                                    fit.validation->unsure(i) / fit.estimate.prediction.rms(i));
    if (!(ratio > limit)) continue;
    worse.push_back(
        fmt::format("{} ({:.2g} x)", fit.output_names[static_cast<std::size_t>(i)], ratio));
  }
  if (worse.empty()) return;
  fit.warnings.push_back(
      fmt::format("held-back data are simulated worse than the data used, rms over rms: {}",
                  join(worse, ", ")));
}

void warn_about_profiles(bool wanted, EquationFit& fit) {
  if (wanted && fit.estimate.windows > 0) {
    fit.warnings.push_back(
        "no profiles: the estimate is that of windows with free start states, not of whole "
        "records");
  }
  for (const ParameterProfile& profile : fit.profiles) {
    if (profile.interval.ok()) continue;
    fit.warnings.push_back(
        fmt::format("profile of {}: {}", profile.name, profile.interval.message));
  }
}

}  // namespace

std::string fit_words(double fit) {
  return fit < -1000.0 ? "below -1000" : fmt::format("{:.1f}", fit);
}

void warn_about_fit(const EquationFitOptions& options, EquationFit& fit) {
  warn_about_parameters(fit);
  if (!fit.has_prediction()) return;
  warn_about_residuals(options.names, fit);
  warn_about_inputs_left(fit);
  warn_about_validation(fit);
  warn_about_profiles(!options.profiles.empty(), fit);
}

}  // namespace alembert::identify
