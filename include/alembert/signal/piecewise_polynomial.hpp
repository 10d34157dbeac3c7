#pragma once

#include <Eigen/Core>

namespace alembert::signal {

/// A function made of one polynomial per interval between knots x(0) < x(1) < ... < x(p).
///
///   f(x) = Σ_j c(j, i) (x - x(i))ʲ    for x(i) <= x < x(i+1), j = 0 .. degree
///
/// Outside the knots the first or last polynomial goes on; a periodic one repeats instead.
/// Evaluation finds the interval in O(log p); a vector of increasing arguments costs O(1) each.
class PiecewisePolynomial {
 public:
  PiecewisePolynomial() = default;
  /// @param knots p + 1 >= 2 values, strictly increasing and finite.
  /// @param coefficients (degree + 1) x p, column i for the interval that begins at x(i).
  /// @param periodic f(x + x(p) - x(0)) = f(x).
  /// @throws InvalidInput if the sizes disagree or the knots do not increase.
  PiecewisePolynomial(Eigen::VectorXd knots, Eigen::MatrixXd coefficients, bool periodic = false);

  /// -1 for a default-constructed object, which has no pieces and evaluates to NaN.
  [[nodiscard]] int degree() const noexcept { return static_cast<int>(coefficients_.rows()) - 1; }
  [[nodiscard]] Eigen::Index pieces() const noexcept { return coefficients_.cols(); }
  [[nodiscard]] bool is_periodic() const noexcept { return periodic_; }
  [[nodiscard]] const Eigen::VectorXd& knots() const noexcept { return knots_; }
  [[nodiscard]] const Eigen::MatrixXd& coefficients() const noexcept { return coefficients_; }

  /// f(x).
  [[nodiscard]] double operator()(double x) const { return derivative(x, 0); }
  [[nodiscard]] Eigen::VectorXd operator()(const Eigen::Ref<const Eigen::VectorXd>& x) const {
    return derivative(x, 0);
  }
  /// The derivative of f of the given order at x, from the right at a knot.
  /// @throws InvalidInput if order < 0.
  [[nodiscard]] double derivative(double x, int order = 1) const;
  [[nodiscard]] Eigen::VectorXd derivative(const Eigen::Ref<const Eigen::VectorXd>& x,
                                           int order = 1) const;

  /// The derivative of the given order as a function; its degree is at least 0.
  /// @throws InvalidInput if order < 0.
  [[nodiscard]] PiecewisePolynomial differentiated(int order = 1) const;
  /// F with F' = f and F(x(0)) = 0. Not periodic, even if f is: F gains ∫f in each period and
  /// is meant for [x(0), x(p)].
  [[nodiscard]] PiecewisePolynomial antiderivative() const;
  /// ∫ f dx from a to b; negative orientation (b < a) and places outside the knots are allowed.
  /// @throws InvalidInput if a or b is not finite.
  [[nodiscard]] double integral(double a, double b) const;

 private:
  [[nodiscard]] double wrapped(double x) const;
  [[nodiscard]] Eigen::Index piece(double x, Eigen::Index hint) const;
  [[nodiscard]] double evaluate(double x, int order, Eigen::Index& hint) const;
  [[nodiscard]] double integral_of_piece(Eigen::Index i, double a, double b) const;
  [[nodiscard]] double integral_inside(double a, double b) const;

  Eigen::VectorXd knots_;
  Eigen::MatrixXd coefficients_;
  bool periodic_ = false;
};

}  // namespace alembert::signal
