#include "identify/acceleration/fit/join_windows.hpp"

#include <cmath>
#include <limits>

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kNotCovered = std::numeric_limits<double>::quiet_NaN();

// The good window in whose middle a row lies best.
const WindowFit* nearest_window(const std::vector<WindowFit>& windows, Index row) {
  const WindowFit* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const WindowFit& window : windows) {
    if (!window.ok() || row < window.first || row >= window.first + window.samples) continue;
    const double middle =
        static_cast<double>(window.first) + 0.5 * static_cast<double>(window.samples);
    const double distance = std::abs(static_cast<double>(row) - middle);
    if (distance >= least) continue;
    least = distance;
    best = &window;
  }
  return best;
}

// x = x0 + X - X(k) + τ (v0 - V(k)) - o τ²/2 - d τ³/6 from the first row k of the window.
void join_displacement(RecordFit& fit) {
  const IntegratedSignals& signals = fit.regression.signals;
  const Index rows = signals.samples();
  fit.joined_displacement = VectorXd::Constant(rows, kNotCovered);
  fit.joined_velocity = VectorXd::Constant(rows, kNotCovered);
  for (Index row = 0; row < rows; ++row) {
    const WindowFit* window = nearest_window(fit.regression.windows, row);
    if (window == nullptr) continue;
    const auto i = static_cast<std::size_t>(row);
    const auto k = static_cast<std::size_t>(window->first);
    const double t = static_cast<double>(row - window->first) * signals.step;
    const double away = t * t * (0.5 * window->offset + t * window->drift / 6.0);
    const double slowed = t * (window->offset + 0.5 * t * window->drift);
    fit.joined_velocity(row) = signals.velocity_measured
                                   ? signals.V[i]
                                   : window->v0 + signals.V[i] - signals.V[k] - slowed;
    const double carried = signals.velocity_measured ? signals.X[i] - signals.X[k]
                                                     : signals.X[i] - signals.X[k] +
                                                           t * (window->v0 - signals.V[k]) - away;
    fit.joined_displacement(row) =
        signals.displacement_measured ? signals.X[i] : window->x0 + carried;
  }
}

// The classical tests of the displacement, as far as windows cover it.
void look_at_displacement(RecordFit& fit) {
  const VectorXd& x = fit.joined_displacement;
  Index known = 0;
  while (known < x.size() && std::isfinite(x(known))) ++known;
  const double step = fit.regression.signals.step;
  if (known < 8) return;
  fit.displacement_cycles = find_cycles(x.head(known), step);
  if (!fit.displacement_cycles.ok()) return;
  fit.displacement_decrement = logarithmic_decrement(fit.displacement_cycles);
  fit.displacement_envelope = decay_envelope(x.head(known), step, fit.displacement_cycles);
}

}  // namespace

void join_windows(RecordFit& fit) {
  join_displacement(fit);
  look_at_displacement(fit);
}

}  // namespace alembert::identify
