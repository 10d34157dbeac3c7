#include "alembert/integrate/convergence.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/not_a_number.hpp"

namespace alembert::integrate {

double observed_order(const Eigen::Ref<const Eigen::VectorXd>& steps,
                      const Eigen::Ref<const Eigen::VectorXd>& errors) {
  check::at_least("observed_order", "number of steps", steps.size(), 2);
  check::size("observed_order", "errors", errors.size(), steps.size());
  for (Eigen::Index i = 0; i < steps.size(); ++i) {
    check::positive("observed_order", "steps", steps(i));
    check::positive("observed_order", "errors", errors(i));
  }
  const Eigen::VectorXd x = steps.array().log() - steps.array().log().mean();
  const Eigen::VectorXd y = errors.array().log();
  check::positive("observed_order", "spread of steps", x.squaredNorm());
  // slope = Σ (x - x̄) y / Σ (x - x̄)²
  return x.dot(y) / x.squaredNorm();
}

Convergence measure_convergence(const Eigen::Ref<const Eigen::VectorXd>& steps,
                                const std::function<double(double step)>& error,
                                const ConvergenceOptions& options) {
  check::at_least("measure_convergence", "number of steps", steps.size(), 2);
  check::non_negative("measure_convergence", "floor", options.floor);
  check::at_least("measure_convergence", "points", options.points, 0);
  for (Eigen::Index i = 0; i < steps.size(); ++i) {
    check::positive("measure_convergence", "steps", steps(i));
    if (i > 0 && !(steps(i) < steps(i - 1))) {
      throw InvalidInput({.function = "measure_convergence",
                          .argument = "steps",
                          .rule = "must be strictly descending"});
    }
  }
  Convergence result;
  result.steps = steps;
  result.errors.resize(steps.size());
  for (Eigen::Index i = 0; i < steps.size(); ++i) {
    result.errors(i) = error(steps(i));
  }
  result.local_order.resize(steps.size() - 1);
  for (Eigen::Index i = 0; i + 1 < steps.size(); ++i) {
    result.local_order(i) =
        std::log(result.errors(i) / result.errors(i + 1)) / std::log(steps(i) / steps(i + 1));
  }
  Eigen::Index usable = 0;
  while (usable < steps.size() && std::isfinite(result.errors(usable)) &&
         result.errors(usable) > options.floor) {
    ++usable;
  }
  const Eigen::Index taken = options.points > 0 ? std::min(options.points, usable) : usable;
  result.order = taken < 2 ? kNaN
                           : observed_order(result.steps.segment(usable - taken, taken),
                                            result.errors.segment(usable - taken, taken));
  return result;
}

}  // namespace alembert::integrate
