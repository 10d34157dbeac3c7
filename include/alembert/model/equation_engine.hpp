#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/model/detail/equation_point.hpp"
#include "alembert/model/equations.hpp"

namespace alembert::model {

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

/// Loops over records that native code may bring along. They fuse a method with the equations,
/// which makes them as fast as code by hand; all other methods call the equations point by point
/// (alembert/integrate/ode), with the same numbers.
enum class NativeLoops {
  None,
  RungeKutta4,
  Newmark,
};

struct EngineOptions {
  EngineKind kind = EngineKind::Automatic;
  /// Where compiled models are kept; "" for $XDG_CACHE_HOME/alembert or ~/.cache/alembert.
  std::string cache_folder{};
  /// Path of the C compiler; "" for the first of cc, gcc, clang on the PATH.
  std::string compiler{};
  /// Longest time that the compiler may take, in s.
  double timeout = 30.0;
  /// The loops that are compiled with the model; others are compiled when they are first used.
  NativeLoops loops = NativeLoops::RungeKutta4;
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

/// Evaluates a model; one per thread. Results must not overlap arguments. Nothing is allocated but
/// by the constructor and by the functions that return EquationJacobians. For simulations there is
/// integrate::EquationSimulator.
class EquationEvaluator {
 public:
  explicit EquationEvaluator(const CompiledEquations& compiled);

  /// Must be called before anything else is evaluated, unless the model has no parameters.
  /// @throws InvalidInput for a wrong size
  void set_parameters(std::span<const double> parameters);

  // All that follow throw InvalidInput if the parameters were not set, and for results of the wrong
  // size; pointers must have room for as many numbers as the model has states, inputs or outputs.

  /// x(0) for the parameters and the inputs at the first sample, which may be left out unless
  /// EquationModel::start_uses_inputs().
  void start(std::span<double> x, std::span<const double> inputs = {});
  /// x(0) and its derivatives with respect to the parameters.
  void start(EquationJacobians& result, std::span<const double> inputs = {});
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

  /// For the methods of integration: the functions at a point, which use the memory of this
  /// evaluator, and the parameters that were set last.
  [[nodiscard]] equations::EquationPoint point();
  [[nodiscard]] std::span<const double> parameters() const;
  /// Runs a record through loops in native code; fewer samples than asked for if the states are no
  /// longer finite. Nothing if there is no native code.
  /// @param view null without sensitivities.
  /// @param room of Newmark: unknowns² numbers.
  [[nodiscard]] std::optional<long> run_native(NativeLoops loops,
                                               const equations::RecordView& record,
                                               const double* x0, double* y, double* xs,
                                               const equations::SensitivityView* view,
                                               double* room);

 protected:
  [[nodiscard]] const EquationModel& model() const;
  /// @throws InvalidInput if the parameters were not set.
  void check_parameters(const char* function) const;

 private:
  void run_start(std::span<const double> inputs);

  std::shared_ptr<const CompiledEquations::Content> content_;
  bool has_parameters_ = false;
  std::vector<double> registers_;
};

}  // namespace alembert::model
