#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/core/text.hpp"
#include "alembert/optimize/student.hpp"
#include "study/parts/names.hpp"
#include "study/tasks/output_error/output_error_steps.hpp"

namespace alembert::study {
namespace {

constexpr double kLargeStepError = 0.01;
constexpr double kFalseAlarmRate = 0.01;  // of the correlation with the inputs, all together
constexpr double kExactFit = 1e-9;        // part of an output that is left, as rounding leaves it
constexpr double kWellKnown = 0.02;       // relative deviation
constexpr double kPoorFit = 30.0;         // %
constexpr double kWorseFit = 1.25;        // held-back residual over that of the data used

using Verdicts = std::vector<identify::ResidualVerdict>;

double deviation_of(const optimize::EstimateStatistics& statistics, const std::string& name) {
  const Eigen::Index at = index_of(statistics.names, name);
  return at < 0 || at >= statistics.deviations.size() ? std::numeric_limits<double>::quiet_NaN()
                                                      : statistics.deviations(at);
}

double relative_deviation_of(const optimize::EstimateStatistics& statistics,
                             const std::string& name) {
  const Eigen::Index at = index_of(statistics.names, name);
  return at < 0 ? std::numeric_limits<double>::infinity() : statistics.relative_deviations(at);
}

void warn_about_parameters(OutputErrorOutcome& result) {
  const identify::OutputErrorResult& estimate = result.estimate;
  for (const std::string& name : estimate.at_bound) {
    result.warnings.push_back(fmt::format(
        "{} ended at its bound: widen it if it is not physical; the standard deviations of the "
        "others take it for known",
        name));
  }
  for (const optimize::Direction& direction : estimate.statistics.null_directions) {
    result.warnings.push_back(
        fmt::format("the data cannot see this change of parameters: {}", direction.words));
  }
  for (const optimize::CorrelatedParameters& pair : estimate.statistics.correlated) {
    const double deviation = std::max(relative_deviation_of(estimate.statistics, pair.first),
                                      relative_deviation_of(estimate.statistics, pair.second));
    if (deviation < kWellKnown) {
      result.study.notes.push_back(fmt::format(
          "{} and {} are strongly correlated, {:.3f}, though each is known to {:.2g} % or better",
          pair.first, pair.second, pair.correlation, 100.0 * deviation));
    } else {
      result.warnings.push_back(
          fmt::format("{} and {} can hardly be told apart: their correlation is {:.3f}", pair.first,
                      pair.second, pair.correlation));
    }
  }
}

std::vector<std::string> not_white(const OutputErrorStudy& study, const Verdicts& outputs) {
  std::vector<std::string> names;
  for (const std::size_t i : identify::coloured_outputs(outputs)) {
    names.push_back(study.outputs[i].name);
  }
  return names;
}

void warn_about_residuals(OutputErrorOutcome& result) {
  const Verdicts& outputs = result.estimate.outputs;
  if (!result.estimate.note.empty()) result.warnings.push_back(result.estimate.note);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!(1.0 - outputs[i].fit / 100.0 < kExactFit)) continue;
    result.warnings.push_back(fmt::format(
        "{} is followed to the last digits: data without noise? The standard deviations then say "
        "nothing",
        result.study.outputs[i].name));
  }
  const std::vector<std::string> coloured = not_white(result.study, outputs);
  if (!coloured.empty()) {
    result.warnings.push_back(
        fmt::format("the residuals of {} are not white: the noise is coloured, or the model misses "
                    "something; {}",
                    join(coloured, ", "),
                    result.estimate.robust.deviations.size() > 0
                        ? "trust the robust standard deviations, not the plain ones"
                        : "the standard deviations are too small"));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!(outputs[i].fit < kPoorFit)) continue;
    result.warnings.push_back(
        fmt::format("{} is hardly followed, fit {} %: the model is wrong, or the search ended in "
                    "a local minimum; try guesses that are nearer, or identify.starts",
                    result.study.outputs[i].name, fit_words(outputs[i].fit)));
  }
  if (std::isinf(result.estimate.step_error)) {
    result.warnings.push_back(
        "with finer steps the model cannot be simulated: check identify.substeps or "
        "identify.relative-tolerance");
  } else if (result.estimate.step_error > kLargeStepError) {
    result.warnings.push_back(
        fmt::format("finer steps change the simulation by {:.2g} of the residual; raise "
                    "identify.substeps, or lower identify.relative-tolerance",
                    result.estimate.step_error));
  }
}

