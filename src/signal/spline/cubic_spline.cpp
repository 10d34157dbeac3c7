#include <fmt/format.h>

#include <Eigen/Core>
#include <cmath>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/signal/spline.hpp"
#include "signal/spline/increasing.hpp"

namespace alembert::signal {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using ConstMatrix = Eigen::Ref<const MatrixXd>;
using ConstVector = Eigen::Ref<const VectorXd>;

// A periodic signal may fail to close by this part of its largest value (decimals of a file).
constexpr double kClosure = 1e-9;

// Elimination of l(i) x(i-1) + d(i) x(i) + u(i) x(i+1) = r(i), done once for many right sides.
// The systems here are diagonally dominant but for the not-a-knot rows, which stay safe too:
// no pivoting.
class Tridiagonal {
 public:
  Tridiagonal(VectorXd lower, VectorXd diagonal, VectorXd upper)
      : factor_(std::move(lower)), inverse_(std::move(diagonal)), upper_(std::move(upper)) {
    for (Index i = 0; i < inverse_.size(); ++i) {
      if (i > 0) {
        factor_[i] *= inverse_[i - 1];
        inverse_[i] -= factor_[i] * upper_[i - 1];
      }
      inverse_[i] = 1.0 / inverse_[i];
    }
  }

  void solve_in_place(Eigen::Ref<VectorXd> r) const {
    const Index n = inverse_.size();
    for (Index i = 1; i < n; ++i) {
      r[i] -= factor_[i] * r[i - 1];
    }
    r[n - 1] *= inverse_[n - 1];
    for (Index i = n - 2; i >= 0; --i) {
      r[i] = (r[i] - upper_[i] * r[i + 1]) * inverse_[i];
    }
  }

