#include "alembert/core/chi_square.hpp"

#include <cmath>
#include <limits>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "alembert/core/text.hpp"

namespace alembert {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kTiny = 1e-300;

// x^a exp(-x) / Γ(a). For large a the exponent is a difference of large numbers that nearly
// cancel; written with u = (x - a)/a it is -a (u - ln(1+u)) less the Stirling remainder.
double power_times_exponential(double a, double x) {
  if (a < 20.0) {
    return std::exp(a * std::log(x) - x - std::lgamma(a));
  }
  const double u = (x - a) / a;
  // ln Γ(a) = (a - 1/2) ln a - a + ln(2π)/2 + 1/(12a) - 1/(360a³) + 1/(1260a⁵)
  const double remainder = (1.0 - (1.0 / 30.0 - 1.0 / (105.0 * a * a)) / (a * a)) / (12.0 * a);
  const double half_log_two_pi = 0.91893853320467274178;
  return std::exp(-a * (u - std::log1p(u)) + 0.5 * std::log(a) - half_log_two_pi - remainder);
}

// P(a, x) = x^a e^-x / Γ(a) Σ_n x^n / (a (a+1) .. (a+n)), for x < a + 1.
double lower_by_series(double a, double x) {
  double term = 1.0 / a;
  double sum = term;
  for (double n = 1.0; term > 0.1 * kEps * sum; n += 1.0) {
    term *= x / (a + n);
    sum += term;
  }
  return sum * power_times_exponential(a, x);
}

// 1 - P(a, x) by Legendre's continued fraction, evaluated forwards with the modified method of
// Lentz; for x >= a + 1.
double upper_by_fraction(double a, double x) {
  double b = x + 1.0 - a;
  double c = 1.0 / kTiny;
  double d = 1.0 / b;
  double fraction = d;
  double change = 0.0;
  for (double n = 1.0; std::abs(change - 1.0) > 4.0 * kEps; n += 1.0) {
    const double an = -n * (n - a);
    b += 2.0;
    d = 1.0 / (an * d + b);
    c = b + an / c;
    change = c * d;
    fraction *= change;
  }
  return fraction * power_times_exponential(a, x);
}

double lower_gamma(double a, double x) {
  if (x <= 0.0) {
    return 0.0;
  }
  return x < a + 1.0 ? lower_by_series(a, x) : 1.0 - upper_by_fraction(a, x);
}

// P(a, x) - p, from the tail that keeps the digits.
double excess(double a, double x, double p) {
  if (x < a + 1.0) {
    return lower_by_series(a, x) - p;
  }
  return (1.0 - p) - upper_by_fraction(a, x);
}

// [WilsonHilferty1931]: (χ²/ν)^(1/3) is nearly normal with mean 1 - 2/(9ν), variance 2/(9ν).
// In the far lower tail P(a, x) = x^a / Γ(a+1) serves instead.
double first_guess(double a, double p) {
  const double spread = 1.0 / (9.0 * a);
  const double root = 1.0 - spread + normal_quantile(p) * std::sqrt(spread);
  if (root > 0.3) {
    return a * root * root * root;
  }
  return std::exp((std::log(p) + std::lgamma(a + 1.0)) / a);
}

}  // namespace

double chi_square_probability(double value, double freedom) {
  check::positive("chi_square_probability", "freedom", freedom);
  check::non_negative("chi_square_probability", "value", value);
  return lower_gamma(0.5 * freedom, 0.5 * value);
}

double chi_square_quantile(double probability, double freedom) {
  check::positive("chi_square_quantile", "freedom", freedom);
  if (!(probability > 0.0 && probability < 1.0)) {
    throw InvalidInput({.function = "chi_square_quantile",
                        .argument = "probability",
                        .rule = "must be in (0, 1)",
                        .value = shortest(probability)});
  }
  constexpr int kMaxSteps = 200;
  const double a = 0.5 * freedom;
  double low = 0.0;
  double high = std::numeric_limits<double>::infinity();
  double x = std::max(first_guess(a, probability), std::numeric_limits<double>::min());
  // Newton's method, kept inside the bracket that the signs leave.
  for (int step = 0; step < kMaxSteps; ++step) {
    const double error = excess(a, x, probability);
    (error > 0.0 ? high : low) = x;
    const double slope = power_times_exponential(a, x) / x;
    double next = x - error / slope;
    if (!(next > low && next < high)) {
      next = std::isinf(high) ? 2.0 * x : 0.5 * (low + high);
    }
    if (std::abs(next - x) <= 4.0 * kEps * x) {
      return 2.0 * next;
    }
    x = next;
  }
  return 2.0 * x;
}

}  // namespace alembert
