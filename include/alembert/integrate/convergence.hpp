#pragma once

#include <Eigen/Core>
#include <functional>

namespace alembert::integrate {

/// Errors of a method over a ladder of steps, and the order seen in them.
struct Convergence {
  Eigen::VectorXd steps;        ///< h in s, descending
  Eigen::VectorXd errors;       ///< error at each step
  Eigen::VectorXd local_order;  ///< ln(e(i)/e(i+1)) / ln(h(i)/h(i+1)); one less than steps
  double order = 0.0;           ///< slope of the straight line through (ln h, ln e); NaN below
                                ///< two usable errors
};

struct ConvergenceOptions {
  /// Errors at or below are rounding, not truncation: they and all smaller steps are left out of
  /// the fit. In the unit of the errors.
  double floor = 0.0;
  /// The fit takes this many of the smallest usable steps, because the order is a limit for h → 0;
  /// 0 takes all.
  Eigen::Index points = 0;
};

/// Slope of ln(error) over ln(step) by least squares.
/// @throws InvalidInput if sizes differ, there are fewer than two, or a value is not positive.
[[nodiscard]] double observed_order(const Eigen::Ref<const Eigen::VectorXd>& steps,
                                    const Eigen::Ref<const Eigen::VectorXd>& errors);

/// Calls error(h) for each step and fits the order.
/// @param steps at least two, positive, strictly descending.
/// @throws InvalidInput if a rule above is broken.
[[nodiscard]] Convergence measure_convergence(const Eigen::Ref<const Eigen::VectorXd>& steps,
                                              const std::function<double(double step)>& error,
                                              const ConvergenceOptions& options = {});

}  // namespace alembert::integrate
