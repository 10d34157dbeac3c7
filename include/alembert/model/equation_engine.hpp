#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/model/equations.hpp"

namespace alembert::model {

namespace equations {
struct FrozenModel;
struct RecordView;
struct SensitivityView;
}  // namespace equations

/// How a model is evaluated. Both engines give the same numbers.
enum class EngineKind {
  Automatic,    ///< native code if it can be made, else the interpreter
  Interpreter,  ///< works everywhere, at once
  Native,       ///< machine code through the system's C compiler
};

constexpr auto enum_names(EngineKind) {
  return std::to_array<EnumName<EngineKind>>({{EngineKind::Automatic, "automatic"},
                                              {EngineKind::Interpreter, "interpreter"},
                                              {EngineKind::Native, "native"}});
}

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

struct EngineOptions {
  EngineKind kind = EngineKind::Automatic;
  /// Where compiled models are kept; "" for $XDG_CACHE_HOME/alembert or ~/.cache/alembert.
  std::string cache_folder{};
  /// Path of the C compiler; "" for the first of cc, gcc, clang on the PATH.
  std::string compiler{};
  /// Longest time that the compiler may take, in s.
  double timeout = 30.0;
  /// The method whose loops over records are compiled with the model; those of another are compiled
  /// when they are first used.
  Integrator integrator = Integrator::RungeKutta4;
};

/// A model that is ready to be evaluated. Immutable: threads share it, each with an
/// EquationEvaluator of its own.
class CompiledEquations {
 public:
  /// @throws InvalidInput if kind is Native and no native code can be made.
  explicit CompiledEquations(EquationModel model, const EngineOptions& options = {});

  [[nodiscard]] const EquationModel& model() const;
  /// Interpreter or Native.
  [[nodiscard]] EngineKind engine() const;
  /// Why the interpreter is used in place of native code; "" otherwise.
  [[nodiscard]] const std::string& note() const;
  /// Whether the native code was found in the cache.
  [[nodiscard]] bool from_cache() const;

  struct Content;  ///< for the evaluator
  [[nodiscard]] const std::shared_ptr<const Content>& content() const { return content_; }

 private:
  std::shared_ptr<const Content> content_;  // shared: immutable, kept alive by its evaluators
};

/// Values of a function and its derivatives. Matrices are stored column by column, one row per
/// value. Made by the evaluator, which fills in what may differ from zero.
struct EquationJacobians {
  std::vector<double> values;
  std::vector<double> by_state;
  std::vector<double> by_input;
  std::vector<double> by_parameter;
};

/// What the inputs do between the samples of a record.
enum class InputBetweenSamples {
  Held,       ///< u(t) = u_k for t_k <= t < t_k+1; one row per sample
  Linear,     ///< the line between the samples; one row per sample
  HalfSteps,  ///< one row for each half substep: 2·substeps·(samples - 1) + 1 rows
};

/// Whether this program was built with SUNDIALS, which Integrator::Stiff needs.
[[nodiscard]] bool has_stiff_integrator();

/// Steps that a method chooses itself.
struct AdaptiveSteps {
  /// The estimated error of a step stays below absolute·scale + relative·|x| (rms over the states).
  double relative_tolerance = 1e-8;
  double absolute_tolerance = 1e-12;
  std::span<const double> scales{};  ///< sizes of the states, positive; empty: 1 for all
  double largest_step = 0.0;         ///< s; 0 for no limit
  /// Steps, besides one for each sample, after which the simulation ends where it is.
  std::size_t max_steps = 1000000;
  /// Finds the kinks of min, max, abs, sign, floor and comparisons in the right-hand sides and ends
  /// steps there (DormandPrince). The interpreter then does the steps.
  bool events = false;
};

/// A record to be simulated: samples at start_time + k·step.
struct RecordTask {
  std::size_t samples = 0;
  double start_time = 0.0;   ///< s
  double step = 1.0;         ///< s
  std::size_t substeps = 1;  ///< steps per sample of the methods with fixed steps
  InputBetweenSamples between = InputBetweenSamples::Held;
  std::span<const double> inputs{};  ///< row by row
  Integrator method = Integrator::RungeKutta4;
  /// Newton's method inside Newmark's ends when no unknown (accelerations, states of first order)
  /// changes by more than this part of its largest value so far. What then remains is of the order
  /// of the square.
  double newton_tolerance = 1e-4;
  AdaptiveSteps adaptive{};
};

/// Sensitivities to be carried along a record, S = ∂x/∂θ with one column per unknown.
struct RecordSensitivities {
  /// The parameter of each column; -1 for an unknown that acts on the start alone.
  std::span<const int> columns;
  std::span<const double> start;  ///< S at the first sample, states x columns, row by row
  std::span<double> outputs;      ///< result: ∂y/∂θ, samples x outputs x columns
  std::span<double> states;       ///< result: S, samples x states x columns; may be empty
};

/// Evaluates a model; one per thread. Results must not overlap arguments. Nothing is allocated but
/// by the constructor, by the functions that return EquationJacobians, by a simulation with
/// sensitivities that has more columns than any before, and by the first one of another method.
class EquationEvaluator {
 public:
  explicit EquationEvaluator(const CompiledEquations& compiled);

