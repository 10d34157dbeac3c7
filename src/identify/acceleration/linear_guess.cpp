#include <cmath>

#include "identify/acceleration/small_normal.hpp"
#include "identify/acceleration/window_fitter.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;

// V and X of a stretch that begin at 0, unless they are measured.
struct LocalSignals {
  const IntegratedSignals& signals;
  std::size_t first;
  double X, V;

  LocalSignals(const IntegratedSignals& given, const Stretch& stretch)
      : signals(given),
        first(static_cast<std::size_t>(stretch.first)),
        X(given.displacement_measured ? 0.0 : given.X[first]),
        V(given.velocity_measured ? 0.0 : given.V[first]) {}

  [[nodiscard]] double time(std::size_t k) const { return static_cast<double>(k) * signals.step; }
  [[nodiscard]] double v(std::size_t k) const { return signals.V[first + k] - V; }
  [[nodiscard]] double x(std::size_t k) const {
    const bool tilted = !signals.displacement_measured && !signals.velocity_measured;
    return signals.X[first + k] - X - (tilted ? V * time(k) : 0.0);
  }
};

WindowState guessed(const WindowRegression& regression) {
  WindowState state;
  state.parameters = regression.guesses();
  return state;
}

}  // namespace

WindowState linear_start(const WindowRegression& regression, const Stretch& stretch) {
  const LocalSignals local(regression.signals(), stretch);
  const bool curved = regression.offset_column() >= 0;
  const Index columns = curved ? 5 : 4;
  optimize::NormalEquations sums;
  sums.reset(columns);
  const auto count = static_cast<std::size_t>(stretch.samples);
  const double length = local.time(count);
  Eigen::VectorXd row(columns);
  for (std::size_t k = 0; k < count; ++k) {
    const double s = local.time(k) / length;
    row(0) = local.x(k);
    row(1) = local.v(k);
    row(2) = 1.0;
    row(3) = s;
    if (curved) row(4) = s * s;
    sums.add(local.signals.A[local.first + k], row);
  }
  std::vector<double> theta;
  const auto used = static_cast<std::size_t>(columns);
  // A = β X + α V + th_1 + th_t t + th_t2 t², with the signs of x'' = β x + α x'.
  if (solve_normal(sums.matrix, sums.gradient, used, used, 0.0, theta) < kSmallestPivot ||
      !(theta[0] < 0.0)) {
    return level_start(regression, stretch);
  }
  WindowState state = guessed(regression);
  const double b = theta[0];
  const double a = theta[1];
  if (curved) state.offset = -2.0 * theta[4] / (length * length * b);
  state.v0 = (theta[3] / length + a * state.offset) / b;
  state.x0 = (theta[2] - a * state.v0 - state.offset) / b;
  return state;
}

// x = X + x0 + v0 t has neither mean nor trend.
WindowState level_start(const WindowRegression& regression, const Stretch& stretch) {
  const LocalSignals local(regression.signals(), stretch);
  const auto count = static_cast<std::size_t>(stretch.samples);
  double s1 = 0.0, st = 0.0, stt = 0.0, sx = 0.0, sxt = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    const double t = local.time(k);
    s1 += 1.0;
    st += t;
    stt += t * t;
    sx += local.x(k);
    sxt += local.x(k) * t;
  }
  WindowState state = guessed(regression);
  const double determinant = s1 * stt - st * st;
  if (determinant > 0.0) {
    state.v0 = -(s1 * sxt - st * sx) / determinant;
    state.x0 = -(stt * sx - st * sxt) / determinant;
  }
  return state;
}

}  // namespace alembert::identify
