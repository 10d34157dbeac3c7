#include "identify/state_space/order_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "alembert/core/error.hpp"

namespace alembert::identify::state_space {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;

constexpr int kTrialIterations = 15;      // of a fit that only compares orders
constexpr double kTrialTolerance = 1e-3;  // of the fall of its cost
constexpr Index kFewOutputs = 6;          // up to so many, several starts are tried
constexpr double kUnstableGrowth = 3.0;   // neper over a record that an unstable pole may grow

FitRules trial_rules(const StateSpaceOptions& options, double radius) {
  return {.feedthrough = options.feedthrough,
          .largest_radius = radius,
          .iterations = options.refine ? kTrialIterations : 0,
          .tolerance = kTrialTolerance};
}

PoleRules pole_rules(const StateSpaceOptions& options, double step, double radius) {
  return {.step = step,
          .largest_radius = radius,
          .reflect = options.stable,
          .from_hz = options.from_hz,
          .to_hz = options.to_hz};
}

// |y - ŷ|/|y| over the last rows of each experiment, simulated on from the first.
double held_residual(const ResponseModel& model, const Samples& whole, double share) {
  const MatrixXd error = whole.stacked_outputs() - simulated(model, whole);
  double left = 0.0;
  double size = 0.0;
  Index row = 0;
  for (const MatrixXd& y : whole.outputs) {
    const auto first =
        static_cast<Index>(std::lround((1.0 - share) * static_cast<double>(y.rows())));
    left += error.middleRows(row + first, y.rows() - first).squaredNorm();
    size += y.bottomRows(y.rows() - first).squaredNorm();
    row += y.rows();
  }
  return std::sqrt(left / size);
}

struct Trial {
  OrderTrial seen;
  std::vector<Complex> poles;
  KeptPoles kept;
};

std::vector<Complex> poles_of(const Poles& poles) {
  std::vector<Complex> list;
  for (const Pole& pole : poles) list.push_back(pole.z);
  return list;
}

// Fits one order from one start; `value` says how good it is.
template <typename Value>
Trial tried(const StartPoles& start, Index order, const ResponseProblem& problem,
            const PoleRules& rules, const Value& value) {
  Trial trial{.seen = {.order = order, .horizon = start.horizon},
              .poles = {},
              .kept = kept_poles(start.poles(order), rules)};
  const ResponseFit fit = fit_responses(problem, problem.driven(trial.kept.poles));
  trial.poles = poles_of(fit.poles);
  trial.seen.states = states_of(fit.poles);
  trial.seen.residual = value(fit);
  if (!std::isfinite(trial.seen.residual)) {
    trial.seen.residual = std::numeric_limits<double>::infinity();
  }
  return trial;
}

StartOfOrder start_of(const Trial& trial, const StartPoles& start) {
  return {.poles = trial.poles,
          .singular_values = start.singular_values,
          .order = trial.seen.order,
          .horizon = trial.seen.horizon,
          .reflected = trial.kept.reflected,
          .dropped = trial.kept.dropped,
          .trials = {},
          .reason = {}};
}

StartOfOrder given_order(const Samples& samples, const std::vector<Index>& horizons,
                         const StateSpaceOptions& options) {
  const double radius = largest_radius(samples.longest(), options.stable);
  const ResponseProblem problem(samples, trial_rules(options, radius));
  const PoleRules rules = pole_rules(options, samples.step, radius);
  StartOfOrder best;
  double least = std::numeric_limits<double>::infinity();
  for (const Index horizon : horizons) {
    const StartPoles start = start_poles(samples, horizon, options.order);
    if (start.largest_order() < options.order) continue;
    const Trial trial = tried(start, options.order, problem, rules,
                              [](const ResponseFit& fit) { return fit.at.cost; });
    if (!(trial.seen.residual < least)) continue;
    least = trial.seen.residual;
    best = start_of(trial, start);
  }
  if (best.horizon == 0) {
    throw InvalidInput({.function = "identify_state_space",
                        .argument = "order",
                        .rule = "must be within what the horizons allow",
                        .value = fmt::format("{}", options.order)});
  }
  best.reason = fmt::format("Order {} was given", options.order);
  return best;
}

std::string chosen_words(const OrderTrial& chosen, const OrderTrial& best, double tolerance) {
  return fmt::format(
      "Order {}: the smallest whose residual on the samples held out, {:.4g} of the response, is "
      "within {:.3g} % of the least, {:.4g} at order {}",
      chosen.order, chosen.residual, 100.0 * tolerance, best.residual, best.order);
}

}  // namespace

