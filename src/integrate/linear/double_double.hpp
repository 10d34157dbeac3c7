#pragma once

#include <cmath>

/// Sums and products that keep their rounding error: an unevaluated sum high + low of two doubles,
/// about 32 digits. Needs a compiler that neither reorders nor fuses floating-point operations.
namespace alembert::integrate {

struct DoubleDouble {
  double high = 0.0;
  double low = 0.0;  ///< |low| <= eps |high|
};

/// a + b without error, for any order of magnitudes (Knuth's TwoSum).
inline DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

/// a b without error, barring underflow.
inline DoubleDouble two_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

/// a / b with the error of the quotient, itself rounded.
inline DoubleDouble two_quotient(double a, double b) {
  const double quotient = a / b;
  return {quotient, std::fma(-quotient, b, a) / b};
}

inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble sum = two_sum(a.high, b.high);
  const DoubleDouble low = two_sum(a.low, b.low);
  const DoubleDouble first = two_sum(sum.high, sum.low + low.high);
  return two_sum(first.high, first.low + low.low);
}

inline DoubleDouble operator-(DoubleDouble a) { return {-a.high, -a.low}; }
inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + (-b); }

/// Multiplication by a power of two, which is exact.
inline DoubleDouble scaled(DoubleDouble a, double power_of_two) {
  return {a.high * power_of_two, a.low * power_of_two};
}

}  // namespace alembert::integrate
