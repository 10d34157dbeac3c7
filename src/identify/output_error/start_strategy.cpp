#include "identify/output_error/start_strategy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "identify/output_error/equation_error.hpp"
#include "identify/output_error/finer_simulation.hpp"
#include "identify/output_error/statistics/statistics.hpp"
#include "identify/output_error/window_result.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kNowhere = std::numeric_limits<double>::infinity();
// Residuals are as noise if they are white at this level and smaller than half of the signal, or if
// they are this part of it. They may be larger, up to the second part, if they are the error of the
// steps: if finer steps change the simulation by the third part of them.
constexpr double kWhiteLevel = 1e-4;
constexpr double kLargestNoise = 0.5;
constexpr double kExactFit = 1e-7;
constexpr double kSmallResidual = 1e-3;
constexpr double kStepsShow = 0.5;
// An optimum that leaves more than this part needs a third way to confirm it.
constexpr double kFairFit = 0.15;
// ln of the growth of a change of the start from which a record may depart, and from which whole
// records are not even tried.
constexpr double kMayDepart = 7.0;
constexpr double kMustDepart = 25.0;
// Costs of two ways that differ by less than this part confirm each other; a search that has gained
// this much is carried on, and has this many evaluations before.
constexpr double kSameOptimum = 0.05;
constexpr double kWorthwhile = 1e-3;
constexpr long kShortSearch = 50;
// Steps in windows that are hardly joined, from a start and from each of the draws about the
// guess, and how many of these are followed.
constexpr int kManySteps = 40;
constexpr int kFewSteps = 12;
constexpr std::uint64_t kDraws = 16;
// A model that leaves no more than this part is right, and a better optimum is near if what is left
// is not as noise: searches begin from draws about the best one, within these factors.
constexpr double kGoodFit = 5e-3;
constexpr std::array<double, 8> kNearby = {1.03, 1.06, 1.12, 1.25, 1.03, 1.06, 1.12, 1.25};
constexpr std::size_t kJoined = 4;
// Logarithmic parameters stay within this factor of the guess until whole records are searched:
// beyond it the data do not feel them, and the search does not come back.
constexpr double kLogarithmicRange = 1e4;

std::vector<optimize::Parameter> bounded_logarithms(std::vector<optimize::Parameter> parameters) {
  for (optimize::Parameter& parameter : parameters) {
    if (!parameter.logarithmic || parameter.fixed || parameter.tie) continue;
    parameter.lower = std::max(parameter.lower, parameter.guess / kLogarithmicRange);
    parameter.upper = std::min(parameter.upper, parameter.guess * kLogarithmicRange);
  }
  return parameters;
}

// Logarithmic parameters that have run away go back to their guess.
VectorXd without_runaways(VectorXd theta, const std::vector<optimize::Parameter>& parameters) {
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const optimize::Parameter& parameter = parameters[k];
    double& value = theta(static_cast<Index>(k));
    if (!parameter.logarithmic || parameter.fixed || parameter.tie) continue;
    if (value <= parameter.lower || value >= parameter.upper) value = parameter.guess;
  }
  return theta;
}

}  // namespace

std::string_view to_string(StartStrategy strategy) { return name_of(strategy); }

StartSearch::StartSearch(const model::CompiledEquations& model, const Experiments& data,
                         const std::vector<EquationRecord>& records,
                         const std::vector<optimize::Parameter>& parameters,
                         const OutputErrorOptions& options)
    : model_(model),
      data_(data),
      records_(records),
      parameters_(parameters),
      window_parameters_(bounded_logarithms(parameters)),
      options_(options),
      full_options_(options),
      quick_options_(options),
      plain_search_(model, records, options),
      full_search_(model, records, full_options_),
      quick_search_(model, records, quick_options_) {
  const bool other = options.search.solver != optimize::Solver::LevenbergMarquardt;
  const long most = options.search.max_evaluations;
  // Only what is better than all before is an improvement.
  if (options.search.on_improvement) {
    full_options_.search.on_improvement = [this](const optimize::Improvement& improvement,
                                                 const VectorXd& theta) {
      if (improvement.cost < best_cost_) options_.search.on_improvement(improvement, theta);
    };
  }
  quick_options_ = full_options_;
  quick_options_.search.solver = optimize::Solver::LevenbergMarquardt;
  quick_options_.search.max_evaluations =
      other || most == 0 ? kShortSearch : std::min(most, kShortSearch);
}

