#include "alembert/optimize/student.hpp"

#include <cmath>
#include <numbers>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"

namespace alembert::optimize {

namespace {

// From here on a transformation to the normal distribution is good to 1/ν² = 1e-12.
constexpr double kNormalFrom = 1e6;
constexpr int kMaxTerms = 200000;

// The continued fraction of I_x(a, b) x^-a (1 - x)^-b a B(a, b), by Lentz' method; converges fast
// for x < (a + 1)/(a + b + 2).
double beta_fraction(double a, double b, double x) {
  const double tiny = 1e-300;
  double c = 1.0;
  double d = 1.0 - (a + b) * x / (a + 1.0);
  d = 1.0 / (std::abs(d) < tiny ? tiny : d);
  double value = d;
  for (int m = 1; m < kMaxTerms; ++m) {
    double change = 1.0;
    const double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
    for (const double term : {even, odd}) {
      d = 1.0 + term * d;
      d = 1.0 / (std::abs(d) < tiny ? tiny : d);
      c = 1.0 + term / c;
      if (std::abs(c) < tiny) c = tiny;
      change = c * d;
      value *= change;
    }
    if (std::abs(change - 1.0) < 1e-15) break;
  }
  return value;
}

// ln Γ(a + ½) - ln Γ(a); for large a by its series, where the difference of two large numbers would
// lose digits. The next term is 1/(640 a⁵).
double log_gamma_ratio(double a) {
  if (a < 1e3) return std::lgamma(a + 0.5) - std::lgamma(a);
  return 0.5 * std::log(a) - 1.0 / (8.0 * a) + 1.0 / (192.0 * a * a * a);
}

double log_of(double x, double y) { return x > 0.5 ? std::log1p(-y) : std::log(x); }

// I_x(a, b) for a or b = ½, with y = 1 - x given, so that neither loses digits.
double incomplete_beta(double a, double b, double x, double y) {
  if (x <= 0.0) return 0.0;
  if (y <= 0.0) return 1.0;
  if (x > (a + 1.0) / (a + b + 2.0)) return 1.0 - incomplete_beta(b, a, y, x);
  // 1/B(a, ½) = Γ(a + ½)/(Γ(a) √π)
  const double log_front = log_gamma_ratio(a == 0.5 ? b : a) - 0.5 * std::log(std::numbers::pi) +
                           a * log_of(x, y) + b * log_of(y, x);
  return std::exp(log_front) * beta_fraction(a, b, x) / a;
}

// P(T > value), value >= 0.
double upper_tail(double value, double freedom) {
  const double square = value * value;
  if (!std::isfinite(square)) return 0.0;
  if (freedom > kNormalFrom) {
    // z = (1 - 1/(4ν)) √(ν ln(1 + t²/ν))
    const double z = (1.0 - 0.25 / freedom) * std::sqrt(freedom * std::log1p(square / freedom));
    return 0.5 * std::erfc(z / std::sqrt(2.0));
  }
  return 0.5 * incomplete_beta(0.5 * freedom, 0.5, freedom / (freedom + square),
                               square / (freedom + square));
}

}  // namespace

double student_probability(double value, double freedom) {
  check::positive("student_probability", "freedom", freedom);
  if (std::isnan(value)) {
    throw InvalidInput({.function = "student_probability",
                        .argument = "value",
                        .rule = "must be a number",
                        .value = "nan"});
  }
  const double tail = upper_tail(std::abs(value), freedom);
  return value < 0.0 ? tail : 1.0 - tail;
}

double student_quantile(double probability, double freedom) {
  check::positive("student_quantile", "freedom", freedom);
  if (!(probability > 0.0 && probability < 1.0)) {
    check::in_range("student_quantile", "probability", probability, 1e-300, 1.0 - 1e-16);
  }
  const bool below = probability < 0.5;
  const double tail = below ? probability : 1.0 - probability;
  double low = 0.0;
  double high = 1.0;
  while (upper_tail(high, freedom) > tail) {
    low = high;
    high *= 2.0;
  }
  for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (upper_tail(middle, freedom) > tail ? low : high) = middle;
  }
  const double size = 0.5 * (low + high);
  return below ? -size : size;
}

}  // namespace alembert::optimize
