#pragma once

/// How long alarms keep silent where nothing has changed, and how soon they come where something
/// has.
namespace alembert::estimate {

/// Mean number of values until Page's cumulative sum exceeds its limit [Page1954]:
///
///   S⁺ = max(0, S + x − k),  alarm where S > h,
///
/// for independent x of mean `shift` and standard deviation 1. It solves
///
///   L(s) = 1 + L(0) Φ(k − s − μ) + ∫₀ʰ L(y) φ(y − s + k − μ) dy
///
/// on the nodes of a Gauss rule; twelve digits for h up to 10. Infinity where more than 1e13 values
/// pass.
/// @param reference k. @param limit h. @param shift μ. @param start S before the first value.
/// @throws InvalidInput unless k >= 0, 0 < h <= 300, 0 <= start <= h and the shift is finite.
[[nodiscard]] double cusum_run_length(double reference, double limit, double shift = 0.0,
                                      double start = 0.0);

/// The same of a pair of sums, one for changes upwards and one for changes downwards, which start
/// at zero: 1/L = 1/L(μ) + 1/L(−μ).
/// @throws InvalidInput as cusum_run_length().
[[nodiscard]] double two_sided_cusum_run_length(double reference, double limit, double shift = 0.0);

/// The limit h of both sums for a mean run length of values without a change.
/// @throws InvalidInput unless 0.05 <= k <= 5 and 10 <= run_length <= 1e12.
[[nodiscard]] double cusum_limit(double reference, double run_length);

/// The limit z of |x| for standard normal x:
///
///   2 Φ(−z) = 1/run_length.
///
/// Independent values pass it every run_length on the mean. Gaussian values that are correlated, in
/// whatever way, pass it more seldom: P(|x_1| <= z, ..., |x_n| <= z) is at least the product of the
/// single probabilities [Sidak1967].
/// @throws InvalidInput unless 10 <= run_length <= 1e15.
[[nodiscard]] double threshold_limit(double run_length);

}  // namespace alembert::estimate
