#include "alembert/optimize/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "alembert/core/text.hpp"
#include "alembert/optimize/student.hpp"
#include "alembert/optimize/transformation.hpp"
#include "optimize/evaluator.hpp"

namespace alembert::optimize {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr std::string_view kProfile = "profile_interval";
// A cost below the smallest by more than this part says that it was not the smallest.
constexpr double kLower = 1e-6;
// An end nearer to the estimate than this part of the first step is no end.
constexpr double kNoDistance = 1e-3;

// One side of the interval. The root of g(v) = √(cost(v) - c) - √(limit - c) is sought, which is
// straight where the cost is a parabola.
class ProfileSide {
 public:
  ProfileSide(const std::function<double(double)>& cost_at, double estimate, double cost,
              const ProfileOptions& options, double sign, std::vector<ProfilePoint>& curve)
      : cost_at_(cost_at),
        estimate_(estimate),
        cost_(cost),
        options_(options),
        sign_(sign),
        end_(sign > 0.0 ? options.upper : options.lower),
        curve_(curve) {}

  // The end; `open` if it is a bound or was not found.
  double find(bool& open) {
    const double bound = sign_ * (end_ - estimate_);
    open = true;
    if (bound <= 0.0) return estimate_;
    double inner = 0.0;
    double inner_g = -std::sqrt(options_.limit - cost_);
    double outer = std::min(options_.first_step, bound);
    double outer_g = g(outer);
    while (outer_g <= 0.0) {
      if (outer >= bound || solves_ >= options_.max_solves / 2) return value_at(outer);
      inner = outer;
      inner_g = outer_g;
      outer = std::min(2.0 * outer, bound);
      outer_g = g(outer);
    }
    const double distance = root(inner, inner_g, outer, outer_g);
    // The cost of a fit is continuous, so that a limit crossed at the estimate itself is a jump.
    open = jumped_ = distance < kNoDistance * options_.first_step;
    return value_at(distance);
  }

  [[nodiscard]] bool jumped() const { return jumped_; }

 private:
  // The bound itself where the distance reaches it: estimate ± distance may miss it by a rounding.
  [[nodiscard]] double value_at(double distance) const {
    const double value = estimate_ + sign_ * distance;
    return distance >= sign_ * (end_ - estimate_) || sign_ * (end_ - value) < 0.0 ? end_ : value;
  }

  double g(double distance) {
    ++solves_;
    const double value = value_at(distance);
    const double cost = cost_at_(value);
    curve_.push_back({value, cost});
    if (!std::isfinite(cost)) return std::numeric_limits<double>::infinity();
    return std::sqrt(std::max(cost - cost_, 0.0)) - std::sqrt(options_.limit - cost_);
  }

  // The Illinois form of the false position, halving where the cost is infinite.
  double root(double a, double ga, double b, double gb) {
    while (solves_ < options_.max_solves && std::abs(b - a) > options_.tolerance * b) {
      const bool straight = std::isfinite(gb);
      double next = straight ? b - gb * (b - a) / (gb - ga) : 0.5 * (a + b);
      const double margin = 0.4 * options_.tolerance * b;
      if (straight) next = std::clamp(next, a + margin, b - margin);
      const double gn = g(next);
      if (gn > 0.0) {
        b = next;
        gb = gn;
        ga *= 0.5;
      } else {
        a = next;
        ga = gn;
        gb *= 0.5;
      }
    }
    return 0.5 * (a + b);
  }

