#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "alembert/model/detail/equation_record.hpp"

namespace alembert::model::equations {

struct NativeFunctions;
struct Program;
struct Tape;
struct TapeSet;

/// The functions of a model at a point, by either engine: for methods that are the same for both.
/// It looks at memory of the evaluator that made it, and works as long as that lives.
class EquationPoint {
 public:
  /// @param native null for the interpreter.
  EquationPoint(const Program& program, const TapeSet& tapes, const NativeFunctions* native,
                double* registers)
      : program_(&program), tapes_(&tapes), native_(native), r_(registers) {}

  [[nodiscard]] std::size_t states() const;
  [[nodiscard]] std::size_t inputs() const;
  [[nodiscard]] std::size_t outputs() const;
  [[nodiscard]] const double* parameters() const;

  /// x' = f(t, x, u)
  void f(double t, const double* x, const double* u, double* dx);
  /// f and D = ∂f/∂x S + ∂f/∂θ
  void f(double t, const double* x, const double* u, const SensitivityView& view, const double* s,
         double* dx, double* d);
  /// Places (row, column) where ∂f/∂x may differ from zero, by rows.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> jacobian_pattern() const;
  /// f and the entries of ∂f/∂x in the order of the pattern.
  void jacobian(double t, const double* x, const double* u, double* dx, double* entries);
  /// The entries of ∂f/∂x, and ∂f/∂θ in rows of view.stride numbers.
  void slopes(double t, const double* x, const double* u, const SensitivityView& view,
              double* entries, double* by_parameter);
  /// y = g(t, x, u)
  void g(double t, const double* x, const double* u, double* y);
  /// g and ∂g/∂x S + ∂g/∂θ, without padding.
  void g(double t, const double* x, const double* u, const SensitivityView& view, const double* s,
         double* y, double* dy);

 private:
  void run(const Tape& tape, double t, const double* x, const double* u);
  void values(const Tape& tape, double* values) const;
  [[nodiscard]] const double* prepared() const;

  const Program* program_;
  const TapeSet* tapes_;
  const NativeFunctions* native_;
  double* r_;
};

}  // namespace alembert::model::equations
