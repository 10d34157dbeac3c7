#include "alembert/signal/smoothing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/signal/spline.hpp"
#include "signal/smoothing/smoothing_system.hpp"
#include "signal/smoothing/trend.hpp"
#include "signal/spline/increasing.hpp"
#include "signal/spline/natural_spline.hpp"
#include "signal/units/constants.hpp"

namespace alembert::signal {

namespace {

using Eigen::Index;
using Eigen::VectorXd;
using ConstVector = Eigen::Ref<const VectorXd>;
using Fit = SmoothingSystem::Fit;

// Limits of the search for log10 λ, with the mean distance of samples as unit of time: below the
// first the spline interpolates, above the second rounding eats the long waves.
constexpr double kLeastLog = -5.0;
constexpr double kMostLog = 22.0;
constexpr double kGridStep = 2.0;
// log10 λ is found to this; the fit changes by less than its standard error.
constexpr double kLogTolerance = 2e-2;

// The samples that take part.
struct Samples {
  VectorXd times, values, weights;
};

Samples used_samples(const ConstVector& times, const ConstVector& values, const VectorXd& weights) {
  Samples used{VectorXd(times.size()), VectorXd(times.size()), VectorXd(times.size())};
  Index n = 0;
  for (Index k = 0; k < times.size(); ++k) {
    const double w = weights.size() == 0 ? 1.0 : weights[k];
    if (w > 0.0 && !std::isnan(values[k])) {
      used.times[n] = times[k];
      used.values[n] = values[k];
      used.weights[n] = w;
      ++n;
    }
  }
  used.times.conservativeResize(n);
  used.values.conservativeResize(n);
  used.weights.conservativeResize(n);
  return used;
}

void check_arguments(const ConstVector& times, const ConstVector& values,
                     const SmoothingOptions& options) {
  check::size("smooth", "number of values", values.size(), times.size());
  check_increasing("smooth", "times", times);
  for (Index k = 0; k < values.size(); ++k) {
    if (std::isinf(values[k])) {
      throw InvalidInput({.function = "smooth",
                          .argument = "values",
                          .rule = "must be finite or NaN",
                          .value = fmt::format("{} at sample {}", values[k], k + 1)});
    }
  }
  if (options.weights.size() != 0) {
    check::size("smooth", "number of weights", options.weights.size(), times.size());
    check::all_finite("smooth", "weights", options.weights);
    if (options.weights.minCoeff() < 0.0) {
      throw InvalidInput({.function = "smooth",
                          .argument = "weights",
                          .rule = "must not be negative",
                          .value = fmt::format("{}", options.weights.minCoeff())});
    }
  }
  if (options.lambda && options.sigma) {
    throw InvalidInput({.function = "smooth",
                        .argument = "lambda and sigma",
                        .rule = "must not both be given",
                        .value = "both"});
  }
  if (options.lambda) {
    check::non_negative("smooth", "lambda", *options.lambda);
  }
  if (options.sigma) {
    check::positive("smooth", "sigma", *options.sigma);
  }
}

// log10 λ and whether it is a limit of the range.
struct Choice {
  double log_lambda = 0.0;
  bool at_limit = false;
};

double gcv_score(const Fit& fit) {
  const auto n = static_cast<double>(fit.residual.size());
  const double rest = n - fit.degrees_of_freedom;
  return rest > 0.0 ? n * fit.sum_of_squares / (rest * rest) : kNaN;
}

// Smallest value of `score` between two points, by golden section.
double golden_section(const std::function<double(double)>& score, double a, double b) {
  const double ratio = (std::sqrt(5.0) - 1.0) / 2.0;
  double left = b - ratio * (b - a);
  double right = a + ratio * (b - a);
  double left_score = score(left);
  double right_score = score(right);
  while (b - a > kLogTolerance) {
    if (left_score <= right_score) {
      b = right;
      right = left;
      right_score = left_score;
      left = b - ratio * (b - a);
      left_score = score(left);
    } else {
      a = left;
      left = right;
      left_score = right_score;
      right = a + ratio * (b - a);
      right_score = score(right);
    }
  }
  return left_score <= right_score ? left : right;
}

// The score may have several minima: a grid finds the lowest valley, golden section its floor.
Choice minimise_gcv(const std::function<Fit(double)>& fit, double least, double most) {
  const auto score = [&](double log_lambda) { return gcv_score(fit(log_lambda)); };
  double best = least;
  double best_score = std::numeric_limits<double>::infinity();
  for (double log_lambda = least; log_lambda <= most + 0.5 * kGridStep; log_lambda += kGridStep) {
    const double here = score(log_lambda);
    if (here < best_score) {
      best_score = here;
      best = log_lambda;
    }
  }
  const double found =
      golden_section(score, std::max(best - kGridStep, least), std::min(best + kGridStep, most));
  const bool at_limit = found - least < 2 * kLogTolerance || most - found < 2 * kLogTolerance;
  return {.log_lambda = found, .at_limit = at_limit};
}

// Σw(y-f)² grows with λ: bisection for the value n σ².
Choice meet_sigma(const std::function<Fit(double)>& fit, double target, double least, double most) {
  if (fit(most).sum_of_squares <= target) {
    return {.log_lambda = most, .at_limit = true};
  }
  if (fit(least).sum_of_squares >= target) {
    return {.log_lambda = least, .at_limit = true};
  }
  while (most - least > 0.1 * kLogTolerance) {
    const double middle = 0.5 * (least + most);
    (fit(middle).sum_of_squares < target ? least : most) = middle;
  }
  return {.log_lambda = 0.5 * (least + most), .at_limit = false};
}

SmoothingResult few_samples(const Samples& used) {
  SmoothingResult result;
  result.spline = interpolating_polynomial(used.times, used.values);
  result.degrees_of_freedom = static_cast<double>(used.times.size());
  result.gcv = result.sigma = kNaN;
  return result;
}

// The samples with mean distance 1 and mean weight 1, so that λ has one meaning for the search,
// and without the polynomial of degree m - 1, which smoothing leaves as it is.
struct Problem {
  SmoothingSystem system;
  VectorXd rest;
  double time_unit;    // s
  double weight_unit;  // mean weight

