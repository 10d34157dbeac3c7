#include "alembert/integrate/ode/runge_kutta4.hpp"

namespace alembert::integrate::ode {

namespace {

void add_stages(std::size_t count, double sixth, double* x, const double* k) {
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = x[i] + sixth * (k[i] + 2.0 * (k[count + i] + k[2 * count + i]) + k[3 * count + i]);
  }
}

void point_of_stage(std::size_t count, const double* x, double a, const double* k, double* z) {
  for (std::size_t i = 0; i < count; ++i) z[i] = x[i] + a * k[i];
}

}  // namespace

RungeKutta4::RungeKutta4(System& system)
    : memory_(work_room(system.states()) + sensitivity_room(system.states() * system.stride())),
      system_(system),
      nx_(system.states()),
      ns_(nx_ * system.stride()),
      x_(memory_.data()),
      z_(x_ + nx_),
      k_(z_ + nx_),
      s_(ns_ > 0 ? memory_.data() + work_room(nx_) : nullptr) {}

RungeKutta4::RungeKutta4(System& system, double* work, double* sensitivity_work)
    : system_(system),
      nx_(system.states()),
      ns_(nx_ * system.stride()),
      x_(work),
      z_(x_ + nx_),
      k_(z_ + nx_),
      s_(system.stride() > 0 ? sensitivity_work : nullptr) {}

void RungeKutta4::step(double t, double h, const StepInputs& inputs) {
  const double half = 0.5 * h;
  const double sixth = h / 6.0;
  stage(0, t, 0.0, inputs.begin);
  stage(1, t + half, half, inputs.middle);
  stage(2, t + half, half, inputs.middle);
  stage(3, t + h, h, inputs.end);
  add_stages(nx_, sixth, x_, k_);
  if (s_ != nullptr) add_stages(ns_, sixth, s_, s_ + 2 * ns_);
}

// k_n = f(t, x + a k_{n-1})
void RungeKutta4::stage(std::size_t n, double t, double a, const double* u) {
  const double* x = x_;
  const double* s = s_;
  if (n > 0) {
    point_of_stage(nx_, x_, a, k_ + (n - 1) * nx_, z_);
    x = z_;
  }
  if (s_ == nullptr) {
    system_.derivative(t, x, u, k_ + n * nx_);
    return;
  }
  if (n > 0) {
    point_of_stage(ns_, s_, a, s_ + (n + 1) * ns_, s_ + ns_);
    s = s_ + ns_;
  }
  system_.sensitive_derivative(t, x, u, s, k_ + n * nx_, s_ + (n + 2) * ns_);
}

}  // namespace alembert::integrate::ode
