#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/signal/spline.hpp"
#include "signal/spline/increasing.hpp"

namespace alembert::signal {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using ConstVector = Eigen::Ref<const VectorXd>;

constexpr Index kOrder = 6;    // polynomials of degree 5
constexpr Index kBand = 4;     // entries beside the diagonal of the collocation matrix
constexpr Index kDropped = 2;  // samples near each end that are not knots
using BasisValues = std::array<double, kOrder>;

// Values at x of the `order` B-splines of that order that are not zero on [t(l), t(l+1)],
// for all orders 1..6: row k-1 holds B(l-k+1) .. B(l) of order k [DeBoor1978].
std::array<BasisValues, kOrder> basis(const VectorXd& t, Index l, double x) {
  std::array<BasisValues, kOrder> b{};
  b[0][0] = 1.0;
  for (std::size_t k = 1; k < kOrder; ++k) {
    double carried = 0.0;
    for (std::size_t r = 0; r < k; ++r) {
      const double right = t[l + static_cast<Index>(r) + 1];
      const double left = t[l + static_cast<Index>(r) + 1 - static_cast<Index>(k)];
      const double part = b[k - 1][r] / (right - left);
      b[k][r] = carried + (right - x) * part;
      carried = (x - left) * part;
    }
    b[k][k] = carried;
  }
  return b;
}

// Knots: the ends six times, and the samples between but for two beside each end.
VectorXd quintic_knots(const ConstVector& x) {
  const Index n = x.size();
  VectorXd t(n + kOrder);
  t.head(kOrder).setConstant(x[0]);
  t.segment(kOrder, n - kOrder) = x.segment(1 + kDropped, n - kOrder);
  t.tail(kOrder).setConstant(x[n - 1]);
  return t;
}

// Gaussian elimination in a band without pivoting; rows(i, kBand + j - i) is the entry (i, j).
void solve_band(Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>& rows,
                VectorXd& r) {
  const Index n = r.size();
  for (Index k = 0; k < n; ++k) {
    for (Index i = k + 1; i <= std::min(k + kBand, n - 1); ++i) {
      const double factor = rows(i, kBand + k - i) / rows(k, kBand);
      if (factor == 0.0) {
        continue;
      }
      for (Index j = k + 1; j <= std::min(k + kBand, n - 1); ++j) {
        rows(i, kBand + j - i) -= factor * rows(k, kBand + j - k);
      }
      r[i] -= factor * r[k];
    }
  }
  for (Index i = n - 1; i >= 0; --i) {
    for (Index j = i + 1; j <= std::min(i + kBand, n - 1); ++j) {
      r[i] -= rows(i, kBand + j - i) * r[j];
    }
    r[i] /= rows(i, kBand);
  }
}

VectorXd b_coefficients(const VectorXd& t, const ConstVector& x, const ConstVector& y) {
  const Index n = x.size();
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows(n, 2 * kBand + 1);
  rows.setZero();
  VectorXd right = y;
  Index l = kOrder - 1;
  for (Index i = 0; i < n; ++i) {
    while (l < n - 1 && t[l + 1] <= x[i]) {
      ++l;
    }
    const BasisValues values = basis(t, l, x[i])[kOrder - 1];
    for (Index r = 0; r < kOrder; ++r) {
      const Index band = kBand + (l - kOrder + 1 + r) - i;
      // Outside the band stand exact zeros only: at a knot the last of the six vanishes.
      if (band >= 0 && band <= 2 * kBand) {
        rows(i, band) = values[static_cast<std::size_t>(r)];
      }
    }
  }
  solve_band(rows, right);
  return right;
}

// Taylor coefficients at t(l) of the spline on [t(l), t(l+1)], from the differences of its
// B-spline coefficients: a'(i) = (k-1) (a(i) - a(i-1)) / (t(i+k-1) - t(i)).
BasisValues taylor(const VectorXd& t, const VectorXd& a, Index l) {
  const std::array<BasisValues, kOrder> b = basis(t, l, t[l]);
  BasisValues difference{};
  for (Index r = 0; r < kOrder; ++r) {
    difference[static_cast<std::size_t>(r)] = a[l - kOrder + 1 + r];
  }
  BasisValues result{};
  double factorial = 1.0;
  for (Index order = 0; order < kOrder; ++order) {
    const Index k = kOrder - order;
    double sum = 0.0;
    for (Index r = 0; r < k; ++r) {
      sum += difference[static_cast<std::size_t>(r)] *
             b[static_cast<std::size_t>(k - 1)][static_cast<std::size_t>(r)];
    }
    result[static_cast<std::size_t>(order)] = sum / factorial;
    factorial *= static_cast<double>(order + 1);
    for (Index r = 0; r + 1 < k; ++r) {
      const Index i = l - k + 2 + r;
      const auto place = static_cast<std::size_t>(r);
      difference[place] = static_cast<double>(k - 1) * (difference[place + 1] - difference[place]) /
                          (t[i + k - 1] - t[i]);
    }
  }
  return result;
}

void check_knots(std::string_view function, const ConstVector& times, const ConstVector& values) {
  check::at_least(function, "number of samples", times.size(), 2);
  check::size(function, "number of values", values.size(), times.size());
  check_increasing(function, "times", times);
  check::all_finite(function, "values", values);
}

PiecewisePolynomial one_polynomial(const ConstVector& x, const ConstVector& y) {
  const Index n = x.size();
  VectorXd newton = y;
  for (Index order = 1; order < n; ++order) {
    for (Index i = n - 1; i >= order; --i) {
      newton[i] = (newton[i] - newton[i - 1]) / (x[i] - x[i - order]);
    }
  }
  // Newton's form to powers of (x - x(0)): p = newton(i) + (s - (x(i) - x(0))) p.
  MatrixXd power = MatrixXd::Zero(n, 1);
  power(0, 0) = newton[n - 1];
  for (Index i = n - 2; i >= 0; --i) {
    for (Index j = n - 1; j > 0; --j) {
      power(j, 0) = power(j - 1, 0) - (x[i] - x[0]) * power(j, 0);
    }
    power(0, 0) = newton[i] - (x[i] - x[0]) * power(0, 0);
  }
  Eigen::VectorXd ends(2);
  ends << x[0], x[n - 1];
  return {std::move(ends), std::move(power)};
}

}  // namespace

PiecewisePolynomial interpolating_polynomial(const ConstVector& times, const ConstVector& values) {
  check_knots("interpolating_polynomial", times, values);
  return one_polynomial(times, values);
}

PiecewisePolynomial quintic_spline(const ConstVector& times, const ConstVector& values) {
  check_knots("quintic_spline", times, values);
  const Index n = times.size();
  if (n <= kOrder) {
    return one_polynomial(times, values);
  }
  const VectorXd t = quintic_knots(times);
  const VectorXd a = b_coefficients(t, times, values);
  const Index pieces = n - kOrder + 1;
  MatrixXd coefficients(kOrder, pieces);
  for (Index i = 0; i < pieces; ++i) {
    const BasisValues c = taylor(t, a, kOrder - 1 + i);
    coefficients.col(i) = Eigen::Map<const VectorXd>(c.data(), kOrder);
  }
  return {t.segment(kOrder - 1, pieces + 1), std::move(coefficients)};
}

}  // namespace alembert::signal