// Where residuals are not white the test would cry wolf, and that has been said already.
void warn_about_inputs_left(OutputErrorOutcome& result) {
  const OutputErrorStudy& study = result.study;
  const double limit =
      kFalseAlarmRate / static_cast<double>(std::max<std::size_t>(result.inputs.size(), 1));
  const std::vector<std::string> coloured = not_white(study, result.estimate.outputs);
  for (const InputCorrelation& one : result.inputs) {
    const std::string& output = study.outputs[one.output].name;
    if (!(one.p_value < limit) || index_of(coloured, output) >= 0) continue;
    result.warnings.push_back(fmt::format(
        "the residuals of {} follow the input {}, correlation {:.2f} at a lag of {} samples: the "
        "model misses something between them",
        output, study.inputs[one.input].name, one.values(one.lag), one.lag));
  }
}

void warn_about_validation(OutputErrorOutcome& result) {
  if (!result.validation) return;
  for (const std::string& warning : result.validation->warnings) {
    result.warnings.push_back(warning);
  }
  const identify::EquationPrediction& prediction = result.validation->prediction;
  if (!prediction.ok()) {
    result.warnings.push_back("the held-back data cannot be simulated: " + prediction.message);
    return;
  }
  std::vector<std::string> worse;
  for (Eigen::Index i = 0; i < prediction.rms.size(); ++i) {
    const double ratio = prediction.rms(i) / result.estimate.prediction.rms(i);
    if (!(ratio > kWorseFit)) continue;
    worse.push_back(fmt::format("{} ({:.2g} x)",
                                result.study.outputs[static_cast<std::size_t>(i)].name, ratio));
  }
  if (worse.empty()) return;
  result.warnings.push_back(
      fmt::format("held-back data are simulated worse than the data used, rms over rms: {}",
                  join(worse, ", ")));
}

void warn_about_profiles(OutputErrorOutcome& result) {
  if (!result.study.profiles.empty() && result.estimate.windows > 0) {
    result.warnings.push_back(
        "no profiles: the estimate is that of windows with free start states, not of whole "
        "records");
  }
  for (const ParameterProfile& profile : result.profiles) {
    if (profile.interval.ok()) continue;
    result.warnings.push_back(
        fmt::format("profile of {}: {}", profile.name, profile.interval.message));
  }
}

}  // namespace

std::string fit_words(double fit) {
  return fit < -1000.0 ? "below -1000" : fmt::format("{:.1f}", fit);
}

std::string to_string(ParameterVerdict::Role role) {
  switch (role) {
    case ParameterVerdict::Role::Fixed:
      return "fixed";
    case ParameterVerdict::Role::Tied:
      return "tied";
    case ParameterVerdict::Role::AtBound:
      return "at-bound";
    case ParameterVerdict::Role::Free:
      break;
  }
  return "free";
}

ParameterVerdict parameter_verdict(const OutputErrorOutcome& result, std::size_t index) {
  using Role = ParameterVerdict::Role;
  const optimize::Parameter& parameter = result.study.parameters.at(index);
  const identify::OutputErrorResult& estimate = result.estimate;
  ParameterVerdict verdict{.value = estimate.parameters(static_cast<Eigen::Index>(index))};
  if (parameter.fixed) {
    verdict.role = Role::Fixed;
    return verdict;
  }
  std::string name = parameter.name;
  double factor = 1.0;
  if (parameter.tie) {
    verdict.role = Role::Tied;
    name = parameter.tie->other;
    factor = std::abs(parameter.tie->factor);
  }
  if (std::find(estimate.at_bound.begin(), estimate.at_bound.end(), parameter.name) !=
      estimate.at_bound.end()) {
    verdict.role = Role::AtBound;
  }
  verdict.deviation = factor * deviation_of(estimate.statistics, name);
  verdict.robust = factor * deviation_of(estimate.robust, name);
  const bool coloured = !identify::coloured_outputs(estimate.outputs).empty();
  const Eigen::Index freedom = estimate.statistics.freedom;
  verdict.margin = std::numeric_limits<double>::quiet_NaN();
  if (freedom > 0) {
    verdict.margin =
        optimize::student_quantile(0.975, static_cast<double>(freedom)) *
        (coloured && std::isfinite(verdict.robust) ? verdict.robust : verdict.deviation);
  }
  return verdict;
}

void warn_about_equations(OutputErrorOutcome& result) {
  warn_about_parameters(result);
  if (!result.has_prediction()) return;
  warn_about_residuals(result);
  warn_about_inputs_left(result);
  warn_about_validation(result);
  warn_about_profiles(result);
}

}  // namespace alembert::study
