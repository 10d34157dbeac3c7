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

// Newmark's method with Newton's inside for the Bouc-Wen oscillator; inputs at every half substep.
class BoucWenNewmark {
 public:
  BoucWenNewmark(const double* p, double h)
      : p_(p), h_(h), half_(0.5 * h), quarter_(0.25 * h * h) {}

  void simulate(const double* u, std::size_t samples, std::size_t substeps, double* y) {
    a_ = u[0] / p_[0];
    for (std::size_t sample = 0;; ++sample) {
      y[sample] = q_;
      if (sample + 1 == samples) return;
      for (std::size_t j = 1; j <= substeps; ++j) step(u[2 * (sample * substeps + j)]);
    }
  }

 private:
  void step(double u) {
    const double q0 = q_ + h_ * v_ + quarter_ * a_;
    const double v0 = v_ + half_ * a_;
    double a = depth_ == 0 ? a_ : depth_ == 1 ? 2 * a_ - a1_ : 3 * (a_ - a1_) + a2_;
    double z = z_ + (depth_ == 0   ? 2 * d_
                     : depth_ == 1 ? 3 * d_ - d1_
                                   : (23 * d_ - 16 * d1_ + 5 * d2_) / 6);
    for (int iteration = 0; iteration < 25; ++iteration) {
      const double q = q0 + quarter_ * a;
      const double v = v0 + half_ * a;
      const double size = std::fabs(z);
      const double power = std::pow(size, p_[7] - 1.0);
      const double whole = power * size;
      const double rate =
          p_[3] * v - p_[4] * (p_[5] * std::fabs(v) * power * z + p_[6] * v * whole);
      const double by_v = p_[3] - p_[4] * (p_[5] * (v >= 0 ? 1 : -1) * power * z + p_[6] * whole);
      const double by_z =
          -p_[4] * p_[7] * (p_[5] * std::fabs(v) + p_[6] * (z >= 0 ? v : -v)) * power;
      // [1 + (c h/2 + k h²/4)/m, 1/m; -h²/4 ∂z'/∂v, 1 - h/2 ∂z'/∂z]
      const double m11 = 1 + (half_ * p_[1] + quarter_ * p_[2]) / p_[0];
      const double m12 = 1 / p_[0];
      const double m21 = -half_ * half_ * by_v;
      const double m22 = 1 - half_ * by_z;
      const double r1 = (u - p_[1] * v - p_[2] * q - z) / p_[0] - a;
      const double r2 = explicit_ + half_ * rate - z;
      const double det = m11 * m22 - m12 * m21;
      const double da = (m22 * r1 - m12 * r2) / det;
      const double dz = (m11 * r2 - m21 * r1) / det;
      a += da;
      z += dz;
      top_a_ = std::max(top_a_, std::fabs(a));
      top_z_ = std::max(top_z_, std::fabs(z));
      if (std::fabs(da) <= 1e-4 * top_a_ && std::fabs(dz) <= 1e-4 * top_z_) break;
    }
    q_ = q0 + quarter_ * a;
    v_ = v0 + half_ * a;
    a2_ = a1_, a1_ = a_, a_ = a;
    d2_ = d1_, d1_ = d_;
    explicit_ = 2 * z - explicit_;
    d_ = explicit_ - z;
    z_ = z;
    if (depth_ < 2) ++depth_;
  }

  const double* p_;
  double h_, half_, quarter_;
  double q_ = 0.0, v_ = 0.0, z_ = 0.0;
  double a_ = 0.0, a1_ = 0.0, a2_ = 0.0;
  double d_ = 0.0, d1_ = 0.0, d2_ = 0.0, explicit_ = 0.0;
  double top_a_ = 0.0, top_z_ = 0.0;
  int depth_ = 0;
};

}  // namespace hand_written
