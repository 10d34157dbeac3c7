#pragma once

#include <vector>

#include "alembert/integrate/ode/system.hpp"

namespace alembert::integrate::ode {

/// Inputs in the course of a step; all null for a system without inputs.
struct StepInputs {
  const double* begin = nullptr;
  const double* middle = nullptr;
  const double* end = nullptr;
};

/// Steps of the classical Runge-Kutta method of order 4:
///
///   k1 = f(t, x),  k2 = f(t + h/2, x + h/2 k1),  k3 = f(t + h/2, x + h/2 k2),
///   k4 = f(t + h, x + h k3),   x ← x + h/6 (k1 + 2 (k2 + k3) + k4)
///
/// Sensitivities go through the same stages and are the exact derivatives of the computed numbers.
/// Steps do not allocate.
class RungeKutta4 {
 public:
  /// With memory of its own. The system must outlive it.
  explicit RungeKutta4(System& system);
  /// With memory of the caller: work_room(n) numbers, and sensitivity_room(n·stride) for a system
  /// with sensitivities, whose first n·stride are S.
  RungeKutta4(System& system, double* work, double* sensitivity_work);

  [[nodiscard]] static std::size_t work_room(std::size_t states) { return 6 * states; }
  [[nodiscard]] static std::size_t sensitivity_room(std::size_t size) { return 6 * size; }

  /// The states and, row by row, their sensitivities: to be set before the first step.
  [[nodiscard]] double* state() { return x_; }
  [[nodiscard]] double* sensitivities() { return s_; }

  /// Goes from t to t + h.
  void step(double t, double h, const StepInputs& inputs = {});

 private:
  void stage(std::size_t n, double t, double a, const double* u);

  std::vector<double> memory_;
  System& system_;
  std::size_t nx_, ns_;
  double* x_;
  double* z_;  // where a stage is evaluated
  double* k_;  // four stages
  double* s_;  // S, then its point, then four stages; null without
};

}  // namespace alembert::integrate::ode
