#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "alembert/core/error.hpp"
#include "identify/acceleration/small_normal.hpp"
#include "identify/acceleration/window_fitter.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;

// A fixed point with a residual above this times the noise is looked at again, and taken for wrong
// if least squares has a residual below this part of it.
constexpr double kNoisy = 1.5;
constexpr double kBetter = 0.9;
// Of x0 over the largest X of the stretch.
constexpr double kDiverged = 1e3;

// [Jaksic2002]: linear terms in x and v as columns of X, V, t and 1; all others at the last motion.
class FixedPoint {
 public:
  FixedPoint(WindowRegression& regression, const Stretch& stretch)
      : regression_(regression), stretch_(stretch), free_(regression.free_parameters()) {
    find_linear_terms();
  }

  WindowFit run(WindowState& state) {
    WindowFit fit;
    for (fit.iterations = 1; fit.iterations <= regression_.options().max_iterations;
         ++fit.iterations) {
      const double x0 = state.x0;
      const double v0 = state.v0;
      if (!solve(state, fit)) {
        fit.status = Status::NotIdentifiable;
        fit.message = "the terms of the equation are linearly dependent in this stretch";
        return fit;
      }
      if (!std::isfinite(state.x0) || std::abs(state.x0) > kDiverged * largest_) {
        fit.status = Status::NotConverged;
        fit.message = "the fixed point diverges; use variable projection";
        return fit;
      }
      const double omega = std::sqrt(std::abs(state.parameters[free_index(stiffness_)]));
      const double change = std::abs(state.x0 - x0) + std::abs(state.v0 - v0) / omega;
      if (change <= regression_.options().tolerance * largest_) return checked(state, fit);
    }
    fit.iterations = regression_.options().max_iterations;
    fit.status = Status::NotConverged;
    fit.message = fmt::format(
        "the fixed point does not converge in {} iterations; use variable "
        "projection",
        fit.iterations);
    return fit;
  }

 private:
  [[nodiscard]] std::size_t free_index(std::size_t column) const {
    return regression_.free()[column];
  }

  // Which columns are a multiple of x or of v at all points of the stretch?
  void find_linear_terms() {
    WindowState state = level_start(regression_, stretch_);
    std::vector<double> by_x(free_, std::nan(""));
    std::vector<double> by_v(free_, std::nan(""));
    regression_.visit(stretch_, state, [&](const WindowRegression::Block& block) {
      for (std::size_t c = 0; c < free_; ++c) {
        const double* column = (*block.columns)[c];
        for (std::size_t i = 0; i < block.count; ++i) {
          largest_ = std::max(largest_, std::abs(block.x[i]));
          follow(column[i], block.x[i], by_x[c]);
          follow(column[i], block.v[i], by_v[c]);
        }
      }
    });
    for (std::size_t c = 0; c < free_; ++c) {
      if (std::isfinite(by_x[c]) && by_x[c] != 0.0) {
        stiffness_ = c;
        kx_ = by_x[c];
      }
      if (std::isfinite(by_v[c]) && by_v[c] != 0.0) {
        damping_ = c;
        kv_ = by_v[c];
      }
    }
    if (stiffness_ == kNone || !regression_.all_free_linear()) {
      throw InvalidInput({.function = "fit_window",
                          .rule = "method FixedPoint needs a term b*x with a parameter b of its "
                                  "own and linear parameters only; use VariableProjection"});
    }
    if (regression_.x0_column() < 0 || regression_.v0_column() < 0 ||
        regression_.drift_column() >= 0) {
      throw InvalidInput({.function = "fit_window",
                          .rule = "method FixedPoint needs acceleration alone, without drift; use "
                                  "VariableProjection"});
    }
  }

  // The factor between value and base: NaN at first, infinite once there is none.
  static void follow(double value, double base, double& factor) {
    if (base == 0.0 || std::isinf(factor)) return;
    if (std::isnan(factor)) factor = value / base;
    const bool same = std::abs(value - factor * base) <= 1e-12 * std::abs(value);
    if (!same) factor = std::numeric_limits<double>::infinity();
  }

