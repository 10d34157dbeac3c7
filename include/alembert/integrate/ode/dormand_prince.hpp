#pragma once

#include <vector>

#include "alembert/integrate/ode/system.hpp"

namespace alembert::integrate::ode {

/// Steps of the method of order 5 with embedded order 4 [Dormand1980] and its continuous extension
/// of order 4 [Hairer1993, II.6]. The sensitivities go through the same stages. Steps do not
/// allocate.
class DormandPrince {
 public:
  /// With memory of its own, for systems with so many states and numbers in S.
  explicit DormandPrince(std::size_t states, std::size_t sensitivities = 0);
  /// With memory of the caller: room(states) and room(sensitivities) numbers.
  DormandPrince(std::size_t states, std::size_t sensitivities, double* work,
                double* sensitivity_work);
  DormandPrince(const DormandPrince&) = delete;
  DormandPrince& operator=(const DormandPrince&) = delete;

  [[nodiscard]] static std::size_t room(std::size_t size) { return 10 * size; }

  [[nodiscard]] double* start() { return x_.start; }
  [[nodiscard]] const double* start() const { return x_.start; }
  [[nodiscard]] double* start_sensitivities() { return s_.start; }
  /// Room for the states, free between steps.
  [[nodiscard]] double* scratch() { return x_.point; }
  /// f at the begin, states and S at the end of the step.
  [[nodiscard]] const double* first() const { return x_.stages; }
  [[nodiscard]] const double* end() const { return x_.end; }
  [[nodiscard]] const double* end_sensitivities() const { return s_.end; }

  /// Evaluates the first stage at the point that start() and start_sensitivities() have.
  void begin(System& system, double t, const PresentInputs& inputs = {});
  /// Tries a step from there. All results hold until the next one.
  void step(System& system, double t, double h, const PresentInputs& inputs = {});
  /// Error of component i by the embedded method.
  [[nodiscard]] double error(std::size_t i) const;
  /// States and sensitivities (may be null) at t + place·h, 0 ≤ place ≤ 1.
  void between(double place, double* x, double* s) const;
  /// Goes to the end of the step.
  void accept();
  /// Goes to t + place·h, where begin() must follow.
  void move_to(double place);

 private:
  // Vectors of one kind: states, or sensitivities.
  struct Part {
    std::size_t size = 0;
    double* start = nullptr;
    double* end = nullptr;
    double* point = nullptr;   // where a stage is evaluated
    double* stages = nullptr;  // seven

    void sum(const double* factors, int count, double* target) const;
    void combine(const double* factors, int count, double h, double* target) const;
    void between(double h, double place, double* target) const;
  };
  void evaluate(System& system, std::size_t number, double t, const double* x, const double* s,
                const double* u);
  void place(std::size_t states, std::size_t sensitivities, double* work, double* more);

  std::vector<double> memory_;
  Part x_, s_;
  double h_ = 0.0;
};

}  // namespace alembert::integrate::ode
