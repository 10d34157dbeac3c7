#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/integrate/ode/adaptive.hpp"
#include "alembert/model/detail/held_kinks.hpp"
#include "alembert/model/detail/newmark_layout.hpp"
#include "alembert/model/equation_engine.hpp"
#include "alembert/signal/between_samples.hpp"

namespace alembert::integrate {

/// How a record is integrated. See docs/theory/output-error.md.
enum class Integrator {
  RungeKutta4,  ///< classical method of order 4, fixed steps
  /// Newmark's method of constant average acceleration for second-order equations, the trapezoidal
  /// rule for the others: order 2, stable for any step, fixed steps
  Newmark,
  DormandPrince,  ///< order 5(4), steps chosen by an error estimate, dense output
  /// Backward differentiation formulas for stiff models (SUNDIALS CVODES), steps and order chosen
  /// by an error estimate
  Stiff,
};

constexpr auto enum_names(Integrator) {
  return std::to_array<EnumName<Integrator>>({{Integrator::RungeKutta4, "runge-kutta"},
                                              {Integrator::Newmark, "newmark"},
                                              {Integrator::DormandPrince, "dormand-prince"},
                                              {Integrator::Stiff, "stiff"}});
}

/// The loops in native code that a method uses, for model::EngineOptions.
[[nodiscard]] constexpr model::NativeLoops native_loops(Integrator method) {
  return method == Integrator::RungeKutta4 ? model::NativeLoops::RungeKutta4
         : method == Integrator::Newmark   ? model::NativeLoops::Newmark
                                           : model::NativeLoops::None;
}

/// The relative tolerance of a method that chooses its steps, unless told.
[[nodiscard]] constexpr double default_relative_tolerance(Integrator method) {
  return method == Integrator::Stiff ? ode::kStiffTolerance : ode::kDormandPrinceTolerance;
}

/// Whether the inputs of a record are given at every half substep, 2·substeps·(samples - 1) + 1
/// rows, because no rule makes them from two samples (Cubic, BandLimited); else one row a sample.
[[nodiscard]] constexpr bool has_half_steps(signal::BetweenSamples between) {
  return between == signal::BetweenSamples::Cubic || between == signal::BetweenSamples::BandLimited;
}

/// Whether this program was built with SUNDIALS, which Integrator::Stiff needs.
[[nodiscard]] bool has_stiff_integrator();

/// A record to be simulated: samples at start_time + k·step.
struct RecordTask {
  std::size_t samples = 0;
  double start_time = 0.0;   ///< s
  double step = 1.0;         ///< s
  std::size_t substeps = 1;  ///< steps per sample of the methods with fixed steps
  signal::BetweenSamples between = signal::BetweenSamples::Held;
  std::span<const double> inputs{};  ///< row by row; how many rows: has_half_steps()
  Integrator method = Integrator::RungeKutta4;
  /// Newton's method inside Newmark's ends when no unknown (accelerations, states of first order)
  /// changes by more than this part of its largest value so far. What then remains is of the order
  /// of the square.
  double newton_tolerance = 1e-4;
  ode::AdaptiveSteps adaptive{};  ///< of DormandPrince and Stiff
  /// Finds the kinks of min, max, abs, sign, floor and comparisons in the right-hand sides and ends
  /// steps there (DormandPrince). The interpreter then does the steps.
  bool events = false;
};

/// Sensitivities to be carried along a record, S = ∂x/∂θ with one column per unknown.
struct RecordSensitivities {
  /// The parameter of each column; -1 for an unknown that acts on the start alone.
  std::span<const int> columns;
  std::span<const double> start;  ///< S at the first sample, states x columns, row by row
  std::span<double> outputs;      ///< result: ∂y/∂θ, samples x outputs x columns
  std::span<double> states;       ///< result: S, samples x states x columns; may be empty
};

/// Evaluates a model and simulates it along records; one per thread. The methods are those of
/// alembert/integrate/ode; with native code, RungeKutta4 and Newmark run in loops of the generated
/// code, which give the same numbers. Nothing is allocated but by the constructor, by the functions
/// that return EquationJacobians, by a simulation with sensitivities that has more columns than any
/// before, and by the first one of another method; Stiff always allocates.
class EquationSimulator : public model::EquationEvaluator {
 public:
  explicit EquationSimulator(const model::CompiledEquations& compiled);

  /// Simulates a record.
  ///
  /// Stops at the first sample whose states are not finite or are not reached: Newton's method does
  /// not converge, or the steps become too small or too many.
  /// @param x0 states at the first sample.
  /// @param y result: samples x outputs, row by row.
  /// @param x result: samples x states; may be empty.
  /// @return number of samples done; task.samples if all states are finite.
  /// @throws InvalidInput for wrong sizes, and for Integrator::Stiff in a program without SUNDIALS.
  std::size_t simulate(const RecordTask& task, std::span<const double> x0, std::span<double> y,
                       std::span<double> x = {});

  /// The same with sensitivities. Those of the methods with fixed steps are the exact derivatives
  /// of the computed numbers: the variational equation S' = ∂f/∂x S + ∂f/∂θ goes through the same
  /// stages, and Newmark's equations are differentiated at their solution. So they are for
  /// DormandPrince with the steps that the states asked for. Stiff controls their error as it does
  /// that of the states.
  std::size_t simulate(const RecordTask& task, std::span<const double> x0, std::span<double> y,
                       std::span<double> x, const RecordSensitivities& sensitivities);

 private:
  using RecordView = model::equations::RecordView;
  using SensitivityView = model::equations::SensitivityView;

  /// Where the results of a record go.
  struct Results {
    double* y = nullptr;
    double* x = nullptr;  ///< may be null
  };

  [[nodiscard]] SensitivityView view_of(const RecordTask& task,
                                        const RecordSensitivities& sensitivities);
  std::size_t run(const RecordTask& task, const RecordView& record, const double* x0,
                  const Results& results, const SensitivityView* view);
  long run_runge_kutta(const RecordView& record, const double* x0, const Results& results,
                       const SensitivityView* view);
  long run_newmark(const RecordView& record, const double* x0, const Results& results,
                   const SensitivityView* view);
  long run_adaptive(const RecordTask& task, const RecordView& record, const double* x0,
                    const Results& results, const SensitivityView* view);
  long run_stiff(const RecordTask& task, const RecordView& record, const double* x0,
                 const Results& results, const SensitivityView* view);

  model::detail::NewmarkLayout newmark_;
  std::vector<ode::MatrixPlace> pattern_;
  std::vector<double> work_;  // stages of a simulation
  std::vector<int> pivots_;
  std::vector<double> sensitivity_work_;
  std::vector<int> column_of_parameter_;
  std::optional<model::equations::HeldKinks> kinks_;  // made when needed
  std::vector<double> switch_work_;
};

}  // namespace alembert::integrate