double largest_radius(Index samples, bool stable) {
  const auto count = static_cast<double>(samples);
  return stable ? std::exp(-1.0 / count) : std::exp(kUnstableGrowth / count);
}

std::vector<Index> start_horizons(const Samples& samples, double stretch,
                                  const StateSpaceOptions& options) {
  std::vector<Index> wanted = {options.horizon};
  if (options.horizon == 0) {
    wanted = samples.output_count() > kFewOutputs ? std::vector<Index>{30}
                                                  : std::vector<Index>{15, 25, 40};
    for (Index& one : wanted) {
      one = static_cast<Index>(std::lround(stretch * static_cast<double>(one)));
    }
  }
  std::vector<Index> usable;
  for (Index one : wanted) {
    // Twice as many columns as instruments, so that noise averages.
    while (one > 2 && start_columns(samples, one) < 2 * instrument_rows(samples, one)) --one;
    if (one > 2 && std::find(usable.begin(), usable.end(), one) == usable.end()) {
      usable.push_back(one);
    }
  }
  if (usable.empty()) {
    throw InvalidInput(
        {.function = "identify_state_space",
         .rule = fmt::format("the records are too short: {} samples of {} channels",
                             samples.count(), samples.input_count() + samples.output_count())});
  }
  return usable;
}

StartOfOrder choose_start(const Samples& samples, const std::vector<Index>& horizons,
                          const StateSpaceOptions& options) {
  if (options.order > 0) return given_order(samples, horizons, options);
  const Samples first = part_of(samples, 0.0, 1.0 - options.hold_out);
  const double radius = largest_radius(samples.longest(), options.stable);
  const ResponseProblem problem(first, trial_rules(options, radius));
  const PoleRules rules = pole_rules(options, samples.step, radius);
  const auto value = [&](const ResponseFit& fit) {
    return held_residual(fit.model(options.feedthrough), samples, options.hold_out);
  };
  std::vector<StartPoles> starts;
  for (const Index horizon : horizons) {
    starts.push_back(start_poles(first, horizon, options.largest_order));
  }
  std::vector<Trial> trials;
  std::vector<std::size_t> start_of_trial;
  for (Index order = options.order_step; order <= options.largest_order;
       order += options.order_step) {
    std::optional<Trial> best;
    std::size_t from = 0;
    for (std::size_t s = 0; s < starts.size(); ++s) {
      if (starts[s].largest_order() < order) continue;
      Trial trial = tried(starts[s], order, problem, rules, value);
      if (best && !(trial.seen.residual < best->seen.residual)) continue;
      best = std::move(trial);
      from = s;
    }
    if (!best) break;
    trials.push_back(*std::move(best));
    start_of_trial.push_back(from);
  }
  const auto better = [](const Trial& a, const Trial& b) {
    return a.seen.residual < b.seen.residual;
  };
  const auto least = std::min_element(trials.begin(), trials.end(), better);
  const auto chosen = std::find_if(trials.begin(), trials.end(), [&](const Trial& one) {
    return one.seen.residual <= (1.0 + options.order_tolerance) * least->seen.residual;
  });
  chosen->seen.chosen = true;
  StartOfOrder result =
      start_of(*chosen, starts[start_of_trial[static_cast<std::size_t>(chosen - trials.begin())]]);
  result.reason = chosen_words(chosen->seen, least->seen, options.order_tolerance);
  for (const Trial& one : trials) result.trials.push_back(one.seen);
  return result;
}

}  // namespace alembert::identify::state_space