  /// Must be called before anything else is evaluated, unless the model has no parameters.
  /// @throws InvalidInput for a wrong size
  void set_parameters(std::span<const double> parameters);

  // All that follow throw InvalidInput if the parameters were not set, and for results of the wrong
  // size; pointers must have room for as many numbers as the model has states, inputs or outputs.

  /// x(0) for the parameters.
  void start(std::span<double> x) const;
  /// x(0) and its derivatives with respect to the parameters.
  void start(EquationJacobians& result) const;
  /// x' = f(t, x, u, p)
  void derivatives(double t, const double* x, const double* u, double* dx);
  /// f with ∂f/∂x, ∂f/∂u, ∂f/∂p
  void derivatives(double t, const double* x, const double* u, EquationJacobians& result);
  /// y = g(t, x, u, p)
  void outputs(double t, const double* x, const double* u, double* y);
  /// g with ∂g/∂x, ∂g/∂u, ∂g/∂p
  void outputs(double t, const double* x, const double* u, EquationJacobians& result);

  /// Room for the results above, with zeros: entries that are always zero are not written.
  [[nodiscard]] EquationJacobians start_jacobians() const;
  [[nodiscard]] EquationJacobians derivative_jacobians() const;
  [[nodiscard]] EquationJacobians output_jacobians() const;

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
  void check_parameters(const char* function) const;
  std::size_t run(const RecordTask& task, const equations::RecordView& record, const double* x0,
                  double* y, double* xs, const equations::SensitivityView* view);
  long run_runge_kutta(const equations::RecordView& record, const double* x0, double* y, double* xs,
                       const equations::SensitivityView* view);
  long run_newmark(const equations::RecordView& record, const double* x0, double* y, double* xs,
                   const equations::SensitivityView* view);
  long run_adaptive(const RecordTask& task, const equations::RecordView& record, const double* x0,
                    double* y, double* xs, const equations::SensitivityView* view);
  long run_stiff(const RecordTask& task, const equations::RecordView& record, const double* x0,
                 double* y, double* xs, const equations::SensitivityView* view);
  void prepare_frozen();

  std::shared_ptr<const CompiledEquations::Content> content_;
  bool has_parameters_ = false;
  std::vector<double> registers_;
  std::vector<double> work_;  // stages of a simulation
  std::vector<int> pivots_;
  std::vector<double> sensitivity_work_;
  std::vector<int> column_of_parameter_;
  std::shared_ptr<const equations::FrozenModel> frozen_;  // shared by copies; made when needed
  std::vector<double> frozen_registers_, switch_work_;
};

}  // namespace alembert::model
