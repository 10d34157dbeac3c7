#pragma once

#include <cmath>

#include "alembert/integrate/ode/system.hpp"

namespace alembert::test {

/// q'' = -ω² q + u as (q, v), with the sensitivity to ω in a row of one number where asked for.
class Oscillator final : public integrate::ode::System {
 public:
  explicit Oscillator(double omega, bool sensitive = false)
      : omega_(omega), sensitive_(sensitive) {}

  [[nodiscard]] std::size_t states() const override { return 2; }
  [[nodiscard]] std::size_t stride() const override { return sensitive_ ? 1 : 0; }
  void derivative(double, const double* x, const double* u, double* dx) override {
    dx[0] = x[1];
    dx[1] = -omega_ * omega_ * x[0] + (u == nullptr ? 0.0 : u[0]);
  }
  void sensitive_derivative(double t, const double* x, const double* u, const double* s, double* dx,
                            double* d) override {
    derivative(t, x, u, dx);
    d[0] = s[1];
    d[1] = -omega_ * omega_ * s[0] - 2.0 * omega_ * x[0];
  }
  void jacobian(double t, const double* x, const double* u, double* dx, double* entries) override {
    derivative(t, x, u, dx);
    entries[0] = 0.0;
    entries[1] = 1.0;
    entries[2] = -omega_ * omega_;
    entries[3] = 0.0;
  }
  void slopes(double t, const double* x, const double* u, double* entries,
              double* by_parameter) override {
    double dx[2];
    jacobian(t, x, u, dx, entries);
    by_parameter[0] = 0.0;
    by_parameter[1] = -2.0 * omega_ * x[0];
  }

 private:
  double omega_;
  bool sensitive_;
};

}  // namespace alembert::test
