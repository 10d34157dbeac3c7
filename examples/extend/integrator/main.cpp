// An integrator of one's own, Heun's method, and the proof that it is of second order.
#include <fmt/core.h>

#include <alembert/integrate/convergence.hpp>
#include <alembert/integrate/ode/system.hpp>
#include <cmath>
#include <vector>

/// k1 = f(t, x),  k2 = f(t + h, x + h k1),  x ← x + h/2 (k1 + k2). Steps do not allocate.
class Heun {
 public:
  explicit Heun(alembert::integrate::ode::System& system)
      : system_(system), x_(system.states()), z_(x_), k1_(x_), k2_(x_) {}

  [[nodiscard]] std::vector<double>& state() { return x_; }

  void step(double t, double h) {
    system_.derivative(t, x_.data(), nullptr, k1_.data());
    for (std::size_t i = 0; i < x_.size(); ++i) z_[i] = x_[i] + h * k1_[i];
    system_.derivative(t + h, z_.data(), nullptr, k2_.data());
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += 0.5 * h * (k1_[i] + k2_[i]);
  }

 private:
  alembert::integrate::ode::System& system_;
  std::vector<double> x_, z_, k1_, k2_;
};

int main() {
  using namespace alembert::integrate;
  // x'' = -x from (1, 0): x(t) = cos t.
  auto oscillator = ode::function_system(2, [](double, const double* x, double* dx) {
    dx[0] = x[1];
    dx[1] = -x[0];
  });
  const auto error = [&](double h) {
    Heun method(oscillator);
    method.state() = {1.0, 0.0};
    const long steps = std::lround(2.0 / h);
    for (long k = 0; k < steps; ++k) method.step(static_cast<double>(k) * h, h);
    return std::abs(method.state()[0] - std::cos(2.0));
  };
  const Convergence seen =
      measure_convergence(Eigen::Vector4d(0.05, 0.025, 0.0125, 0.00625), error);
  for (Eigen::Index k = 0; k < seen.steps.size(); ++k) {
    fmt::print("step {:7.5f} s, error {:.3e}\n", seen.steps(k), seen.errors(k));
  }
  fmt::print("order {:.3f}\n", seen.order);
  return std::abs(seen.order - 2.0) < 0.1 ? 0 : 1;
}
