#pragma once

#include "model/equations/interpreter/freeze.hpp"
#include "model/equations/interpreter/point_evaluator.hpp"
#include "model/equations/simulation/dormand_prince.hpp"

namespace alembert::model::equations {

/// The inputs at a time.
class InputsAt {
 public:
  virtual ~InputsAt() = default;
  [[nodiscard]] virtual const double* inputs_at(double t) = 0;
};

/// The sides of a model's kinks along a simulation, and the right-hand sides that hold them.
class Switching {
 public:
  [[nodiscard]] static std::size_t room(const FrozenModel& model, const SensitivityView* view);

  /// @param registers those of the frozen model, with its parameters set.
  Switching(const FrozenModel& model, double* registers, InputsAt& inputs,
            const SensitivityView* view, double* work);

  /// x' with all kinks held, and the sensitivities where they are wanted.
  void derivative(double t, const double* x, const double* s, double* dx, double* ds);
  /// Takes the sides from the states. Where one is undecided, the states a short time later count.
  void start(double t, const double* x, double later);
  /// Takes over sides that changed because inputs jumped from those given.
  void inputs_jumped(double t, const double* x, const double* before);
  /// The first place in (0, 1] of the solver's step from t at which a side has changed, or 2.
  [[nodiscard]] double first_crossing(const DormandPrince& solver, double t, double h);
  /// Changes sides at the states, where f jumps: S+ = S- + (f- - f+) ∂t*/∂θ.
  void cross(double t, double h, const double* x, double* s);

 private:
  void set_point_inputs(const double* u);
  void evaluate(double t, const double* x, const double* u);
  [[nodiscard]] bool is_wrong(std::size_t k) const;
  [[nodiscard]] double side_for(std::size_t k) const;
  bool correct_sides();
  bool any_wrong(double t, const double* x);
  [[nodiscard]] double slope(std::size_t k, double t, double h, const double* x);

  const FrozenModel& model_;
  PointEvaluator point_;
  InputsAt& inputs_;
  const SensitivityView* view_;
  std::size_t nx_, nu_, count_;
  double* u_;       // inputs, then sides
  double* sides_;   // inside u_
  double* values_;  // of the switch functions
  double* before_;
  double *x_, *f_before_, *f_after_;
  double* slopes_;  // of the switch functions with respect to θ
};

}  // namespace alembert::model::equations
