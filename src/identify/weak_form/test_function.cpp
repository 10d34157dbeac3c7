#include "identify/weak_form/test_function.hpp"

#include <cmath>

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

double horner(const VectorXd& coefficients, double s) {
  double value = 0.0;
  for (Index j = coefficients.size() - 1; j >= 0; --j) value = value * s + coefficients(j);
  return value;
}

VectorXd differentiated(const VectorXd& c) {
  VectorXd result(c.size() - 1);
  for (Index j = 0; j < result.size(); ++j) result(j) = static_cast<double>(j + 1) * c(j + 1);
  return result;
}

// The antiderivative that is zero at s = -1.
VectorXd integrated(const VectorXd& c) {
  VectorXd result = VectorXd::Zero(c.size() + 1);
  for (Index j = 0; j < c.size(); ++j) result(j + 1) = c(j) / static_cast<double>(j + 1);
  result(0) = -horner(result, -1.0);
  return result;
}

// (1 - s²)^p = Σ_j (-1)^j C(p, j) s^2j
VectorXd bump(int power) {
  VectorXd c = VectorXd::Zero(2 * power + 1);
  double binomial = 1.0;
  for (int j = 0; j <= power; ++j) {
    c(2 * j) = j % 2 == 0 ? binomial : -binomial;
    binomial *= static_cast<double>(power - j) / static_cast<double>(j + 1);
  }
  return c;
}

}  // namespace

TestFunction::TestFunction(double window, int power) : half_(0.5 * window) {
  polynomial_[2] = bump(power);
  polynomial_[1] = integrated(polynomial_[2]);
  polynomial_[0] = integrated(polynomial_[1]);
  polynomial_[3] = differentiated(polynomial_[2]);
  polynomial_[4] = differentiated(polynomial_[3]);
}

double TestFunction::operator()(double t, int order) const {
  const double s = t / half_;
  const double scale = std::pow(half_, -order);
  if (s <= -1.0) return 0.0;
  if (s < 1.0) return scale * horner(polynomial_[static_cast<std::size_t>(order + 2)], s);
  if (order >= 0) return 0.0;
  // Right of the support ∫φ is constant and ∬φ a straight line.
  const double area = horner(polynomial_[1], 1.0);
  return scale * (order == -1 ? area : horner(polynomial_[0], 1.0) + area * (s - 1.0));
}

}  // namespace alembert::identify
