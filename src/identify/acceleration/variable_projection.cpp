#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/optimize/minimise.hpp"
#include "identify/acceleration/small_normal.hpp"
#include "identify/acceleration/window_fitter.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kLargestMotionDamping = 1e10;
// Gain, in variances of the noise, that is not worth a step.
constexpr double kNotWorthAStep = 0.1;
// A cost that is above the best one by less than this part is rounding.
constexpr double kEqualCost = 1e-9;

Outcome dependent_columns() {
  return {Status::NotIdentifiable,
          "the terms of the equation are linearly dependent in this stretch; take a longer one or "
          "fewer terms"};
}

// Levenberg-Marquardt over x0, v0 and the offset with the linear parameters eliminated, in the form
// of [Kaufman1975]: the step of all unknowns together, judged by the cost with the best parameters.
class MotionProjection {
 public:
  MotionProjection(WindowRegression& regression, const Stretch& stretch)
      : regression_(regression),
        stretch_(stretch),
        linear_(regression.free_parameters()),
        columns_(regression.columns()) {}

  WindowFit run(bool with_parameters, WindowState& state) {
    WindowFit fit;
    if (!with_parameters && !find_parameters(state, fit)) return fit;
    best_ = state;
    double best_cost = std::numeric_limits<double>::infinity();
    double damping = 0.0;
    optimize::NormalEquations kept;
    for (fit.iterations = 1; fit.iterations <= regression_.options().max_iterations;
         ++fit.iterations) {
      const double cost = projected_cost(state, fit);
      if (!(cost <= best_cost * (1.0 + kEqualCost))) {
        damping = std::max(8.0 * damping, 1e-3);
        if (damping > kLargestMotionDamping || !std::isfinite(best_cost)) break;
        std::swap(sums_, kept);
        state = best_;
      } else {
        best_ = state;
        best_cost = cost;
        damping = damping < 1e-6 ? 0.0 : 0.1 * damping;
      }
      kept = sums_;
      std::vector<double> step;
      if (solve_normal(kept.matrix, kept.gradient, columns_, linear_, damping, step) <
          kSmallestPivot) {
        static_cast<Outcome&>(fit) = dependent_columns();
        state = best_;
        return fit;
      }
      regression_.move(state, step);
      if (is_small(step, damping)) return finish(kept, step, fit);
    }
    fit.iterations = std::min(fit.iterations, regression_.options().max_iterations);
    stop(kept, best_cost, state, fit);
    return fit;
  }

 private:
  // No step lowers the cost. Where f jumps (sign) the cost does, and the derivatives promise a gain
  // that no step brings; below a tenth of the noise's variance the data cannot tell the difference.
  void stop(const optimize::NormalEquations& kept, double best_cost, WindowState& state,
            WindowFit& fit) {
    state = best_;
    if (!std::isfinite(best_cost)) {
      fit.status = Status::NotFinite;
      fit.message = "the equation is not finite along the motion";
      return;
    }
    std::vector<double> all, inner;
    if (solve_normal(kept.matrix, kept.gradient, linear_, linear_, 0.0, inner) >= kSmallestPivot) {
      regression_.move(state, inner);
    }
    fit.residual = std::sqrt(best_cost / static_cast<double>(kept.count));
    const double variance =
        best_cost / std::max(1.0, static_cast<double>(kept.count) - static_cast<double>(columns_));
    if (solve_normal(kept.matrix, kept.gradient, columns_, columns_, 0.0, all) >= kSmallestPivot &&
        best_cost - kept.cost + gain(kept, all) <= kNotWorthAStep * variance) {
      return;
    }
    fit.status = Status::NotConverged;
    fit.message = fmt::format("no convergence in {} iterations", fit.iterations);
  }

  // The best parameters for the start values of the state.
  bool find_parameters(WindowState& state, WindowFit& fit) {
    pass(state, fit);
    std::vector<double> step;
    if (linear_ == 0) return true;
    if (solve_normal(sums_.matrix, sums_.gradient, linear_, linear_, 0.0, step) < kSmallestPivot) {
      static_cast<Outcome&>(fit) =
          std::isfinite(sums_.cost)
              ? dependent_columns()
              : Outcome{Status::NotFinite, "the equation is not finite along the motion"};
      return false;
    }
    regression_.move(state, step);
    return true;
  }

  void pass(const WindowState& state, WindowFit& fit) {
    sums_.reset(static_cast<Index>(columns_));
    regression_.add(stretch_, state, sums_);
    ++fit.evaluations;
  }

  // rᵀr with the best linear parameters: rᵀr - gᵀ H⁻¹ g over their columns.
  double projected_cost(const WindowState& state, WindowFit& fit) {
    pass(state, fit);
    std::vector<double> step;
    if (linear_ == 0 ||
        solve_normal(sums_.matrix, sums_.gradient, linear_, linear_, 0.0, step) < kSmallestPivot) {
      return sums_.cost;
    }
    return sums_.cost - gain(sums_, step);
  }

  static double gain(const optimize::NormalEquations& sums, const std::vector<double>& step) {
    double result = 0.0;
    for (std::size_t j = 0; j < step.size(); ++j) {
      result += sums.gradient(static_cast<Index>(j)) * step[j];
    }
    return result;
  }

  // |δx0| + |δv0|/ω + |δo|/ω² against the size of x.
  [[nodiscard]] bool is_small(const std::vector<double>& step, double damping) const {
    const IntegratedSignals& signals = regression_.signals();
    const double length = static_cast<double>(stretch_.samples) * signals.step;
    const double omega = 2.0 * std::acos(-1.0) / (signals.cycle > 0.0 ? signals.cycle : length);
    const auto part = [&step](int column) {
      return column < 0 ? 0.0 : std::abs(step[static_cast<std::size_t>(column)]);
    };
    const double change = part(regression_.x0_column()) + part(regression_.v0_column()) / omega +
                          part(regression_.offset_column()) / (omega * omega);
    return damping <= 1e-3 && change <= regression_.options().tolerance * size(omega);
  }

