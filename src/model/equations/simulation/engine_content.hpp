#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "alembert/model/equation_engine.hpp"
#include "model/equations/interpreter/tape.hpp"
#include "model/equations/native/native_library.hpp"
#include "model/equations/simulation/newmark_layout.hpp"

namespace alembert::model {

struct CompiledEquations::Content {
  explicit Content(EquationModel given) : model(std::move(given)) {}

  EquationModel model;
  equations::TapeSet tapes;
  equations::NewmarkLayout newmark;
  EngineOptions options;
  std::unique_ptr<const equations::NativeLibrary> native;  ///< null: interpreter
  std::string note;

  /// The loops of RungeKutta4 or Newmark in native code, compiled at the first call unless they
  /// were with the model; null: interpreter.
  [[nodiscard]] const equations::NativeFunctions* native_loops(Integrator method) const;

 private:
  struct Loops {
    std::once_flag once;
    std::unique_ptr<const equations::NativeLibrary> library;
  };
  mutable Loops runge_kutta_, newmark_;
};

namespace equations {

/// Room that the stages of Runge-Kutta 4 need, besides what the sensitivities need.
[[nodiscard]] std::size_t stage_room(const Program& program);
/// The same of Newmark's method.
[[nodiscard]] std::size_t newmark_room(const NewmarkLayout& layout);

/// Copies of S that a method works with.
[[nodiscard]] constexpr std::size_t sensitivity_rows(Integrator method) {
  return method == Integrator::DormandPrince ? 11 : 6;
}

/// A record's data in the form that the loops use; the same layout as in the generated C.
struct RecordView {
  long samples = 0;
  long substeps = 1;
  double start_time = 0.0;
  double step = 1.0;
  int between = 0;
  const double* inputs = nullptr;
  double tolerance = 1e-4;  ///< of Newton's method
};

/// Sensitivities in the form that the loops use: rows of `stride` numbers of which `count` count.
struct SensitivityView {
  long count = 0;
  long stride = 0;
  const int* column_of_parameter = nullptr;
  double* work = nullptr;  ///< sensitivity_rows() · states · stride numbers; S comes first
  double* outputs = nullptr;
  double* states = nullptr;  ///< may be null
};

/// Interpreted simulation; returns the number of samples with finite states. `view` may be null.
long simulate_record(const CompiledEquations::Content& content, const RecordView& record,
                     const double* x0, double* y, double* xs, const SensitivityView* view,
                     double* registers, double* work);

/// The same with Newmark's method; pivots has room for one number per unknown.
long newmark_record(const CompiledEquations::Content& content, const RecordView& record,
                    const double* x0, double* y, double* xs, const SensitivityView* view,
                    double* registers, double* work, int* pivots);

}  // namespace equations
}  // namespace alembert::model
