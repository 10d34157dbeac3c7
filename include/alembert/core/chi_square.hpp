#pragma once

/// The chi-square distribution, for confidence intervals of variances and spectra.
namespace alembert {

/// P(χ² <= value) with `freedom` degrees of freedom ν, any real ν > 0:
///
///   P(ν/2, value/2),  P(a, x) = (1/Γ(a)) ∫_0^x t^(a-1) exp(-t) dt
///
/// @throws InvalidInput unless freedom > 0 and value >= 0.
[[nodiscard]] double chi_square_probability(double value, double freedom);

/// The value that χ² stays below with the given probability; inverse of
/// chi_square_probability(). @throws InvalidInput unless freedom > 0 and 0 < probability < 1.
[[nodiscard]] double chi_square_quantile(double probability, double freedom);

}  // namespace alembert
