#pragma once

#include <cstddef>

namespace alembert::model::equations {

/// The right side of states and sensitivities. S and D are null without sensitivities.
class Flow {
 public:
  virtual ~Flow() = default;
  virtual void derivative(double t, const double* x, const double* s, double* dx, double* ds) = 0;
};

/// Steps of the method of order 5 with embedded order 4 [Dormand1980] and its continuous extension
/// of order 4 [Hairer1993, II.6]. The sensitivities go through the same stages.
class DormandPrince {
 public:
  /// @param states n, @param columns n times the columns of S, or 0.
  DormandPrince(std::size_t states, std::size_t columns, double* work, double* sensitivity_work);

  [[nodiscard]] static std::size_t room(std::size_t states) { return 10 * states; }

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
  void begin(Flow& flow, double t);
  /// Tries a step from there. All results hold until the next one.
  void step(Flow& flow, double t, double h);
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
  void stage(Flow& flow, int number, double t, double h);

  Part x_, s_;
  double h_ = 0.0;
};

}  // namespace alembert::model::equations
