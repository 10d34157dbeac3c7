#pragma once

#include <Eigen/Core>
#include <limits>

#include "alembert/optimize/minimise.hpp"
#include "alembert/optimize/transformation.hpp"

namespace alembert::optimize {

/// The objective as solvers see it: a function of the free variables x that counts its calls, turns
/// every kind of infeasibility into +infinity, keeps the best point and knows when to end.
class Evaluator {
 public:
  Evaluator(const Transformation& map, const Objective& objective, const MinimiseOptions& options,
            long max_evaluations);

  /// Cost at x with priors; +infinity if infeasible, or if finished() before the call.
  double cost(const Eigen::VectorXd& x);
  /// Cost at x and the normal equations in x; +infinity if anything in them is not finite.
  double sums(const Eigen::VectorXd& x, NormalEquations& free);

  /// Whether the cost comes cheaper than with its derivatives.
  [[nodiscard]] bool has_cost() const { return static_cast<bool>(objective_.cost); }
  /// The part of the cost that is nothing against the noise; 0 if the noise is not known.
  [[nodiscard]] double noise_part() const;
  /// Whether a stop was requested, the evaluations are used up, or the target is reached.
  [[nodiscard]] bool finished() const;

  [[nodiscard]] const Eigen::VectorXd& best() const { return best_; }
  [[nodiscard]] double best_cost() const { return result_.cost; }
  [[nodiscard]] const Transformation& map() const { return map_; }
  [[nodiscard]] const MinimiseOptions& options() const { return options_; }
  [[nodiscard]] long evaluations() const { return result_.evaluations; }
  [[nodiscard]] long evaluations_left() const { return max_evaluations_ - result_.evaluations; }

  /// The result with the outcome of the search; the reasons of finished() go before it.
  [[nodiscard]] Minimum result(const Outcome& search, int restarts) const;

 private:
  double plain_cost();
  double accept(const Eigen::VectorXd& x, double cost);
  [[nodiscard]] bool target_reached() const;
  [[nodiscard]] bool stop_requested() const;

  const Transformation& map_;
  const Objective& objective_;
  const MinimiseOptions& options_;
  long max_evaluations_;
  Minimum result_;
  Eigen::VectorXd best_, theta_, slope_;
  NormalEquations sums_;
};

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace alembert::optimize
