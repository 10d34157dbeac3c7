#pragma once

#include <Eigen/Core>
#include <optional>

#include "alembert/signal/piecewise_polynomial.hpp"

namespace alembert::signal {

/// What a smoothing spline punishes, m in its equation.
enum class Penalty {
  SecondDerivative,  ///< m = 2, cubic spline: for a signal and its slope
  ThirdDerivative    ///< m = 3, quintic spline: for the second derivative as well
};

struct SmoothingOptions {
  Penalty penalty = Penalty::SecondDerivative;
  /// λ, in s^(2m-1) with weights of no unit; 0 interpolates. None: chosen from the data.
  std::optional<double> lambda = {};
  /// Standard deviation of the noise of a sample of weight 1, > 0. λ is then the one for which
  /// Σ w (y - f)² = n σ² (discrepancy principle), which smooths somewhat more than
  /// cross-validation. None, and no lambda: generalised cross-validation.
  std::optional<double> sigma = {};
  /// w >= 0, proportional to 1/variance of each sample; empty takes 1 for all. 0 leaves a sample
  /// out.
  Eigen::VectorXd weights = {};
};

/// A smoothing spline and what it says about the data; n counts the samples used.
struct SmoothingResult {
  PiecewisePolynomial spline;
  Eigen::VectorXd fitted;           ///< f at all times given, those of missing samples included
  double lambda = 0.0;              ///< λ used, s^(2m-1)
  double degrees_of_freedom = 0.0;  ///< tr H of f = H y: from m (polynomial) to n (interpolation)
  double gcv = 0.0;                 ///< n Σw(y-f)² / (n - tr H)²; NaN for interpolation
  double sigma = 0.0;  ///< noise of a sample of weight 1, √(Σw(y-f)² / (n - tr H)); NaN as above
  Eigen::Index used = 0;  ///< n
  /// The search for λ ended at a limit of its range: the data ask for no smoothing at all, or for
  /// nothing but a polynomial of degree m - 1. Then doubt whether the noise is white.
  bool at_limit = false;
};

/// Smoothing spline: the function f that minimises
///
///   Σ w(k) (y(k) - f(t(k)))² + λ ∫ (f⁽ᵐ⁾)² dt.
///
/// f is a natural spline of degree 2m - 1 with the used samples as knots [Reinsch1967]; beyond them
/// it goes on as a polynomial of degree m - 1, for which the result has one more knot at each side.
/// With Q the matrix of m-th differences and R the Gram matrix of the B-splines that span f⁽ᵐ⁾,
///
///   (R + λ Qᵀ W⁻¹ Q) γ = Qᵀ y,   f = y - λ W⁻¹ Q γ,   tr H = m + tr(R (R + λ Qᵀ W⁻¹ Q)⁻¹).
///
/// γ comes from a banded orthogonal factorisation of [√λ W^(-1/2) Q; R^(1/2)]: for m = 3 and waves
/// of 1000 samples the normal equations are wrong by 1 %. tr H comes from the band of the inverse
/// [Hutchinson1985]. O(n) for each λ; cross-validation [Craven1979] tries 20 to 30.
///
/// Up to m samples give the polynomial through them.
///
/// @param times in s, strictly increasing.
/// @param values NaN counts as missing.
/// @throws InvalidInput if sizes disagree, times do not increase, a value is infinite, fewer than
///   2 samples can be used, lambda and sigma are both given, or an option is out of range.
[[nodiscard]] SmoothingResult smooth(const Eigen::Ref<const Eigen::VectorXd>& times,
                                     const Eigen::Ref<const Eigen::VectorXd>& values,
                                     const SmoothingOptions& options = {});

}  // namespace alembert::signal