std::vector<optimize::Parameter> StartSearch::guesses(const VectorXd& theta) const {
  std::vector<optimize::Parameter> moved = parameters_;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    double value = theta(static_cast<Index>(i));
    // The exponential of a logarithmic parameter may have run out of the range.
    if (moved[i].logarithmic) value = std::clamp(value, 1e-300, 1e300);
    moved[i].guess = std::clamp(value, moved[i].lower, moved[i].upper);
  }
  return moved;
}

StartSetting StartSearch::setting(const OutputErrorResult& result) {
  if (smooth_.empty()) {
    for (const Experiment& experiment : data_) smooth_.push_back(smooth_outputs(experiment));
  }
  return bare_setting(result);
}

StartSetting StartSearch::bare_setting(const OutputErrorResult& result) const {
  return {model_, records_, window_parameters_, result.weights, options_, smooth_};
}

// The largest part of an output that is left over, and whether all that is left is as noise.
StartSearch::Judgement StartSearch::judge(const EquationPrediction& prediction) const {
  if (!prediction.ok()) return {};
  Judgement result{0.0, true, true};
  for (const ResidualVerdict& verdict : residual_verdicts(data_, prediction.residuals)) {
    const double part = 1.0 - verdict.fit / 100.0;
    result.left = std::max(result.left, part);
    const bool noise =
        part <= kExactFit || (part <= kLargestNoise && !(verdict.whiteness_p < kWhiteLevel));
    result.as_noise = result.as_noise && noise;
    result.small = result.small && (noise || part <= kSmallResidual);
  }
  return result;
}

bool StartSearch::steps_show(const EquationPrediction& coarse, const EquationPrediction& fine,
                             const VectorXd& weights) {
  return fine.ok() && relative_change(coarse, fine.outputs, weights) >= kStepsShow;
}

StartSearch::Judgement StartSearch::judge_records(const OutputErrorResult& result) const {
  if (!std::isfinite(result.cost)) return {};
  const auto simulated = [&](const SimulationOptions& options) {
    return simulate_equations(model_, result.parameters, data_, options);
  };
  const SimulationOptions used = simulation_of(result, options_.simulation);
  const EquationPrediction prediction = simulated(used);
  Judgement judgement = judge(prediction);
  if (judgement.small && !judgement.as_noise) {
    judgement.as_noise = steps_show(prediction, simulated(finer(used)), result.weights);
  }
  return judgement;
}

void StartSearch::plain(OutputErrorResult& result, const Machines* machines) {
  std::vector<optimize::Parameter> moved = parameters_;
  plain_search_.run(moved, result, true, machines);
  result.strategy = StartStrategy::Plain;
  result.trials.push_back(
      {{result.status, result.message}, StartStrategy::Plain, result.cost, result.evaluations});
}