  // √2 rms of A over ω²: the amplitude of x as far as the motion is harmonic.
  [[nodiscard]] double size(double omega) const {
    double sum = 0.0;
    for (Index k = 0; k < stretch_.samples; k += std::max<Index>(1, stretch_.samples / 64)) {
      const double A = regression_.signals().A[static_cast<std::size_t>(stretch_.first + k)];
      sum = std::max(sum, A * A);
    }
    return std::sqrt(sum) / (omega * omega);
  }

  static WindowFit& finish(const optimize::NormalEquations& sums, const std::vector<double>& step,
                           WindowFit& fit) {
    const double cost = std::max(0.0, sums.cost - gain(sums, step));
    fit.residual = std::sqrt(cost / static_cast<double>(sums.count));
    return fit;
  }

  WindowRegression& regression_;
  Stretch stretch_;
  std::size_t linear_, columns_;
  optimize::NormalEquations sums_;
  WindowState best_;
};

// All unknowns of a stretch as parameters for optimize::minimise().
class GeneralMotionFit {
 public:
  GeneralMotionFit(WindowRegression& regression, const Stretch& stretch)
      : regression_(regression), stretch_(stretch) {}

  WindowFit run(WindowState& state) {
    const std::vector<optimize::Parameter> unknowns = unknowns_of(state);
    const optimize::Minimum found = optimize::minimise(
        {unknowns, objective(state)}, {.solver = optimize::Solver::LevenbergMarquardt,
                                       .max_evaluations = 4L * regression_.options().max_iterations,
                                       .cost_tolerance = 1e-14,
                                       .step_tolerance = 1e-2 * regression_.options().tolerance});
    WindowFit fit;
    fit.status = found.status;
    fit.message = found.message;
    fit.iterations = static_cast<int>(found.jacobians);
    fit.evaluations = found.evaluations;
    fit.residual = std::sqrt(found.cost / static_cast<double>(stretch_.samples));
    state = state_of(found.parameters, state);
    return fit;
  }

 private:
  std::vector<optimize::Parameter> unknowns_of(const WindowState& state) const {
    std::vector<optimize::Parameter> unknowns;
    for (const std::size_t j : regression_.free()) {
      optimize::Parameter entry;
      const optimize::Parameter* given = regression_.given(j);
      if (given != nullptr) entry = *given;
      entry.name = regression_.equation().parameters()[j];
      entry.guess = std::clamp(state.parameters[j], entry.lower, entry.upper);
      unknowns.push_back(entry);
    }
    const std::vector<std::pair<int, double>> more{{regression_.x0_column(), state.x0},
                                                   {regression_.v0_column(), state.v0},
                                                   {regression_.offset_column(), state.offset},
                                                   {regression_.drift_column(), state.drift}};
    for (const auto& [column, value] : more) {
      if (column < 0) continue;
      unknowns.push_back({.name = fmt::format("start {}", column), .guess = value});
    }
    return unknowns;
  }

  WindowState state_of(const VectorXd& theta, const WindowState& like) const {
    WindowState state = like;
    const std::vector<std::size_t>& free = regression_.free();
    for (std::size_t c = 0; c < free.size(); ++c) {
      state.parameters[free[c]] = theta(static_cast<Index>(c));
    }
    if (regression_.x0_column() >= 0) state.x0 = theta(regression_.x0_column());
    if (regression_.v0_column() >= 0) state.v0 = theta(regression_.v0_column());
    if (regression_.offset_column() >= 0) state.offset = theta(regression_.offset_column());
    if (regression_.drift_column() >= 0) state.drift = theta(regression_.drift_column());
    return state;
  }

  optimize::Objective objective(const WindowState& like) {
    optimize::Objective result;
    result.sums = [this, like](const VectorXd& theta, optimize::NormalEquations& sums) {
      regression_.add(stretch_, state_of(theta, like), sums);
      sums.gradient = -sums.gradient;  // of r = A - o - f, whose Jacobian is minus the columns
    };
    return result;
  }

  WindowRegression& regression_;
  Stretch stretch_;
};

// The best values of the linear parameters for the guesses of the others and the start values.
void find_linear(WindowRegression& regression, const Stretch& stretch, WindowState& state) {
  const std::vector<std::size_t>& free = regression.free();
  optimize::NormalEquations sums;
  sums.reset(static_cast<Index>(regression.columns()));
  regression.add(stretch, state, sums);
  Eigen::MatrixXd H = sums.matrix;
  for (std::size_t c = 0; c < free.size(); ++c) {
    if (regression.equation().linear[free[c]]) continue;
    const auto column = static_cast<Index>(c);  // a unit equation keeps it where it is
    for (Index i = 0; i < H.rows(); ++i) H(i, column) = H(column, i) = 0.0;
    H(column, column) = 1.0;
    sums.gradient(column) = 0.0;
  }
  std::vector<double> step;
  if (solve_normal(H, sums.gradient, free.size(), free.size(), 0.0, step) >= kSmallestPivot) {
    regression.move(state, step);
  }
}

}  // namespace

WindowFit fit_projected(WindowRegression& regression, const Stretch& stretch, bool with_parameters,
                        WindowState& state) {
  if (regression.all_free_linear()) {
    return MotionProjection(regression, stretch).run(with_parameters, state);
  }
  if (!with_parameters) find_linear(regression, stretch, state);
  return GeneralMotionFit(regression, stretch).run(state);
}

}  // namespace alembert::identify
