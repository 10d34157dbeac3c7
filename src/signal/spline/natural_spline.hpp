#pragma once

#include <Eigen/Core>

#include "alembert/signal/piecewise_polynomial.hpp"

namespace alembert::signal {

/// The natural spline of degree 2m - 1 with values f at its knots and f⁽ᵐ⁾ = Σ γ(k) B(k), where
/// B(k) is the B-spline of order m and sum 1 on the knots k .. k+m, in units of the mean distance h
/// of the knots (that is, γ is h^m times the derivative). Outside it goes on with degree m - 1, for
/// which one knot stands at distance h on each side. m is 2 or 3, and there are more than m knots.
[[nodiscard]] PiecewisePolynomial natural_spline(const Eigen::VectorXd& times,
                                                 const Eigen::VectorXd& f,
                                                 const Eigen::VectorXd& gamma, int m);

}  // namespace alembert::signal
