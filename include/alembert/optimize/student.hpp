#pragma once

/// Student's t distribution, for intervals from few residuals.
namespace alembert::optimize {

/// P(T <= value) with `freedom` degrees of freedom ν > 0, any real: 1 - ½ I_x(ν/2, 1/2) for
/// value >= 0, x = ν/(ν + value²), I the regularised incomplete beta function.
/// @throws InvalidInput unless freedom is positive and value is a number.
[[nodiscard]] double student_probability(double value, double freedom);

/// The value that T stays below with the given probability.
/// @throws InvalidInput unless freedom > 0 and 0 < probability < 1.
[[nodiscard]] double student_quantile(double probability, double freedom);

}  // namespace alembert::optimize
