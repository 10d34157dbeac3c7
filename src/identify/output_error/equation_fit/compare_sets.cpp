#include "identify/output_error/equation_fit/compare_sets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "alembert/core/not_a_number.hpp"
#include "alembert/optimize/transformation.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;

constexpr double kNoSetScore = std::numeric_limits<double>::infinity();

// The rows of the states that both have; NaN leaves a start to the equations.
Eigen::MatrixXd moved_starts(const Eigen::MatrixXd& starts, const std::vector<std::string>& from,
                             const std::vector<std::string>& to) {
  if (starts.size() == 0) return {};
  Eigen::MatrixXd moved =
      Eigen::MatrixXd::Constant(static_cast<Index>(to.size()), starts.cols(), kNaN);
  for (std::size_t i = 0; i < to.size(); ++i) {
    const auto place = std::find(from.begin(), from.end(), to[i]);
    if (place != from.end()) moved.row(static_cast<Index>(i)) = starts.row(place - from.begin());
  }
  return moved;
}

EquationFit fit_of_set(const EquationSet& set, const FitProblem& problem) {
  const model::EquationSetup setup = setup_of(set, problem.setup);
  EquationFitOptions options = problem.options;
  options.compare.clear();
  options.profiles.clear();
  options.alternatives = false;
  OutputErrorOptions& search = options.output_error;
  search.missing_terms = false;
  search.machines = nullptr;
  search.on_progress = {};
  search.search.on_improvement = {};
  search.simulation.start_weights.resize(0);
  if (search.simulation.start == StartState::Free) {
    search.simulation.start_values.resize(0, 0);
  } else {
    search.simulation.start_values =
        moved_starts(search.simulation.start_values, problem.model.model().states(),
                     model::parse_equations(set.equations, setup).states());
  }
  if (search.simulation.state_scales.size() > 0) search.simulation.state_scales.resize(0);
  return fit_equations(set.equations, setup, set.parameters, problem.data, options);
}

// Free parameters, and start states that were fitted.
Index unknowns_of_set(const EquationFit& fit) {
  const Index free = optimize::Transformation(fit.parameters).free_size();
  const OutputErrorResult& found = fit.estimate;
  const Index states = found.prediction.starts.rows();
  const bool starts = fit.simulation.start == StartState::Free && found.windows == 0;
  return free + (starts ? found.prediction.starts.size() : 0) +
         (found.windows > 0 ? found.windows * std::max<Index>(states, 1) : 0);
}

double geometric_mean(const Eigen::VectorXd& rms) {
  if (rms.size() == 0 || !rms.allFinite() || !(rms.minCoeff() > 0.0)) return kNoSetScore;
  return std::exp(rms.array().log().mean());
}

EquationSetScore score_of_set(const std::string& name, const EquationFit& fit) {
  EquationSetScore score;
  static_cast<Outcome&>(score) = fit;
  score.name = name;
  for (const optimize::Parameter& one : fit.parameters) score.parameter_names.push_back(one.name);
  score.parameters = fit.estimate.parameters;
  score.residual = score.held_back = kNoSetScore;
  score.unknowns = unknowns_of_set(fit);
  if (fit.has_prediction()) {
    score.rms = fit.estimate.prediction.rms;
    score.residual = geometric_mean(score.rms);
  }
  if (fit.validation && fit.validation->prediction.ok()) {
    score.held_back_rms = fit.validation->prediction.rms;
    score.held_back = geometric_mean(score.held_back_rms);
  }
  return score;
}

// Part of the samples that count as independent.
double effective_share_of(const EquationFit& fit) {
  const optimize::ColouredCovariance& found = fit.estimate.coloured;
  return found.samples > 0.0 ? std::min(found.effective_samples / found.samples, 1.0) : 1.0;
}

// Σ n ln s² + 2 p and Σ n ln s² + p ln n with the same effective n for all: that of the set that
// leaves least, since what others leave besides is no noise.
void weigh_sets(double samples, std::vector<EquationSetScore>& scores) {
  double aic = kNoSetScore, bic = kNoSetScore;
  for (EquationSetScore& score : scores) {
    const auto outputs = static_cast<double>(score.rms.size());
    const auto p = static_cast<double>(score.unknowns);
    const double misfit = 2.0 * samples * outputs * std::log(score.residual);
    const bool known = std::isfinite(score.residual);
    score.aic_difference = known ? misfit + 2.0 * p : kNoSetScore;
    score.bic_difference = known ? misfit + p * std::log(samples * outputs) : kNoSetScore;
    aic = std::min(aic, score.aic_difference);
    bic = std::min(bic, score.bic_difference);
  }
  for (EquationSetScore& score : scores) {
    if (std::isfinite(aic)) score.aic_difference -= aic;
    if (std::isfinite(bic)) score.bic_difference -= bic;
  }
}

}  // namespace

model::EquationSetup setup_of(const EquationSet& set, const model::EquationSetup& given) {
  model::EquationSetup setup = given;
  setup.parameters.clear();
  for (const optimize::Parameter& one : set.parameters) setup.parameters.push_back({one.name, ""});
  setup.units.clear();  // of names that the other equations need not have
  setup.starts.clear();
  const std::vector<std::string> states = model::parse_equations(set.equations, setup).states();
  setup.starts = set.starts;
  const auto has = [](const auto& list, const std::string& state) {
    return std::any_of(list.begin(), list.end(),
                       [&](const auto& one) { return one.state == state; });
  };
  for (const model::EquationStart& one : given.starts) {
    const bool state = std::find(states.begin(), states.end(), one.state) != states.end();
    if (state && !has(set.starts, one.state)) setup.starts.push_back(one);
  }
  return setup;
}

std::vector<EquationSetScore> compare_sets(const FitProblem& problem, const EquationFit& fit) {
  const std::vector<EquationSet>& sets = problem.options.compare;
  if (sets.empty()) return {};
  std::vector<EquationSetScore> scores = {score_of_set("model", fit)};
  double least = scores.front().residual;
  double share = effective_share_of(fit);
  const StopFlag* stop = problem.options.output_error.search.stop;
  for (const EquationSet& set : sets) {
    if (stop != nullptr && stop->requested()) break;
    const EquationFit other = fit_of_set(set, problem);
    scores.push_back(score_of_set(set.name, other));
    if (!(scores.back().residual < least)) continue;
    least = scores.back().residual;
    share = effective_share_of(other);
  }
  const auto outputs = static_cast<double>(problem.data.front().output.cols());
  weigh_sets(std::max(share * static_cast<double>(measured_samples(problem.data)) / outputs, 1.0),
             scores);
  return scores;
}

}  // namespace alembert::identify
