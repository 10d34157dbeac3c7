#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "core/algebra/dense.hpp"
#include "identify/acceleration/small_normal.hpp"
#include "identify/acceleration/window_fitter.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

// Condition of the columns, scaled to unit length.
double condition_of(const optimize::NormalEquations& sums) {
  const Index n = sums.matrix.rows();
  Eigen::MatrixXd scaled(n, n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = j; i < n; ++i) {
      const double length = std::sqrt(sums.matrix(i, i)) * std::sqrt(sums.matrix(j, j));
      scaled(i, j) = length > 0.0 ? sums.matrix(i, j) / length : 0.0;
    }
  }
  if (!scaled.allFinite()) return std::numeric_limits<double>::infinity();
  const VectorXd values = dense::symmetric_eigen(scaled).values;
  return values(0) > 0.0 ? std::sqrt(values(n - 1) / values(0))
                         : std::numeric_limits<double>::infinity();
}

// Sums over x, v and A about their means.
struct MotionMoments {
  double n = 0.0, x = 0.0, v = 0.0, A = 0.0;
  double xx = 0.0, vv = 0.0, xv = 0.0, xA = 0.0, vA = 0.0;

  void add(double px, double pv, double pA) {
    n += 1.0;
    x += px;
    v += pv;
    A += pA;
    xx += px * px;
    vv += pv * pv;
    xv += px * pv;
    xA += px * pA;
    vA += pv * pA;
  }

  // A = -b x - a v + const.
  void describe(WindowFit& fit) const {
    const double cxx = xx - x * x / n;
    const double cvv = vv - v * v / n;
    const double cxv = xv - x * v / n;
    const double cxA = xA - x * A / n;
    const double cvA = vA - v * A / n;
    const double determinant = cxx * cvv - cxv * cxv;
    fit.amplitude = std::sqrt(2.0 * std::max(0.0, cxx) / n);
    if (!(determinant > 0.0)) return;
    fit.equivalent_stiffness = -(cvv * cxA - cxv * cvA) / determinant;
    fit.equivalent_damping = -(cxx * cvA - cxv * cxA) / determinant;
  }
};

bool offset_wanted(const WindowFitOptions& options, const IntegratedSignals& signals,
                   Index samples) {
  if (options.drift) return true;
  if (options.offset != Choice::Automatic) return options.offset == Choice::Always;
  if (signals.hides_offset()) return false;
  const double length = static_cast<double>(samples) * signals.step;
  return options.method == RegressionMethod::VariableProjection && length >= 1.5 * signals.cycle;
}

void check_fit_options(const WindowFitOptions& options) {
  check::positive("fit_window", "tolerance", options.tolerance);
  check::at_least("fit_window", "max_iterations", options.max_iterations, 1);
}

}  // namespace

void describe_window(WindowRegression& regression, const Stretch& stretch, const WindowState& state,
                     WindowFit& fit) {
  fit.first = stretch.first;
  fit.samples = stretch.samples;
  fit.time = regression.signals().start_time +
             static_cast<double>(stretch.first) * regression.signals().step;
  fit.parameters = Eigen::Map<const VectorXd>(state.parameters.data(),
                                              static_cast<Index>(state.parameters.size()));
  fit.x0 = state.x0;
  fit.v0 = state.v0;
  fit.offset = state.offset;
  fit.drift = state.drift;
  MotionMoments moments;
  for (Index k = stretch.first; k < stretch.first + stretch.samples; ++k) {
    const RegressionPoint here = regression.point(state, stretch.first, k);
    moments.add(here.x, here.v, regression.signals().A[static_cast<std::size_t>(k)] - here.offset);
  }
  moments.describe(fit);
}

WindowFit fit_stretch(WindowRegression& regression, const Stretch& stretch,
                      const std::optional<WindowState>& start, WindowState& state) {
  const bool fixed_point = regression.options().method == RegressionMethod::FixedPoint;
  WindowFit fit;
  if (fixed_point) {
    state = {};
    state.parameters = regression.guesses();
    if (start) {
      state.x0 = start->x0;
      state.v0 = start->v0;
    }
    fit = fit_fixed_point(regression, stretch, state);
  }
  // From the state given, from the linear equation, and from a motion without trend.
  for (int attempt = start ? 0 : 1; !fixed_point && attempt < 3; ++attempt) {
    state = attempt == 0   ? *start
            : attempt == 1 ? linear_start(regression, stretch)
                           : level_start(regression, stretch);
    const long before = fit.evaluations;
    fit = fit_projected(regression, stretch, attempt == 0, state);
    fit.evaluations += before;
    if (fit.ok()) break;
  }
  describe_window(regression, stretch, state, fit);
  return fit;
}

WindowFit fit_window(const EquationOfMotion& equation, const IntegratedSignals& signals,
                     Index first, Index samples, const WindowFitOptions& options,
                     const std::optional<FitGuess>& start) {
  check_fit_options(options);
  WindowRegression regression(equation, signals, options, offset_wanted(options, signals, samples));
  check::in_range("fit_window", "first", static_cast<double>(first), 0.0,
                  static_cast<double>(signals.samples()));
  check::at_least("fit_window", "samples", samples,
                  static_cast<long long>(regression.columns()) + 2);
  check::in_range("fit_window", "first + samples", static_cast<double>(first + samples), 0.0,
                  static_cast<double>(signals.samples()));
  const Stretch stretch{first, samples};
  std::optional<WindowState> from;
  if (start) {
    from = linear_start(regression, stretch);
    from->x0 = start->x0;
    from->v0 = start->v0;
    from->offset = start->offset;
    from->drift = start->drift;
    if (start->parameters.size() > 0) {
      check::size("fit_window", "start.parameters", start->parameters.size(),
                  static_cast<long long>(equation.parameters().size()));
      from->parameters.assign(start->parameters.data(),
                              start->parameters.data() + start->parameters.size());
    }
  }
  WindowState state;
  WindowFit fit = fit_stretch(regression, stretch, from, state);
  optimize::NormalEquations sums;
  sums.reset(static_cast<Index>(regression.columns()));
  regression.add(stretch, state, sums);
  fit.condition = condition_of(sums);
  return fit;
}

}  // namespace alembert::identify