 private:
  VectorXd factor_;
  VectorXd inverse_;
  VectorXd upper_;
};

// The equations of the inner slopes, from the continuity of u'':
//   h(i) s(i-1) + 2 (h(i-1) + h(i)) s(i) + h(i-1) s(i+1) = 3 (h(i) d(i-1) + h(i-1) d(i)),
// with d(i) = (u(i+1) - u(i)) / h(i). Row i of the system belongs to sample i.
struct Rows {
  VectorXd lower, diagonal, upper;
};

Rows inner_rows(const VectorXd& h, Index n) {
  Rows rows{VectorXd::Zero(n), VectorXd::Ones(n), VectorXd::Zero(n)};
  for (Index i = 1; i < h.size() && i < n; ++i) {
    rows.lower[i] = h[i];
    rows.diagonal[i] = 2.0 * (h[i - 1] + h[i]);
    rows.upper[i] = h[i - 1];
  }
  return rows;
}

double inner_right_side(const VectorXd& h, double before, double after, Index i) {
  return 3.0 * (h[i] * before + h[i - 1] * after);
}

Tridiagonal open_system(const VectorXd& h, CubicEnds ends) {
  const Index n = h.size() + 1;
  Rows rows = inner_rows(h, n);
  if (ends == CubicEnds::Natural) {
    // u'' = 0:  2 s(0) + s(1) = 3 d(0), and mirrored.
    rows.diagonal[0] = rows.diagonal[n - 1] = 2.0;
    rows.upper[0] = rows.lower[n - 1] = 1.0;
  } else if (ends == CubicEnds::NotAKnot) {
    // u''' continuous at sample 1, s(2) eliminated with row 1:
    //   h(1) s(0) + (h(0) + h(1)) s(1) = ((3h(0) + 2h(1)) h(1) d(0) + h(0)² d(1)) / (h(0) + h(1))
    rows.diagonal[0] = h[1];
    rows.upper[0] = h[0] + h[1];
    rows.diagonal[n - 1] = h[n - 3];
    rows.lower[n - 1] = h[n - 2] + h[n - 3];
  }
  return {std::move(rows.lower), std::move(rows.diagonal), std::move(rows.upper)};
}

// Right side of a not-a-knot row: (outer, d_outer) is the interval at the end of the record.
double not_a_knot_right_side(double outer, double inner, double d_outer, double d_inner) {
  return ((3.0 * outer + 2.0 * inner) * inner * d_outer + outer * outer * d_inner) /
         (outer + inner);
}

void fill_open_right_side(const VectorXd& h, const CubicSplineOptions& options,
                          const Eigen::Ref<const VectorXd>& u, Eigen::Ref<VectorXd> r) {
  const Index n = u.size();
  const auto quotient = [&](Index i) { return (u[i + 1] - u[i]) / h[i]; };
  double before = quotient(0);
  for (Index i = 1; i + 1 < n; ++i) {
    const double after = quotient(i);
    r[i] = inner_right_side(h, before, after, i);
    before = after;
  }
  switch (options.ends) {
    case CubicEnds::Natural:
      r[0] = 3.0 * quotient(0);
      r[n - 1] = 3.0 * quotient(n - 2);
      break;
    case CubicEnds::NotAKnot:
      r[0] = not_a_knot_right_side(h[0], h[1], quotient(0), quotient(1));
      r[n - 1] = not_a_knot_right_side(h[n - 2], h[n - 3], quotient(n - 2), quotient(n - 3));
      break;
    case CubicEnds::Clamped:
    case CubicEnds::Periodic:
      r[0] = options.begin_slope;
      r[n - 1] = options.end_slope;
      break;
  }
}

// The line through 2 and the parabola through 3 samples.
MatrixXd few_slopes(const VectorXd& h, const ConstMatrix& u) {
  MatrixXd s(u.rows(), u.cols());
  if (u.rows() == 2) {
    s.rowwise() = (u.row(1) - u.row(0)) / h[0];
    return s;
  }
  const Eigen::RowVectorXd before = (u.row(1) - u.row(0)) / h[0];
  const Eigen::RowVectorXd after = (u.row(2) - u.row(1)) / h[1];
  s.row(1) = (h[1] * before + h[0] * after) / (h[0] + h[1]);
  s.row(0) = 2.0 * before - s.row(1);
  s.row(2) = 2.0 * after - s.row(1);
  return s;
}

MatrixXd open_slopes(const VectorXd& h, const ConstMatrix& u, const CubicSplineOptions& options) {
  const bool few = (options.ends == CubicEnds::NotAKnot && u.rows() <= 3) ||
                   (options.ends == CubicEnds::Natural && u.rows() == 2);
  if (few) {
    return few_slopes(h, u);
  }
  const Tridiagonal system = open_system(h, options.ends);
  MatrixXd slopes(u.rows(), u.cols());
  for (Index c = 0; c < u.cols(); ++c) {
    fill_open_right_side(h, options, u.col(c), slopes.col(c));
    system.solve_in_place(slopes.col(c));
  }
  return slopes;
}

void check_closed(std::string_view function, const ConstMatrix& u) {
  for (Index c = 0; c < u.cols(); ++c) {
    const double first = u(0, c);
    const double last = u(u.rows() - 1, c);
    if (std::abs(last - first) > kClosure * u.col(c).cwiseAbs().maxCoeff()) {
      throw InvalidInput(
          {.function = std::string(function),
           .item = "the last value",
           .rule = "must repeat the first of a periodic signal",
           .value = fmt::format("{} and {} in column {}", shortest(first), shortest(last), c + 1)});
    }
  }
}

// The p = n - 1 slopes of one period, with the equations above taken round the circle. The last
// unknown is kept apart: T z = r and T w = v, v its coefficients in the other rows, give
// s = z - w s(p-1), and the last row then gives s(p-1).
MatrixXd periodic_slopes(const VectorXd& h, const ConstMatrix& u) {
  const Index p = h.size();
  MatrixXd slopes = MatrixXd::Zero(u.rows(), u.cols());
  if (p == 1) {
    return slopes;
  }
  Rows rows = inner_rows(h, p);
  rows.diagonal[0] = 2.0 * (h[p - 1] + h[0]);
  rows.lower[0] = h[0];
  rows.upper[0] = h[p - 1];
  VectorXd w = VectorXd::Zero(p - 1);
  w[0] += rows.lower[0];
  w[p - 2] += rows.upper[p - 2];
  const Tridiagonal system(rows.lower.head(p - 1), rows.diagonal.head(p - 1),
                           rows.upper.head(p - 1));
  system.solve_in_place(w);
  const double corner = rows.upper[p - 1];
  const double pivot = rows.diagonal[p - 1] - rows.lower[p - 1] * w[p - 2] - corner * w[0];
  for (Index c = 0; c < u.cols(); ++c) {
    Eigen::Ref<VectorXd> s = slopes.col(c);
    const auto quotient = [&](Index i) { return (u(i + 1, c) - u(i, c)) / h[i]; };
    s[0] = 3.0 * (h[0] * quotient(p - 1) + h[p - 1] * quotient(0));
    for (Index i = 1; i < p; ++i) {
      s[i] = inner_right_side(h, quotient(i - 1), quotient(i), i);
    }
    system.solve_in_place(s.head(p - 1));
    s[p - 1] = (s[p - 1] - rows.lower[p - 1] * s[p - 2] - corner * s[0]) / pivot;
    s.head(p - 1) -= w * s[p - 1];
    s[p] = s[0];
  }
  return slopes;
}

MatrixXd checked_slopes(std::string_view function, const VectorXd& h, const ConstMatrix& values,
                        const CubicSplineOptions& options) {
  check::all_finite(function, "values", values);
  if (options.ends == CubicEnds::Clamped) {
    check::finite(function, "begin_slope", options.begin_slope);
    check::finite(function, "end_slope", options.end_slope);
  }
  if (options.ends == CubicEnds::Periodic) {
    check_closed(function, values);
    return periodic_slopes(h, values);
  }
  return open_slopes(h, values, options);
}

VectorXd checked_steps(std::string_view function, const ConstVector& times, Index samples) {
  check::at_least(function, "number of samples", times.size(), 2);
  check::size(function, "rows of values", samples, times.size());
  check_increasing(function, "times", times);
  return times.tail(samples - 1) - times.head(samples - 1);
}

}  // namespace

