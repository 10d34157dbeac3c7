#pragma once

#include "model/equations/simulation/engine_content.hpp"

namespace alembert::model::equations {

/// D = J_x S + J_θ with `count` columns, for a tape that ran on the registers; rows of S are
/// `stride` numbers long.
void sensitivity_product(const Tape& tape, const double* registers, const int* column_of_parameter,
                         const double* s, std::size_t stride, std::size_t count, double* d);

/// The functions of a model at a point, by either engine: for methods that are the same for both.
class PointEvaluator {
 public:
  /// @param native null for the interpreter.
  PointEvaluator(const Program& program, const TapeSet& tapes, const NativeFunctions* native,
                 double* registers)
      : program_(program), tapes_(tapes), native_(native), r_(registers) {}

  /// x' = f(t, x, u)
  void f(double t, const double* x, const double* u, double* dx);
  /// f and D = ∂f/∂x S + ∂f/∂θ
  void f(double t, const double* x, const double* u, const SensitivityView& view, const double* s,
         double* dx, double* d);
  /// ∂f/∂x, column by column.
  void state_jacobian(double t, const double* x, const double* u, double* jacobian);
  /// y = g(t, x, u)
  void g(double t, const double* x, const double* u, double* y);
  /// g and ∂g/∂x S + ∂g/∂θ, without padding.
  void g(double t, const double* x, const double* u, const SensitivityView& view, const double* s,
         double* y, double* dy);

 private:
  void run(const Tape& tape, double t, const double* x, const double* u, double* values);
  [[nodiscard]] const double* parameters() const { return r_ + tapes_.parameter_slot; }
  [[nodiscard]] const double* prepared() const { return r_ + tapes_.prepared_slot; }

  const Program& program_;
  const TapeSet& tapes_;
  const NativeFunctions* native_;
  double* r_;
};

}  // namespace alembert::model::equations
