#pragma once

#include <Eigen/Core>

#include "alembert/core/status.hpp"
#include "alembert/integrate/ode/adaptive.hpp"
#include "alembert/integrate/ode/system.hpp"

/// Solutions of x' = f(t, x) from x0 at given times, in one call.
///
///   auto pendulum = ode::function_system(2, [](double, const double* x, double* dx) {
///     dx[0] = x[1];
///     dx[1] = -9.81 * std::sin(x[0]);
///   });
///   const auto swing = ode::solve_adaptive(pendulum, Eigen::Vector2d(1.0, 0.0),
///                                          {.step = 0.1, .count = 100});
///
/// All throw InvalidInput if x0 has the wrong size or is not finite, for times without samples or
/// with step <= 0, and for tolerances that are not positive.
namespace alembert::integrate::ode {

/// A solution at its samples. Status NotFinite if it was not reached in full: the states left the
/// range of numbers, or the steps became too small or too many; Stopped if an event ended it.
struct Solution : Outcome {
  Eigen::VectorXd time;    ///< s
  Eigen::MatrixXd states;  ///< samples x states
};

/// By RungeKutta4 with so many equal steps from sample to sample.
[[nodiscard]] Solution solve_runge_kutta4(System& system,
                                          const Eigen::Ref<const Eigen::VectorXd>& x0,
                                          const SampleTimes& times, int substeps = 1);

/// By Dormand-Prince 5(4), AdaptiveRun. @param events may be null.
[[nodiscard]] Solution solve_adaptive(System& system, const Eigen::Ref<const Eigen::VectorXd>& x0,
                                      const SampleTimes& times, const AdaptiveSteps& steps = {},
                                      Events* events = nullptr);

/// By backward differentiation formulas, stiff_run(); the system must have jacobian().
/// @throws InvalidInput also if the program was built without SUNDIALS.
[[nodiscard]] Solution solve_stiff(System& system, const Eigen::Ref<const Eigen::VectorXd>& x0,
                                   const SampleTimes& times, const AdaptiveSteps& steps = {});

}  // namespace alembert::integrate::ode
