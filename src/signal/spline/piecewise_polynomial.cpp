#include "alembert/signal/piecewise_polynomial.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/not_a_number.hpp"
#include "signal/spline/increasing.hpp"

namespace alembert::signal {

namespace {

// j (j-1) ... (j-order+1), the factor that differentiation puts before xʲ.
double falling_factorial(Eigen::Index j, int order) {
  double product = 1.0;
  for (int r = 0; r < order; ++r) {
    product *= static_cast<double>(j - r);
  }
  return product;
}

// Sum with the rounding errors of all additions carried along (Neumaier's variant of Kahan's
// sum): an integral over a million pieces keeps its last digits.
class CarefulSum {
 public:
  void add(double value) {
    const double total = total_ + value;
    error_ +=
        std::abs(total_) >= std::abs(value) ? (total_ - total) + value : (value - total) + total_;
    total_ = total;
  }
  [[nodiscard]] double value() const { return total_ + error_; }

 private:
  double total_ = 0.0;
  double error_ = 0.0;
};

}  // namespace

PiecewisePolynomial::PiecewisePolynomial(Eigen::VectorXd knots, Eigen::MatrixXd coefficients,
                                         bool periodic)
    : knots_(std::move(knots)), coefficients_(std::move(coefficients)), periodic_(periodic) {
  check::at_least("PiecewisePolynomial", "number of knots", knots_.size(), 2);
  check::at_least("PiecewisePolynomial", "rows of coefficients", coefficients_.rows(), 1);
  check::size("PiecewisePolynomial", "columns of coefficients", coefficients_.cols(),
              knots_.size() - 1);
  check_increasing("PiecewisePolynomial", "knots", knots_);
}

double PiecewisePolynomial::wrapped(double x) const {
  const double begin = knots_[0];
  const double period = knots_[knots_.size() - 1] - begin;
  return x - period * std::floor((x - begin) / period);
}

Eigen::Index PiecewisePolynomial::piece(double x, Eigen::Index hint) const {
  // Increasing arguments mostly stay in the interval of the last one or enter the next.
  for (Eigen::Index i = hint; i < std::min(hint + 2, pieces()); ++i) {
    if (knots_[i] <= x && x < knots_[i + 1]) {
      return i;
    }
  }
  const double* const first = knots_.data();
  const Eigen::Index above = std::upper_bound(first, first + knots_.size(), x) - first;
  return std::clamp<Eigen::Index>(above - 1, 0, pieces() - 1);
}

double PiecewisePolynomial::evaluate(double x, int order, Eigen::Index& hint) const {
  if (pieces() == 0 || !std::isfinite(x)) {
    return kNaN;
  }
  const double inside = periodic_ ? wrapped(x) : x;
  hint = piece(inside, hint);
  const double s = inside - knots_[hint];
  const double* const c = coefficients_.data() + hint * coefficients_.rows();
  double sum = 0.0;
  for (Eigen::Index j = degree(); j >= order; --j) {
    sum = sum * s + (order == 0 ? c[j] : falling_factorial(j, order) * c[j]);
  }
  return sum;
}

double PiecewisePolynomial::derivative(double x, int order) const {
  check::at_least("PiecewisePolynomial::derivative", "order", order, 0);
  Eigen::Index hint = 0;
  return evaluate(x, order, hint);
}

Eigen::VectorXd PiecewisePolynomial::derivative(const Eigen::Ref<const Eigen::VectorXd>& x,
                                                int order) const {
  check::at_least("PiecewisePolynomial::derivative", "order", order, 0);
  Eigen::VectorXd values(x.size());
  Eigen::Index hint = 0;
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    values[k] = evaluate(x[k], order, hint);
  }
  return values;
}

PiecewisePolynomial PiecewisePolynomial::differentiated(int order) const {
  check::at_least("PiecewisePolynomial::differentiated", "order", order, 0);
  if (pieces() == 0) {
    return *this;
  }
  const Eigen::Index rows = std::max<Eigen::Index>(coefficients_.rows() - order, 1);
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(rows, pieces());
  for (Eigen::Index j = order; j < coefficients_.rows(); ++j) {
    result.row(j - order) = falling_factorial(j, order) * coefficients_.row(j);
  }
  return {knots_, std::move(result), periodic_};
}

PiecewisePolynomial PiecewisePolynomial::antiderivative() const {
  if (pieces() == 0) {
    return *this;
  }
  Eigen::MatrixXd result(coefficients_.rows() + 1, pieces());
  for (Eigen::Index j = 0; j < coefficients_.rows(); ++j) {
    result.row(j + 1) = coefficients_.row(j) / static_cast<double>(j + 1);
  }
  CarefulSum area;
  for (Eigen::Index i = 0; i < pieces(); ++i) {
    result(0, i) = area.value();
    area.add(integral_of_piece(i, knots_[i], knots_[i + 1]));
  }
  return {knots_, std::move(result)};
}

double PiecewisePolynomial::integral_of_piece(Eigen::Index i, double a, double b) const {
  // ∫ = Σ_j c_j (s_bʲ⁺¹ - s_aʲ⁺¹)/(j+1) with s = x - x(i).
  const double from = a - knots_[i];
  const double to = b - knots_[i];
  double upper = 0.0;
  double lower = 0.0;
  for (Eigen::Index j = degree(); j >= 0; --j) {
    const double c = coefficients_(j, i) / static_cast<double>(j + 1);
    upper = (upper + c) * to;
    lower = (lower + c) * from;
  }
  return upper - lower;
}

double PiecewisePolynomial::integral_inside(double a, double b) const {
  const Eigen::Index first = piece(a, 0);
  const Eigen::Index last = piece(b, first);
  CarefulSum area;
  for (Eigen::Index i = first; i <= last; ++i) {
    area.add(integral_of_piece(i, i == first ? a : knots_[i], i == last ? b : knots_[i + 1]));
  }
  return area.value();
}

double PiecewisePolynomial::integral(double a, double b) const {
  check::finite("PiecewisePolynomial::integral", "a", a);
  check::finite("PiecewisePolynomial::integral", "b", b);
  if (pieces() == 0) {
    return kNaN;
  }
  if (b < a) {
    return -integral(b, a);
  }
  if (!periodic_) {
    return integral_inside(a, b);
  }
  // Whole periods are counted, not walked.
  const double begin = knots_[0];
  const double end = knots_[knots_.size() - 1];
  const double periods =
      std::floor((b - begin) / (end - begin)) - std::floor((a - begin) / (end - begin));
  return periods * integral_inside(begin, end) + integral_inside(begin, wrapped(b)) -
         integral_inside(begin, wrapped(a));
}

}  // namespace alembert::signal