  const std::function<double(double)>& cost_at_;
  double estimate_, cost_;
  const ProfileOptions& options_;
  double sign_;
  double end_;  // the bound on this side
  std::vector<ProfilePoint>& curve_;
  int solves_ = 0;
  bool jumped_ = false;
};

void check_options(double estimate, double cost, const ProfileOptions& options) {
  check::finite(kProfile, "estimate", estimate);
  check::finite(kProfile, "cost", cost);
  check::positive(kProfile, "first_step", options.first_step);
  check::positive(kProfile, "tolerance", options.tolerance);
  check::at_least(kProfile, "max_solves", options.max_solves, 2);
  check::at_least(kProfile, "between", options.between, 0);
  check::positive(kProfile, "limit - cost", options.limit - cost);
}

Outcome outcome_of(const ProfileInterval& interval, double cost, const ProfileOptions& options) {
  for (const ProfilePoint& point : interval.curve) {
    if (point.cost < cost - kLower * std::abs(cost)) {
      return {Status::NotConverged,
              fmt::format("the cost is {} at the estimate but {} with the parameter at {}: the "
                          "estimate is no minimum; fit again from there",
                          shortest(cost), shortest(point.cost), shortest(point.value))};
    }
  }
  const bool lost = (interval.lower_open && interval.lower > options.lower) ||
                    (interval.upper_open && interval.upper < options.upper);
  if (!lost) return {};
  return {Status::NotConverged,
          "the cost stays below the limit as far as was searched: the data do not bound the "
          "parameter on this side"};
}

// The cost after a fit of all other free parameters.
class RefittedCost {
 public:
  RefittedCost(const Transformation& map, const Objective& objective, const Minimum& minimum,
               const std::string& name, const MinimiseOptions& local)
      : minimum_(minimum), local_(local), others_{map.parameters(), objective} {
    for (Index j = 0; j < map.free_size(); ++j) {
      const Index k = map.parameter_of(j);
      Parameter& parameter = others_.parameters[static_cast<std::size_t>(k)];
      parameter.scale = map.scale()(j);
      parameter.guess = minimum.parameters(k);
      if (parameter.name == name) held_ = k;
    }
    if (held_ < 0) {
      throw InvalidInput({.function = std::string(kProfile),
                          .argument = "name",
                          .rule = "must be that of a free parameter",
                          .value = fmt::format("'{}'", name)});
    }
    others_.parameters[static_cast<std::size_t>(held_)].fixed = true;
    others_.parameters[static_cast<std::size_t>(held_)].logarithmic = false;
  }

  [[nodiscard]] Index held() const { return held_; }

  // Each fit begins at its neighbour towards the minimum. One that costs more than the limit, or
  // less than its neighbour, may have jumped to another branch: it begins anew at the neighbour on
  // the other side and at the minimum, and the lowest cost counts.
  double at(double value, double limit) {
    others_.parameters[static_cast<std::size_t>(held_)].guess = value;
    if (Transformation(others_.parameters).free_size() == 0) {
      return plain_cost(Transformation(others_.parameters));
    }
    const double centre = minimum_.parameters(held_);
    const Branch* inner = neighbour(value, centre, true);
    const Branch* outer = neighbour(value, centre, false);
    Branch best = fitted_from(inner != nullptr ? inner->theta : minimum_.parameters, value);
    const double expected = inner != nullptr ? inner->cost : minimum_.cost;
    if (!(best.cost <= limit) || best.cost < expected) {
      if (outer != nullptr) keep_lower(fitted_from(outer->theta, value), best);
      if (inner != nullptr) keep_lower(fitted_from(minimum_.parameters, value), best);
    }
    if (std::isfinite(best.cost)) branches_.push_back(best);
    return best.cost;
  }

 private:
  // A fit of the others with the parameter held.
  struct Branch {
    double value = 0.0;
    double cost = 0.0;
    VectorXd theta;
  };

  static void keep_lower(Branch other, Branch& best) {
    if (other.cost < best.cost || !std::isfinite(best.cost)) best = std::move(other);
  }

  // The nearest fit on the same side of the minimum, towards it or away from it; null if none.
  [[nodiscard]] const Branch* neighbour(double value, double centre, bool towards) const {
    const Branch* nearest = nullptr;
    const double distance = std::abs(value - centre);
    for (const Branch& one : branches_) {
      if ((one.value < centre) != (value < centre)) continue;
      const double other = std::abs(one.value - centre);
      if (towards ? other >= distance : other <= distance) continue;
      const bool nearer =
          nearest == nullptr || std::abs(one.value - value) < std::abs(nearest->value - value);
      if (nearer) nearest = &one;
    }
    return nearest;
  }

