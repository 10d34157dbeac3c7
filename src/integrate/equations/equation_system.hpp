#pragma once

#include "alembert/integrate/ode/system.hpp"
#include "alembert/model/detail/equation_point.hpp"

namespace alembert::integrate {

/// A model of equations as a system, with sensitivities where a view asks for them.
class EquationSystem final : public ode::System {
 public:
  /// @param view null without sensitivities.
  EquationSystem(const model::equations::EquationPoint& point,
                 const model::equations::SensitivityView* view)
      : point_(point), view_(view), states_(point.states()) {}

  [[nodiscard]] std::size_t states() const override { return states_; }
  [[nodiscard]] std::size_t stride() const override {
    return view_ == nullptr ? 0 : static_cast<std::size_t>(view_->stride);
  }
  void derivative(double t, const double* x, const double* u, double* dx) override {
    point_.f(t, x, u, dx);
  }
  void sensitive_derivative(double t, const double* x, const double* u, const double* s, double* dx,
                            double* d) override {
    point_.f(t, x, u, *view_, s, dx, d);
  }
  [[nodiscard]] std::vector<ode::MatrixPlace> jacobian_pattern() const override {
    return point_.jacobian_pattern();
  }
  void jacobian(double t, const double* x, const double* u, double* dx, double* entries) override {
    point_.jacobian(t, x, u, dx, entries);
  }
  void slopes(double t, const double* x, const double* u, double* entries,
              double* by_parameter) override {
    point_.slopes(t, x, u, *view_, entries, by_parameter);
  }

 private:
  model::equations::EquationPoint point_;
  const model::equations::SensitivityView* view_;
  std::size_t states_;
};

}  // namespace alembert::integrate