  // One linear problem: new parameters, x0 and v0.
  bool solve(WindowState& state, WindowFit& fit) {
    const bool curved = regression_.offset_column() >= 0;
    const std::size_t columns = free_ + (curved ? 3 : 2);
    optimize::NormalEquations sums;
    sums.reset(static_cast<Index>(columns));
    Eigen::VectorXd row(static_cast<Index>(columns));
    const double length = static_cast<double>(stretch_.samples) * regression_.signals().step;
    const WindowState old = state;
    regression_.visit(stretch_, old, [&](const WindowRegression::Block& block) {
      for (std::size_t i = 0; i < block.count; ++i) {
        const double t = block.time[i];
        // y = A - f without its parameters; r = A - o - f.
        double y = block.residual[i] + old.offset;
        for (std::size_t c = 0; c < free_; ++c) {
          const double column = (*block.columns)[c][i];
          y += column * old.parameters[free_index(c)];
          row(static_cast<Index>(c)) = column;
        }
        row(static_cast<Index>(stiffness_)) =
            kx_ * (block.x[i] - old.x0 - t * (old.v0 - 0.5 * old.offset * t));
        if (damping_ != kNone) {
          row(static_cast<Index>(damping_)) = kv_ * (block.v[i] - old.v0 + old.offset * t);
        }
        row(static_cast<Index>(free_)) = 1.0;
        row(static_cast<Index>(free_ + 1)) = t / length;
        if (curved) row(static_cast<Index>(free_ + 2)) = t * t / (length * length);
        sums.add(y, row);
      }
    });
    ++fit.evaluations;
    std::vector<double> theta;
    if (solve_normal(sums.matrix, sums.gradient, columns, columns, 0.0, theta) < kSmallestPivot) {
      return false;
    }
    take(theta, length, curved, state);
    return true;
  }

  // A - o = kx b (X + x0 + v0 t - o t²/2) + kv a (V + v0 - o t) + ...
  void take(const std::vector<double>& theta, double length, bool curved,
            WindowState& state) const {
    for (std::size_t c = 0; c < free_; ++c) state.parameters[free_index(c)] = theta[c];
    const double b = kx_ * theta[stiffness_];
    const double a = damping_ != kNone ? kv_ * theta[damping_] : 0.0;
    state.offset = curved ? -2.0 * theta[free_ + 2] / (length * length * b) : 0.0;
    state.v0 = (theta[free_ + 1] / length + a * state.offset) / b;
    state.x0 = (theta[free_] - a * state.v0 - state.offset) / b;
  }

  // Converged does not mean right: where more is left than noise, least squares must not find
  // anything much better.
  WindowFit checked(const WindowState& state, WindowFit& fit) {
    optimize::NormalEquations sums;
    sums.reset(static_cast<Index>(regression_.columns()));
    regression_.add(stretch_, state, sums);
    ++fit.evaluations;
    fit.residual = std::sqrt(sums.cost / static_cast<double>(sums.count));
    if (fit.residual <= kNoisy * regression_.signals().noise) return fit;
    WindowState other = linear_start(regression_, stretch_);
    const WindowFit better = fit_projected(regression_, stretch_, false, other);
    fit.evaluations += better.evaluations;
    if (better.ok() && better.residual < kBetter * fit.residual) {
      fit.status = Status::NotConverged;
      fit.message = fmt::format(
          "the fixed point ends at a residual of {:.3g} m/s2, where variable projection finds one "
          "of {:.3g}; use that",
          fit.residual, better.residual);
    }
    return fit;
  }

  static constexpr std::size_t kNone = ~std::size_t{0};
  WindowRegression& regression_;
  Stretch stretch_;
  std::size_t free_;
  std::size_t stiffness_ = kNone, damping_ = kNone;
  double kx_ = 0.0, kv_ = 0.0;
  double largest_ = 0.0;
};

}  // namespace

WindowFit fit_fixed_point(WindowRegression& regression, const Stretch& stretch,
                          WindowState& state) {
  return FixedPoint(regression, stretch).run(state);
}

}  // namespace alembert::identify
