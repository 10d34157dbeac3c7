#pragma once

#include <vector>

#include "alembert/integrate/ode/system.hpp"
#include "alembert/model/detail/newmark_layout.hpp"

namespace alembert::integrate::ode {

/// Newmark's method of constant average acceleration (β = 1/4, γ = 1/2) for the coordinates q with
/// velocities v, and the trapezoidal rule for all other states s:
///
///   q₊ = q + h v + h²/4 (a + a₊),   v₊ = v + h/2 (a + a₊),   a₊ = f_v(t₊, x₊)
///   s₊ = s + h/2 (f_s + f_s₊)
///
/// solved by Newton's method for a₊ and s₊ with the exact Jacobian: order 2, stable for any step.
/// Sensitivities are the derivatives of these equations at their solution. Steps do not allocate.
///
/// For systems M q'' + D q' + K q = L u, integrate::newmark_map() makes a matrix of the step; loops
/// in native code (model::NativeLoops) have the equations inside.
class Newmark {
 public:
  /// With memory of its own. The system must outlive it.
  /// @param pairs the states that are a coordinate and its velocity: f of q is v.
  Newmark(System& system, const std::vector<model::SecondOrderPair>& pairs);
  /// With memory of the caller, which must fit the same sizes: work_room(), sensitivity_room(), and
  /// one whole number per unknown.
  Newmark(System& system, const model::detail::NewmarkLayout& layout,
          const std::vector<MatrixPlace>& pattern, double* work, int* pivots,
          double* sensitivity_work);

  Newmark(const Newmark&) = delete;
  Newmark& operator=(const Newmark&) = delete;

  [[nodiscard]] static std::size_t work_room(const model::detail::NewmarkLayout& layout,
                                             std::size_t jacobian_entries);
  [[nodiscard]] static std::size_t sensitivity_room(std::size_t size) { return 6 * size; }

  /// The states and, row by row, their sensitivities: to be set before start().
  [[nodiscard]] double* state() { return x_; }
  [[nodiscard]] double* sensitivities() { return s_; }

  /// Forgets the past: for the first step, and where inputs jump.
  void start(double t, double h, const double* u = nullptr);
  /// Goes to the time t by a step of the same h. False if Newton's method does not converge; the
  /// states are then no numbers.
  /// @param tolerance Newton's method ends when no unknown (accelerations, states of first order)
  ///   changes by more than this part of its largest value so far. What then remains is of the
  ///   order of the square.
  bool step(double t, const double* u = nullptr, double tolerance = 1e-4);

 private:
  using Role = model::detail::NewmarkLayout::Role;

  void place(double* work, double* sensitivity_work);
  [[nodiscard]] std::size_t first(std::size_t unknown) const;
  void predict();
  void move_to_unknowns();
  bool solve(double t, const double* u, double tolerance);
  void residual();
  void matrix();
  [[nodiscard]] bool settled(double tolerance) const;
  void accept();
  void move_sensitivities(double t, const double* u);
  void right_sides();

  model::detail::NewmarkLayout own_layout_;
  std::vector<MatrixPlace> own_pattern_;
  std::vector<double> memory_;
  std::vector<int> own_pivots_;
  System& system_;
  const model::detail::NewmarkLayout& layout_;
  const std::vector<MatrixPlace>& pattern_;
  std::size_t nx_, n2_, nn_, stride_;
  double h_ = 0.0, half_ = 0.0, quarter_ = 0.0;
  double *m_ = nullptr, *x_ = nullptr, *base_ = nullptr, *b_ = nullptr, *rate_ = nullptr,
         *past_ = nullptr, *p_ = nullptr, *scale_ = nullptr, *delta_ = nullptr, *dx_ = nullptr,
         *entries_ = nullptr;
  int* pivot_;
  int depth_ = 0;
  double *s_ = nullptr, *z_ = nullptr, *f_ = nullptr, *q_ = nullptr, *rhs_ = nullptr;
};

}  // namespace alembert::integrate::ode
