#include "alembert/core/chi_square.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/random.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert {
namespace chi_square_test {

using test::kEps;
using test::message_of;
using testing::HasSubstr;

// ν = 2: P = 1 - exp(-x/2). ν = 4: P = 1 - exp(-x/2)(1 + x/2). ν = 1: P = erf √(x/2).
TEST(ChiSquare, ClosedForms) {
  for (double x = 1e-3; x < 60.0; x *= 1.3) {
    EXPECT_NEAR(chi_square_probability(x, 2.0), -std::expm1(-0.5 * x), 20 * kEps) << x;
    const double four = 1.0 - std::exp(-0.5 * x) * (1.0 + 0.5 * x);
    EXPECT_NEAR(chi_square_probability(x, 4.0), four, 20 * kEps) << x;
    EXPECT_NEAR(chi_square_probability(x, 1.0), std::erf(std::sqrt(0.5 * x)), 20 * kEps) << x;
  }
  EXPECT_EQ(chi_square_probability(0.0, 3.0), 0.0);
}

TEST(ChiSquare, QuantilesOfClosedForms) {
  for (const double p : {1e-12, 1e-6, 0.01, 0.5, 0.9, 0.999}) {
    const double two = -2.0 * std::log1p(-p);
    EXPECT_NEAR(chi_square_quantile(p, 2.0), two, 100 * kEps * two) << p;
  }
  for (const double p : {0.05, 0.5, 0.95, 0.999}) {
    const double z = normal_quantile(0.5 + 0.5 * p);
    EXPECT_NEAR(chi_square_quantile(p, 1.0), z * z, 1000 * kEps * z * z) << p;
  }
}

// Every printed table of the distribution, three decimals.
TEST(ChiSquare, TabulatedQuantiles) {
  EXPECT_NEAR(chi_square_quantile(0.95, 10.0), 18.307, 5e-4);
  EXPECT_NEAR(chi_square_quantile(0.025, 10.0), 3.247, 5e-4);
  EXPECT_NEAR(chi_square_quantile(0.975, 30.0), 46.979, 5e-4);
  EXPECT_NEAR(chi_square_quantile(0.99, 100.0), 135.807, 5e-4);
}

// Property: probability(quantile(p)) = p, from small to large ν and far into both tails. The
// relative rounding of x times the slope of P allows ν^(1/2) eps.
TEST(ChiSquare, QuantileInvertsProbability) {
  for (double freedom = 0.2; freedom < 1e6; freedom *= 3.7) {
    for (const double p : {1e-9, 1e-3, 0.025, 0.3, 0.5, 0.8, 0.975, 0.999999}) {
      const double x = chi_square_quantile(p, freedom);
      const double rounding = (100.0 + 10.0 * std::sqrt(freedom)) * kEps;
      EXPECT_NEAR(chi_square_probability(x, freedom), p, rounding) << freedom << " " << p;
    }
  }
}

// Property: for many degrees of freedom the distribution is normal with mean ν and variance 2ν;
// the skewness √(8/ν) bounds the difference.
TEST(ChiSquare, NearlyNormalForManyDegreesOfFreedom) {
  const double freedom = 1e8;
  const double x = freedom + 1.5 * std::sqrt(2.0 * freedom);
  EXPECT_NEAR(chi_square_probability(x, freedom), 0.5 * std::erfc(-1.5 / std::sqrt(2.0)),
              std::sqrt(8.0 / freedom));
}

TEST(ChiSquare, BadInputIsNamed) {
  EXPECT_THAT(message_of([] { (void)chi_square_probability(1.0, 0.0); }), HasSubstr("freedom"));
  EXPECT_THAT(message_of([] { (void)chi_square_probability(-1.0, 2.0); }), HasSubstr("value"));
  EXPECT_THAT(message_of([] { (void)chi_square_quantile(0.5, -2.0); }), HasSubstr("freedom"));
  for (const double p : {0.0, 1.0, -0.1, std::nan("")}) {
    EXPECT_THAT(message_of([p] { (void)chi_square_quantile(p, 2.0); }),
                HasSubstr("chi_square_quantile: probability must be in (0, 1), got"));
  }
}

}  // namespace chi_square_test
}  // namespace alembert
