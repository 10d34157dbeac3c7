#pragma once

#include <Eigen/Core>

#include "alembert/signal/piecewise_polynomial.hpp"

/// Splines that pass through all samples, in O(n). Times may be uneven.
namespace alembert::signal {

/// The two conditions that a cubic spline needs besides the samples.
enum class CubicEnds {
  NotAKnot,  ///< third derivative continuous at the second and last but one sample; order 4
  Natural,   ///< second derivative zero at both ends; order 2 near them
  Clamped,   ///< slopes given at both ends; order 4
  Periodic   ///< all derivatives agree at both ends; the last value must repeat the first
};

struct CubicSplineOptions {
  CubicEnds ends = CubicEnds::NotAKnot;
  double begin_slope = 0.0;  ///< u' at the first sample, for Clamped; the same in all columns
  double end_slope = 0.0;    ///< u' at the last sample, for Clamped; the same in all columns
};

/// Cubic spline through (times, values).
///
/// Few samples: NotAKnot gives the line through 2, the parabola through 3 and the cubic through
/// 4 samples; Natural gives the line through 2.
///
/// @param times n >= 2 values in s, strictly increasing.
/// @param values n finite values.
/// @throws InvalidInput if a rule above is broken, or if Periodic and the last value differs from
///   the first by more than 1e-9 of the largest.
[[nodiscard]] PiecewisePolynomial cubic_spline(const Eigen::Ref<const Eigen::VectorXd>& times,
                                               const Eigen::Ref<const Eigen::VectorXd>& values,
                                               const CubicSplineOptions& options = {});

/// Slopes u' at the samples of the cubic splines through all columns; n x m.
///
/// With the values they fix the spline: on [t, t + h], with Δ = u(t+h) - u(t) and s = (τ - t)/h,
///
///   u(τ) = u + hu' s + (3Δ - 2hu' - hu'₊) s² + (hu' + hu'₊ - 2Δ) s³.
///
/// The tridiagonal system of the slopes is factorised once for all columns.
/// @param values n x m, one column per signal.
/// @throws InvalidInput as cubic_spline().
[[nodiscard]] Eigen::MatrixXd cubic_slopes(const Eigen::Ref<const Eigen::VectorXd>& times,
                                           const Eigen::Ref<const Eigen::MatrixXd>& values,
                                           const CubicSplineOptions& options = {});

/// The same for samples at a constant step in s.
[[nodiscard]] Eigen::MatrixXd cubic_slopes(double step,
                                           const Eigen::Ref<const Eigen::MatrixXd>& values,
                                           const CubicSplineOptions& options = {});

/// Derivatives of all columns at the beginning of interval k, scaled by its length h:
/// row c of `result` (m x 4) becomes (u, h u', h² u'', h³ u''') of column c. Does not allocate.
///
///   h² u'' = 6Δ - 4hu' - 2hu'₊,    h³ u''' = 6hu' + 6hu'₊ - 12Δ
///
/// They advance the columns by s = 0..1 as u + (hu') s + (h²u'') s²/2 + (h³u''') s³/6.
/// @param interval k, 0 .. n-2, between samples k and k + 1.
/// @throws InvalidInput if the sizes disagree or there is no such interval.
void scaled_derivatives(const Eigen::Ref<const Eigen::MatrixXd>& values,
                        const Eigen::Ref<const Eigen::MatrixXd>& slopes, Eigen::Index interval,
                        double length, Eigen::Ref<Eigen::MatrixXd> result);

/// Not-a-knot quintic spline through (times, values), four times continuously differentiable.
///
/// The knots are all samples but the second, third, last but two and last but one: the first
/// three intervals share one polynomial, and so do the last three. The error is of order 6 up to
/// the ends. Up to 6 samples give the one polynomial of degree n - 1 through them. Solved as
/// banded collocation with B-splines, whose matrix is totally positive, so that elimination
/// without pivoting is stable [DeBoor1978].
/// Meant for even or mildly uneven times; neighbouring intervals that differ by much more than
/// a factor 3 make high-degree splines swing.
/// @throws InvalidInput as cubic_spline().
[[nodiscard]] PiecewisePolynomial quintic_spline(const Eigen::Ref<const Eigen::VectorXd>& times,
                                                 const Eigen::Ref<const Eigen::VectorXd>& values);

/// The polynomial of degree n - 1 through n samples as one piece; for few samples.
/// @throws InvalidInput as cubic_spline().
[[nodiscard]] PiecewisePolynomial interpolating_polynomial(
    const Eigen::Ref<const Eigen::VectorXd>& times,
    const Eigen::Ref<const Eigen::VectorXd>& values);

}  // namespace alembert::signal
