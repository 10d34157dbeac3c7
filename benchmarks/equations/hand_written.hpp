#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

// The models of measure_equations.cpp as a programmer writes them by hand, with the same
// integrator.
namespace hand_written {

// Two tanks, the upper of which may overflow; parameters p1, p2, kover, bu.
struct Tanks {
  static constexpr std::size_t kStates = 2;
  const double* p;

  void derivative(const double* x, double u, double* dx) const {
    const double v1 = std::min(x[0], 10.0);
    const double overflow = std::max(x[0] - 10.0, 0.0);
    dx[0] = -p[0] * std::sqrt(2 * 9.81 * v1) + p[0] * p[1] * (u - p[3]) - p[2] * overflow;
    dx[1] = p[0] * std::sqrt(2 * 9.81) * (std::sqrt(v1) - std::sqrt(x[1])) + p[2] * overflow;
  }
  double output(const double* x) const { return std::min(x[1], 10.0); }
};

// Oscillator with Bouc-Wen hysteresis; parameters m, c, k, alpha, beta, gamma, delta, nu.
struct BoucWen {
  static constexpr std::size_t kStates = 3;
  const double* p;

  void derivative(const double* x, double u, double* dx) const {
    const double v = x[1];
    const double z = x[2];
    const double power = std::pow(std::fabs(z), p[7] - 1.0);
    dx[0] = v;
    dx[1] = (u - p[1] * v - p[2] * x[0] - z) / p[0];
    dx[2] = p[3] * v - p[4] * (p[5] * std::fabs(v) * power * z + p[6] * v * power * std::fabs(z));
  }
  double output(const double* x) const { return x[0]; }
};

// Runge-Kutta 4 over a record; inputs held, or (half_steps) one for each half substep.
template <class Model, bool half_steps>
void simulate(const Model& model, const double* u, std::size_t samples, std::size_t substeps,
              double step, const double* x0, double* y) {
  constexpr std::size_t n = Model::kStates;
  std::array<double, n> x{}, z{}, k1{}, k2{}, k3{}, k4{};
  std::copy_n(x0, n, x.begin());
  const double h = step / static_cast<double>(substeps);
  const auto moved = [&](double a, const std::array<double, n>& k) {
    for (std::size_t i = 0; i < n; ++i) z[i] = x[i] + a * k[i];
    return z.data();
  };
  for (std::size_t sample = 0;; ++sample) {
    y[sample] = model.output(x.data());
    if (sample + 1 == samples) {
      return;
    }
    for (std::size_t j = 0; j < substeps; ++j) {
      const double* at = half_steps ? u + 2 * (sample * substeps + j) : u + sample;
      model.derivative(x.data(), at[0], k1.data());
      model.derivative(moved(0.5 * h, k1), at[half_steps ? 1 : 0], k2.data());
      model.derivative(moved(0.5 * h, k2), at[half_steps ? 1 : 0], k3.data());
      model.derivative(moved(h, k3), at[half_steps ? 2 : 0], k4.data());
      for (std::size_t i = 0; i < n; ++i) {
        x[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
      }
    }
  }
}

}  // namespace hand_written