// Searches whole records from theta, shortly with derivatives, and to the end by the solver asked
// for if that promises to be better; keeps the better one.
void StartSearch::search_from(const VectorXd& theta, StartTrial trial, OutputErrorResult& result) {
  std::vector<optimize::Parameter> moved = guesses(theta);
  OutputErrorResult found;
  found.weights = result.weights;
  best_cost_ = result.parameters.size() == 0 ? kNowhere : result.cost;
  quick_search_.run(moved, found, false);
  const bool first = result.parameters.size() == 0;
  const bool other = options_.search.solver != optimize::Solver::LevenbergMarquardt;
  const bool better = first || found.cost < (1.0 - kWorthwhile) * result.cost;
  if (better && (other || !found.ok())) {
    moved = guesses(found.parameters);
    full_search_.run(moved, found, false);
  }
  static_cast<Outcome&>(trial) = found;
  trial.cost = found.cost;
  trial.evaluations += found.evaluations;
  result.evaluations += found.evaluations;
  if (first || found.cost < result.cost) {
    static_cast<Outcome&>(result) = found;
    result.parameters = found.parameters;
    result.cost = found.cost;
    result.prediction.starts = found.prediction.starts;
    result.at_bound = found.at_bound;
    result.strategy = trial.strategy;
  }
  result.trials.push_back(std::move(trial));
}

void StartSearch::equation_error_start(OutputErrorResult& result) {
  const EquationErrorGuess guess = equation_error(setting(result));
  // A regression costs no simulation, so that it does not count.
  StartTrial trial{{guess.status, guess.message}, StartStrategy::EquationError, kNowhere, 0};
  if (guess.ok()) {
    regressed_.push_back(guess.theta);
    search_from(guess.theta, trial, result);
  } else {
    result.trials.push_back(trial);
  }
}

// From the plain optimum if it explains something: windows leave a local optimum, or confirm it at
// little cost. Then from the better one of the guess and the regression.
void StartSearch::window_start(OutputErrorResult& result) {
  const std::size_t length = quarter_wave(setting(result));
  if (!result.trials.empty() && judge_records(result).left <= kLargestNoise) {
    const VectorXd theta = without_runaways(result.parameters, window_parameters_);
    search_joined(estimate_in_windows(setting(result), theta, length, kManySteps), result);
    if (settled(result)) return;
  }
  const optimize::Transformation map(parameters_);
  std::vector<VectorXd> starts(1);
  map.to_parameters(map.start(), starts[0]);
  starts.insert(starts.end(), regressed_.begin(), regressed_.end());
  WindowEstimate best;
  long spent = 0;
  for (const VectorXd& theta : starts) {
    WindowEstimate one = estimate_in_windows(setting(result), theta, length, kManySteps);
    spent += one.evaluations;
    if (one.ok() && (best.windows.empty() || one.point.cost < best.point.cost)) {
      best = std::move(one);
    }
  }
  best.evaluations = spent;
  search_joined(std::move(best), result);
}

void StartSearch::scattered_window_starts(OutputErrorResult& result) {
  const std::size_t length = quarter_wave(setting(result));
  std::vector<WindowEstimate> all;
  for (std::uint64_t draw = 0; draw < kDraws && !stopped(); ++draw) {
    all.push_back(estimate_in_windows(setting(result), scattered_guess(setting(result), draw),
                                      length, kFewSteps));
    result.evaluations += std::exchange(all.back().evaluations, 0);
    if (!all.back().ok()) all.pop_back();
  }
  std::stable_sort(all.begin(), all.end(), [](const WindowEstimate& a, const WindowEstimate& b) {
    return a.point.cost < b.point.cost;
  });
  for (std::size_t k = 0; k < std::min<std::size_t>(all.size(), kJoined); ++k) {
    search_joined(all[k], result);
    if (settled(result)) return;
  }
}

// Stick and slip, or dead zones, divide the neighbourhood of the optimum itself into several.
void StartSearch::nearby_starts(OutputErrorResult& result) {
  for (std::size_t k = 0; k < kNearby.size() && !stopped(); ++k) {
    const Judgement judgement = judge_records(result);
    if (judgement.as_noise || judgement.left > kGoodFit) return;
    const VectorXd theta = scattered(setting(result), result.parameters, kNearby[k], kDraws + k);
    search_from(theta, {{}, StartStrategy::Plain, kNowhere, 0}, result);
  }
}

