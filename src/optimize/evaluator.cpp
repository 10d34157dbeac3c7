#include "optimize/evaluator.hpp"

#include <fmt/format.h>

#include <cmath>

#include "alembert/core/text.hpp"

namespace alembert::optimize {

namespace {

// A variable within this distance (scaled) of a bound counts as ending there.
constexpr double kAtBound = 1e-9;

bool finite_sums(const NormalEquations& sums) {
  // Only the lower triangle has a meaning.
  double total = sums.cost;
  for (Eigen::Index j = 0; j < sums.gradient.size(); ++j) {
    total += std::abs(sums.gradient(j));
    for (Eigen::Index i = j; i < sums.gradient.size(); ++i) total += std::abs(sums.matrix(i, j));
  }
  return std::isfinite(total);
}

}  // namespace

Evaluator::Evaluator(const Transformation& map, const Objective& objective,
                     const MinimiseOptions& options, long max_evaluations)
    : map_(map), objective_(objective), options_(options), max_evaluations_(max_evaluations) {
  best_ = map.start();
  map.to_parameters(best_, result_.parameters);
}

bool Evaluator::target_reached() const { return result_.cost <= options_.target_cost; }

bool Evaluator::stop_requested() const {
  return options_.stop != nullptr && options_.stop->requested();
}

bool Evaluator::finished() const {
  return result_.evaluations >= max_evaluations_ || target_reached() || stop_requested();
}

// noise_tolerance σ²/cost with σ² = cost/(N - n)
double Evaluator::noise_part() const {
  const Eigen::Index freedom = objective_.residuals - map_.free_size();
  return freedom > 0 ? options_.noise_tolerance / static_cast<double>(freedom) : 0.0;
}

double Evaluator::plain_cost() {
  if (objective_.cost) return objective_.cost(theta_);
  sums_.reset(map_.size());
  objective_.sums(theta_, sums_);
  return sums_.cost;
}

double Evaluator::accept(const Eigen::VectorXd& x, double cost) {
  ++result_.evaluations;
  if (!std::isfinite(cost)) return kInfinity;
  if (cost < result_.cost) {
    result_.cost = cost;
    best_ = x;
    result_.parameters = theta_;
    result_.history.push_back({result_.evaluations, cost});
    if (options_.on_improvement) options_.on_improvement(result_.history.back(), theta_);
  }
  return cost;
}

double Evaluator::cost(const Eigen::VectorXd& x) {
  if (finished()) return kInfinity;
  map_.to_parameters(x, theta_);
  double value = kInfinity;
  try {
    value = plain_cost() + map_.prior_cost(theta_);
  } catch (const Infeasible&) {
    value = kInfinity;
  }
  return accept(x, value);
}

double Evaluator::sums(const Eigen::VectorXd& x, NormalEquations& free) {
  if (finished()) return kInfinity;
  map_.to_parameters(x, theta_);
  ++result_.jacobians;
  double value = kInfinity;
  try {
    sums_.reset(map_.size());
    objective_.sums(theta_, sums_);
    map_.add_priors(theta_, sums_);
    map_.slopes(theta_, slope_);
    map_.reduce(sums_, slope_, free);
    if (finite_sums(free)) value = free.cost;
  } catch (const Infeasible&) {
    value = kInfinity;
  }
  return accept(x, value);
}

Minimum Evaluator::result(const Outcome& search, int restarts) const {
  Minimum minimum = result_;
  minimum.restarts = restarts;
  static_cast<Outcome&>(minimum) = search;
  if (stop_requested()) {
    static_cast<Outcome&>(minimum) = {Status::Stopped,
                                      fmt::format("stopped after {} evaluations; the best point "
                                                  "so far is kept",
                                                  minimum.evaluations)};
  } else if (target_reached()) {
    static_cast<Outcome&>(minimum) = {};
  } else if (!search.ok() && minimum.evaluations >= max_evaluations_) {
    static_cast<Outcome&>(minimum) = {
        Status::NotConverged,
        fmt::format("{} used all {} evaluations; raise {}, or start nearer",
                    to_string(options_.solver), max_evaluations_, options_.max_evaluations_name)};
  }
  if (!std::isfinite(minimum.cost) && minimum.status != Status::Stopped) {
    static_cast<Outcome&>(minimum) = {
        Status::NotFinite,
        fmt::format("the cost is not finite at the guess nor at {} point{} tried from it; give a "
                    "guess at which the model can be computed",
                    minimum.evaluations, minimum.evaluations == 1 ? "" : "s")};
  }
  for (Eigen::Index j = 0; j < map_.free_size(); ++j) {
    if (best_(j) - map_.lower()(j) <= kAtBound || map_.upper()(j) - best_(j) <= kAtBound) {
      minimum.at_bound.push_back(
          map_.parameters()[static_cast<std::size_t>(map_.parameter_of(j))].name);
    }
  }
  return minimum;
}

}  // namespace alembert::optimize
