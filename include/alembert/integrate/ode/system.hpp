#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/// Integration of any system of ordinary differential equations x' = f(t, x, u).
namespace alembert::integrate::ode {

/// A place (row, column) of a matrix.
using MatrixPlace = std::pair<std::uint32_t, std::uint32_t>;

/// A system x' = f(t, x, u), with what each method needs.
///
/// | method                          | needs                      | for sensitivities      |
/// |---------------------------------|----------------------------|------------------------|
/// | RungeKutta4, DormandPrince      | derivative()               | sensitive_derivative() |
/// | Newmark                         | derivative(), jacobian()   | both, slopes()         |
/// | stiff_run() (SUNDIALS CVODES)   | derivative(), jacobian()   | sensitive_derivative() |
///
/// Sensitivities S = ∂x/∂θ stand row by row, one row per state, stride() numbers in a row. All
/// results that are not finite are errors of the step, which a method with steps of its own repeats
/// with a smaller one. Functions are called one at a time and may use memory of the system.
class System {
 public:
  virtual ~System() = default;

  [[nodiscard]] virtual std::size_t states() const = 0;
  /// dx = f(t, x, u). Systems without inputs leave u alone, which may be null.
  virtual void derivative(double t, const double* x, const double* u, double* dx) = 0;

  /// Numbers in a row of S; 0 for a system without sensitivities.
  [[nodiscard]] virtual std::size_t stride() const { return 0; }
  /// dx = f and D = ∂f/∂x S + ∂f/∂θ.
  /// @throws InvalidInput unless the system has it; so do the functions below.
  virtual void sensitive_derivative(double t, const double* x, const double* u, const double* s,
                                    double* dx, double* d);

  /// Where ∂f/∂x may differ from zero, row by row; the whole matrix unless the system knows better.
  [[nodiscard]] virtual std::vector<MatrixPlace> jacobian_pattern() const;
  /// dx = f and the entries of ∂f/∂x in the order of the pattern.
  virtual void jacobian(double t, const double* x, const double* u, double* dx, double* entries);
  /// The entries of ∂f/∂x, and ∂f/∂θ in rows of stride() numbers.
  virtual void slopes(double t, const double* x, const double* u, double* entries,
                      double* by_parameter);
};

/// A system from a function: f(t, x, dx) with pointers to as many numbers as there are states.
///
///   auto pendulum = function_system(2, [](double, const double* x, double* dx) {
///     dx[0] = x[1];
///     dx[1] = -9.81 * std::sin(x[0]);
///   });
template <typename Function>
class FunctionSystem final : public System {
 public:
  FunctionSystem(std::size_t states, Function function)
      : states_(states), function_(std::move(function)) {}

  [[nodiscard]] std::size_t states() const override { return states_; }
  void derivative(double t, const double* x, const double* /*u*/, double* dx) override {
    function_(t, x, dx);
  }

 private:
  std::size_t states_;
  Function function_;
};

template <typename Function>
[[nodiscard]] FunctionSystem<Function> function_system(std::size_t states, Function function) {
  return FunctionSystem<Function>(states, std::move(function));
}

/// The times at which a solution is wanted: start + k·step, k = 0 ... count - 1.
struct SampleTimes {
  double start = 0.0;  ///< s
  double step = 1.0;   ///< s
  long count = 0;

  [[nodiscard]] double at(long sample) const { return start + static_cast<double>(sample) * step; }
};

/// The inputs of a system along the samples, which may have kinks and jumps at samples only.
class Inputs {
 public:
  virtual ~Inputs() = default;
  /// Inputs at the time t between the samples `interval` and `interval` + 1.
  [[nodiscard]] virtual const double* at(long interval, double t) = 0;
  /// The inputs just before sample `interval` if they jump there, else null.
  [[nodiscard]] virtual const double* before_jump(long interval) = 0;
};

/// Inputs with the interval in which a method is at work; without inputs at() is null.
struct PresentInputs {
  Inputs* inputs = nullptr;
  long interval = 0;

  [[nodiscard]] const double* at(double t) const {
    return inputs == nullptr ? nullptr : inputs->at(interval, t);
  }
};

/// Takes the solution, sample by sample.
class Samples {
 public:
  virtual ~Samples() = default;
  /// @param s sensitivities, null without.
  /// @return false to end the run.
  virtual bool write(long sample, double t, const double* x, const double* s) = 0;
};

}  // namespace alembert::integrate::ode
