#include "signal/spline/natural_spline.hpp"

#include <cmath>
#include <utility>

namespace alembert::signal {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Derivatives of the spline at its knots: columns f, f', f'' and, for m = 3, f''', f''''.
MatrixXd cubic_knot_derivatives(const VectorXd& x, const VectorXd& f, const VectorXd& gamma) {
  const Index n = x.size();
  MatrixXd d = MatrixXd::Zero(n, 3);
  d.col(0) = f;
  d.col(2).segment(1, n - 2) = gamma;
  for (Index i = 0; i < n; ++i) {
    const bool last = i == n - 1;
    const Index a = last ? i - 1 : i;
    const double h = x[a + 1] - x[a];
    // f'(x(i)) = Δ/h - h (2 f''(i) + f''(i+1))/6, and from the left at the last knot.
    const double curvature = last ? d(a, 2) + 2.0 * d(a + 1, 2) : -2.0 * d(a, 2) - d(a + 1, 2);
    d(i, 1) = (f[a + 1] - f[a]) / h + h * curvature / 6.0;
  }
  return d;
}

MatrixXd quintic_knot_derivatives(const VectorXd& x, const VectorXd& f, const VectorXd& gamma) {
  const Index n = x.size();
  MatrixXd d = MatrixXd::Zero(n, 5);
  d.col(0) = f;
  const auto coefficient = [&](Index k) { return k < 0 || k >= n - 3 ? 0.0 : gamma[k]; };
  for (Index i = 1; i + 1 < n; ++i) {
    const double g = x[i] - x[i - 1];
    const double h = x[i + 1] - x[i];
    // f''' = Σ γ B at the knot, and its slope from the differences of γ.
    d(i, 3) = (h * coefficient(i - 2) + g * coefficient(i - 1)) / (g + h);
    d(i, 4) = 2.0 * (coefficient(i - 1) - coefficient(i - 2)) / (g + h);
  }
  // What f''' adds to f over one interval from knot i in direction `sign`, over its length.
  const auto known = [&](Index i, Index j) {
    const double s = x[j] - x[i];
    const double fifth = (d(j, 4) - d(i, 4)) / s;
    return s * s * (d(i, 3) / 6.0 + s * (d(i, 4) / 24.0 + s * fifth / 120.0));
  };
  for (Index i = 1; i + 1 < n; ++i) {
    const double g = x[i] - x[i - 1];
    const double h = x[i + 1] - x[i];
    // a + b h and a - b g with a = f', b = f''/2.
    const double after = (f[i + 1] - f[i]) / h - known(i, i + 1);
    const double before = (f[i] - f[i - 1]) / g - known(i, i - 1);
    d(i, 1) = (g * after + h * before) / (g + h);
    d(i, 2) = 2.0 * (after - before) / (g + h);
  }
  // At the ends f''' = f'''' = 0: f'' comes from the neighbour, f' from the values.
  for (const auto& [end, next] : {std::pair<Index, Index>{0, 1}, {n - 1, n - 2}}) {
    const double s = x[next] - x[end];
    d(end, 2) = d(next, 2) - s * s / 6.0 * d(next, 4);
    d(end, 1) = (f[next] - f[end]) / s - known(end, next) - 0.5 * s * d(end, 2);
  }
  return d;
}

// The pieces between the knots and one on each side, of degree m - 1, that the ends go on as.
PiecewisePolynomial assembled(const VectorXd& times, double unit, const VectorXd& x,
                              const MatrixXd& d) {
  const Index n = x.size();
  const bool quintic = d.cols() == 5;
  MatrixXd c = MatrixXd::Zero(quintic ? 6 : 4, n + 1);
  for (Index i = 0; i < n; ++i) {
    c(0, i + 1) = d(i, 0);
    c(1, i + 1) = d(i, 1);
    c(2, i + 1) = d(i, 2) / 2.0;
    if (i + 1 == n) {
      break;
    }
    const double h = x[i + 1] - x[i];
    c(3, i + 1) = quintic ? d(i, 3) / 6.0 : (d(i + 1, 2) - d(i, 2)) / (6.0 * h);
    if (quintic) {
      c(4, i + 1) = d(i, 4) / 24.0;
      c(5, i + 1) = (d(i + 1, 4) - d(i, 4)) / (120.0 * h);
    }
  }
  // One unit before the first knot, where a cubic has f'' = 0 and a quintic f''' = 0.
  c(0, 0) = d(0, 0) - d(0, 1) + 0.5 * d(0, 2);
  c(1, 0) = d(0, 1) - d(0, 2);
  c(2, 0) = 0.5 * d(0, 2);
  for (Index j = 1; j < c.rows(); ++j) {
    c.row(j) /= std::pow(unit, static_cast<double>(j));
  }
  VectorXd knots(n + 2);
  knots << times[0] - unit, times, times[n - 1] + unit;
  return {std::move(knots), std::move(c)};
}

}  // namespace

PiecewisePolynomial natural_spline(const VectorXd& times, const VectorXd& f, const VectorXd& gamma,
                                   int m) {
  const Index n = times.size();
  const double unit = (times[n - 1] - times[0]) / static_cast<double>(n - 1);
  const VectorXd x = (times.array() - times[0]) / unit;
  return assembled(
      times, unit, x,
      m == 2 ? cubic_knot_derivatives(x, f, gamma) : quintic_knot_derivatives(x, f, gamma));
}

}  // namespace alembert::signal