  Branch fitted_from(const VectorXd& theta, double value) {
    take_guesses(theta);
    others_.parameters[static_cast<std::size_t>(held_)].guess = value;
    const Minimum fit = minimise(others_, local_);
    return {value, fit.cost, fit.parameters};
  }

  void take_guesses(const VectorXd& theta) {
    for (std::size_t k = 0; k < others_.parameters.size(); ++k) {
      others_.parameters[k].guess = theta(static_cast<Index>(k));
    }
  }

  // Nothing else to fit.
  double plain_cost(const Transformation& map) const {
    Evaluator evaluator(map, others_.objective, local_, 1);
    return evaluator.cost(map.start());
  }

  const Minimum& minimum_;
  const MinimiseOptions& local_;
  Problem others_;
  Index held_ = -1;
  std::vector<Branch> branches_;
};

}  // namespace

double profile_limit(double cost, Index residuals, Index parameters, double level,
                     double noise_variance) {
  check::non_negative("profile_limit", "cost", cost);
  check::in_range("profile_limit", "level", level, 1e-6, 1.0 - 1e-12);
  check::non_negative("profile_limit", "noise_variance", noise_variance);
  const double probability = 0.5 * (1.0 + level);
  if (noise_variance > 0.0) {
    const double z = normal_quantile(probability);
    return cost + noise_variance * z * z;
  }
  check::at_least("profile_limit", "residuals - parameters", residuals - parameters, 1);
  const double freedom = static_cast<double>(residuals - parameters);
  const double t = student_quantile(probability, freedom);
  return cost * (1.0 + t * t / freedom);
}

ProfileInterval profile_interval(const std::function<double(double)>& cost_at, double estimate,
                                 double cost, const ProfileOptions& options) {
  check_options(estimate, cost, options);
  ProfileInterval interval;
  interval.curve.push_back({estimate, cost});
  ProfileSide below(cost_at, estimate, cost, options, -1.0, interval.curve);
  interval.lower = below.find(interval.lower_open);
  ProfileSide above(cost_at, estimate, cost, options, 1.0, interval.curve);
  interval.upper = above.find(interval.upper_open);
  for (const double end : {interval.lower, interval.upper}) {
    for (int k = options.between; k > 0 && end != estimate; --k) {
      const double value = estimate + (end - estimate) * k / (options.between + 1);
      interval.curve.push_back({value, cost_at(value)});
    }
  }
  std::sort(interval.curve.begin(), interval.curve.end(),
            [](const ProfilePoint& a, const ProfilePoint& b) { return a.value < b.value; });
  static_cast<Outcome&>(interval) = outcome_of(interval, cost, options);
  if (below.jumped() || above.jumped()) {
    static_cast<Outcome&>(interval) = {
        Status::NotConverged,
        fmt::format("the cost jumps next to the estimate {}: the other parameters fall into "
                    "another minimum there, and no end was found",
                    below.jumped() ? "below it" : "above it")};
  }
  return interval;
}

ProfileInterval profile_interval(const Problem& problem, const Minimum& minimum,
                                 const std::string& name, const ProfileOptions& options,
                                 const MinimiseOptions& local) {
  const Transformation map(problem.parameters);
  check::size(kProfile, "minimum.parameters", minimum.parameters.size(), map.size());
  RefittedCost cost(map, problem.objective, minimum, name, local);
  const Parameter& parameter = map.parameters()[static_cast<std::size_t>(cost.held())];
  ProfileOptions bounded = options;
  bounded.lower = std::max(options.lower, parameter.lower);
  if (parameter.logarithmic) bounded.lower = std::max(bounded.lower, 0.0);
  bounded.upper = std::min(options.upper, parameter.upper);
  return profile_interval([&](double value) { return cost.at(value, options.limit); },
                          minimum.parameters(cost.held()), minimum.cost, bounded);
}

}  // namespace alembert::optimize