void StartSearch::search_joined(WindowEstimate estimate, OutputErrorResult& result) {
  if (estimate.windows.empty()) {
    static_cast<Outcome&>(estimate) = {Status::NotFinite,
                                       "the windows cannot be simulated from the guess"};
  } else {
    estimate = join_windows(setting(result), std::move(estimate));
  }
  result.evaluations += estimate.evaluations;
  StartTrial trial{
      {estimate.status, estimate.message}, StartStrategy::Windows, kNowhere, estimate.evaluations};
  if (estimate.ok()) result.growth = estimate.growth;
  if (estimate.ok() && estimate.growth < kMustDepart) {
    search_from(estimate.point.theta, trial, result);
  } else {
    if (estimate.ok()) {
      static_cast<Outcome&>(trial) = {
          Status::Unstable, "whole records are not tried: changes of the start grow too much"};
    }
    result.trials.push_back(trial);
  }
  if (estimate.ok() && estimate.growth >= kMayDepart) consider_windows(estimate, result);
}

bool StartSearch::stopped() const {
  return options_.search.stop != nullptr && options_.search.stop->requested();
}

// Whether residuals are as noise, or enough ways ended in the best optimum and it explains
// something.
bool StartSearch::settled(const OutputErrorResult& result) const {
  if (stopped()) return true;
  if (departs(result)) {
    return judge(predict_windows(model_, data_, kept_, options_.simulation)).as_noise;
  }
  const Judgement judgement = judge_records(result);
  const auto hits = std::count_if(
      result.trials.begin(), result.trials.end(),
      [&](const StartTrial& trial) { return trial.cost <= (1.0 + kSameOptimum) * result.cost; });
  // Terms that are switched off, or much that is left, may be a minimum that attracts many ways.
  const bool doubtful =
      judgement.left > kFairFit || !result.at_bound.empty() ||
      without_runaways(result.parameters, window_parameters_) != result.parameters;
  return judgement.as_noise || (hits > (doubtful ? 2 : 1) && judgement.left <= kLargestNoise);
}

void StartSearch::search_ways(OutputErrorResult& result) {
  // A model without states has nothing to start.
  const bool still = model_.model().states().empty();
  const StartStrategy wanted = still ? StartStrategy::Plain : options_.strategy;
  const bool automatic = wanted == StartStrategy::Automatic;
  const bool first = options_.machines == nullptr || options_.machines->is_first();
  // Other processes help with many starts alone, which are the first thing that is done.
  const bool helps = options_.starts > 1 && (automatic || wanted == StartStrategy::Plain);
  if (!first && !helps) return;
  if (automatic || wanted == StartStrategy::Plain) plain(result, options_.machines);
  if (!first) return;
  if (wanted == StartStrategy::Plain || (automatic && settled(result))) return;
  if (automatic || wanted == StartStrategy::EquationError) equation_error_start(result);
  if (automatic && settled(result)) return;
  if (automatic || wanted == StartStrategy::Windows) window_start(result);
  // A way that led nowhere leaves the plain search.
  if (result.parameters.size() == 0 && !departs(result)) plain(result, nullptr);
  if (automatic && !settled(result)) scattered_window_starts(result);
  if (departs(result)) {
    take_windows(result);
    weigh_windows(result);
  }
}

void StartSearch::run(OutputErrorResult& result) {
  search_ways(result);
  if (result.trials.empty()) return;  // another process than the first
  const bool wanted = options_.strategy == StartStrategy::Automatic && result.windows == 0;
  if (wanted && !model_.model().states().empty()) nearby_starts(result);
  const bool windows = options_.window > 0.0 || options_.find_window;
  if (windows && !model_.model().states().empty()) windows_asked_for(result);
  if (result.trials.size() > 1 && stopped() && result.ok()) {
    static_cast<Outcome&>(result) = {
        Status::Stopped, "stopped while starts were tried; the best point so far is kept"};
  }
}

}  // namespace alembert::identify
