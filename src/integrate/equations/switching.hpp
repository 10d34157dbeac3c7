#pragma once

#include <vector>

#include "alembert/integrate/ode/events.hpp"
#include "alembert/model/detail/held_kinks.hpp"

namespace alembert::integrate {

/// The sides of a model's kinks along a simulation, and the right-hand sides that hold them.
class Switching final : public ode::Events, ode::System {
 public:
  using HeldKinks = model::equations::HeldKinks;
  using SensitivityView = model::equations::SensitivityView;

  [[nodiscard]] static std::size_t room(HeldKinks& kinks, const SensitivityView* view);

  /// @param kinks with the parameters set.
  Switching(HeldKinks& kinks, const SensitivityView* view, double* work);

  /// x' with all kinks held.
  [[nodiscard]] ode::System& held() override { return *this; }
  /// Takes the sides from the states. Where one is undecided, the states a short time later count.
  void start(double t, const double* x, double later, const ode::PresentInputs& inputs) override;
  /// Takes over sides that changed because inputs jumped from those given.
  void inputs_jumped(double t, const double* x, const double* before,
                     const ode::PresentInputs& inputs) override;
  /// Where a side has changed.
  [[nodiscard]] double first(const ode::DormandPrince& step, double t, double h,
                             const ode::PresentInputs& inputs) override;
  /// Changes sides at the states, where f jumps: S+ = S- + (f- - f+) ∂t*/∂θ.
  bool cross(double t, double h, double* x, double* s, const ode::PresentInputs& inputs) override;

 private:
  [[nodiscard]] std::size_t states() const override { return nx_; }
  [[nodiscard]] std::size_t stride() const override;
  void derivative(double t, const double* x, const double* u, double* dx) override;
  void sensitive_derivative(double t, const double* x, const double* u, const double* s, double* dx,
                            double* d) override;

  void set_point_inputs(const double* u);
  void evaluate(double t, const double* x, const double* u);
  [[nodiscard]] bool is_wrong(std::size_t k) const;
  [[nodiscard]] double side_for(std::size_t k) const;
  bool correct_sides();
  bool any_wrong(double t, const double* x, const ode::PresentInputs& inputs);
  [[nodiscard]] double slope(std::size_t k, double t, double h, const double* x,
                             const ode::PresentInputs& inputs);

  model::equations::EquationPoint point_;
  const std::vector<bool>& is_floor_;
  const SensitivityView* view_;
  std::size_t nx_, nu_, count_;
  double* u_;       // inputs, then sides
  double* sides_;   // inside u_
  double* values_;  // of the switch functions
  double* before_;
  double *x_, *f_before_, *f_after_;
  double* slopes_;  // of the switch functions with respect to θ
};

}  // namespace alembert::integrate