  [[nodiscard]] double lambda_unit() const {
    return std::pow(time_unit, 2 * system.penalty() - 1) * weight_unit;
  }
  [[nodiscard]] Fit fit(double log_lambda) const {
    return system.solve(std::pow(10.0, log_lambda), rest);
  }
};

Problem scaled_problem(const Samples& used, int m) {
  const Index n = used.times.size();
  const double time_unit = (used.times[n - 1] - used.times[0]) / static_cast<double>(n - 1);
  const double weight_unit = used.weights.mean();
  SmoothingSystem system((used.times.array() - used.times[0]) / time_unit,
                         used.weights / weight_unit, m);
  const VectorXd trend = weighted_trend(system.knots(), used.values, system.weights(), m - 1);
  return {std::move(system), used.values - trend, time_unit, weight_unit};
}

Choice chosen(const Problem& problem, const std::optional<double>& sigma) {
  const VectorXd& x = problem.system.knots();
  const Index n = x.size();
  const int m = problem.system.penalty();
  const double shortest = (x.tail(n - 1) - x.head(n - 1)).minCoeff();
  const double least = kLeastLog + (2 * m - 1) * std::log10(shortest);
  const double most = std::min(2 * m * std::log10(static_cast<double>(n)), kMostLog);
  const auto fit = [&](double log_lambda) { return problem.fit(log_lambda); };
  if (!sigma) {
    return minimise_gcv(fit, least, most);
  }
  const double target = static_cast<double>(n) * *sigma * *sigma / problem.weight_unit;
  return meet_sigma(fit, target, least, most);
}

SmoothingResult many_samples(const Samples& used, int m, const SmoothingOptions& options) {
  const Problem problem = scaled_problem(used, m);
  const Choice choice = options.lambda ? Choice{} : chosen(problem, options.sigma);
  const double lambda =
      options.lambda ? *options.lambda / problem.lambda_unit() : std::pow(10.0, choice.log_lambda);
  const Fit best = problem.system.solve(lambda, problem.rest);
  const double freedom_left = static_cast<double>(used.times.size()) - best.degrees_of_freedom;
  SmoothingResult result;
  result.spline = natural_spline(used.times, used.values - best.residual, best.gamma, m);
  result.lambda = options.lambda ? *options.lambda : lambda * problem.lambda_unit();
  result.degrees_of_freedom = best.degrees_of_freedom;
  result.gcv = gcv_score(best) * problem.weight_unit;
  result.sigma = std::sqrt(problem.weight_unit * best.sum_of_squares / freedom_left);
  result.at_limit = choice.at_limit;
  return result;
}

}  // namespace

SmoothingResult smooth(const ConstVector& times, const ConstVector& values,
                       const SmoothingOptions& options) {
  check_arguments(times, values, options);
  const Samples used = used_samples(times, values, options.weights);
  check::at_least("smooth", "number of samples that can be used", used.times.size(), 2);
  const int m = options.penalty == Penalty::SecondDerivative ? 2 : 3;
  SmoothingResult result =
      used.times.size() <= m ? few_samples(used) : many_samples(used, m, options);
  result.used = used.times.size();
  result.fitted = result.spline(times);
  return result;
}

}  // namespace alembert::signal