MatrixXd cubic_slopes(const ConstVector& times, const ConstMatrix& values,
                      const CubicSplineOptions& options) {
  const VectorXd h = checked_steps("cubic_slopes", times, values.rows());
  return checked_slopes("cubic_slopes", h, values, options);
}

MatrixXd cubic_slopes(double step, const ConstMatrix& values, const CubicSplineOptions& options) {
  check::positive("cubic_slopes", "step", step);
  check::at_least("cubic_slopes", "number of samples", values.rows(), 2);
  const VectorXd h = VectorXd::Constant(values.rows() - 1, step);
  return checked_slopes("cubic_slopes", h, values, options);
}

void scaled_derivatives(const ConstMatrix& values, const ConstMatrix& slopes, Index interval,
                        double length, Eigen::Ref<MatrixXd> result) {
  check::shape("scaled_derivatives", "slopes", slopes, values.rows(), values.cols());
  check::shape("scaled_derivatives", "result", result, values.cols(), 4);
  if (interval < 0 || interval > values.rows() - 2) {
    throw InvalidInput({.function = "scaled_derivatives",
                        .argument = "interval",
                        .rule = fmt::format("must be in [0, {}]", values.rows() - 2),
                        .value = fmt::format("{}", interval)});
  }
  for (Index c = 0; c < values.cols(); ++c) {
    const double rise = values(interval + 1, c) - values(interval, c);
    const double before = length * slopes(interval, c);
    const double after = length * slopes(interval + 1, c);
    result(c, 0) = values(interval, c);
    result(c, 1) = before;
    // h² u'' = 6Δ - 4hu' - 2hu'₊,   h³ u''' = 6hu' + 6hu'₊ - 12Δ
    result(c, 2) = 6.0 * rise - 4.0 * before - 2.0 * after;
    result(c, 3) = 6.0 * (before + after) - 12.0 * rise;
  }
}

PiecewisePolynomial cubic_spline(const ConstVector& times, const ConstVector& values,
                                 const CubicSplineOptions& options) {
  const VectorXd h = checked_steps("cubic_spline", times, values.size());
  const VectorXd slopes = checked_slopes("cubic_spline", h, values, options);
  MatrixXd coefficients(4, h.size());
  for (Index i = 0; i < h.size(); ++i) {
    const double quotient = (values[i + 1] - values[i]) / h[i];
    // c2 = (3d - 2s - s₊)/h,  c3 = (s + s₊ - 2d)/h²
    coefficients(0, i) = values[i];
    coefficients(1, i) = slopes[i];
    coefficients(2, i) = (3.0 * quotient - 2.0 * slopes[i] - slopes[i + 1]) / h[i];
    coefficients(3, i) = (slopes[i] + slopes[i + 1] - 2.0 * quotient) / (h[i] * h[i]);
  }
  return {times, std::move(coefficients), options.ends == CubicEnds::Periodic};
}

}  // namespace alembert::signal
