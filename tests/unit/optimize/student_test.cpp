#include "alembert/optimize/student.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "alembert/core/random.hpp"
#include "tests/support/message_of.hpp"

namespace alembert::optimize {
namespace student_test {

using testing::HasSubstr;

// ν = 1: ½ + atan(t)/π. ν = 2: ½ + t/(2 √(2 + t²)). ν = 4: with s = t/√(4 + t²), ½ + ¾ (s - s³/3).
TEST(Student, MatchesClosedForms) {
  for (const double t : {-30.0, -2.0, -0.1, 0.0, 1e-6, 0.7, 3.0, 12.0, 1e4}) {
    const double s = t / std::sqrt(4.0 + t * t);
    // The continued fraction is good to some roundings.
    EXPECT_NEAR(student_probability(t, 1.0), 0.5 + std::atan(t) / std::numbers::pi, 1e-14) << t;
    EXPECT_NEAR(student_probability(t, 2.0), 0.5 + 0.5 * t / std::sqrt(2.0 + t * t), 1e-14) << t;
    EXPECT_NEAR(student_probability(t, 4.0), 0.5 + 0.75 * (s - s * s * s / 3.0), 1e-14) << t;
  }
}

TEST(Student, QuantileInvertsTheProbability) {
  for (const double freedom : {0.5, 1.0, 3.0, 7.5, 40.0, 1e3, 1e6, 1e8, 1e15}) {
    for (const double p : {1e-6, 0.025, 0.4, 0.5, 0.9, 0.975, 0.9999}) {
      EXPECT_NEAR(student_probability(student_quantile(p, freedom), freedom), p, 1e-11)
          << freedom << " " << p;
    }
  }
}

// ν = 1 in the far tail: -1/tan(π p), by the 52 halvings good to some roundings.
TEST(Student, QuantileIsExactInTheFarTail) {
  for (const double p : {1e-6, 1e-12, 1e-17, 1e-100}) {
    const double exact = -1.0 / std::tan(std::numbers::pi * p);
    EXPECT_NEAR(student_quantile(p, 1.0) / exact, 1.0, 1e-13) << p;
  }
}

// Published tables: 12.706, 2.228, 2.042; and the normal distribution in the limit.
TEST(Student, MatchesTables) {
  EXPECT_NEAR(student_quantile(0.975, 1.0), 12.706, 5e-4);
  EXPECT_NEAR(student_quantile(0.975, 10.0), 2.228, 5e-4);
  EXPECT_NEAR(student_quantile(0.975, 30.0), 2.042, 5e-4);
  // The difference to the normal quantile z is (z³ + z)/(4 ν).
  const double z = normal_quantile(0.975);
  EXPECT_NEAR(student_quantile(0.975, 1e6) - z, (z * z * z + z) / 4e6, 1e-11);
  EXPECT_NEAR(student_quantile(0.975, 1e8) - z, (z * z * z + z) / 4e8, 1e-11);
  EXPECT_NEAR(student_quantile(0.975, 1e12), z, 1e-9);
}

TEST(Student, NamesWhatIsWrong) {
  EXPECT_THAT(test::message_of([] { (void)student_quantile(1.0, 3.0); }), HasSubstr("probability"));
  EXPECT_THAT(test::message_of([] { (void)student_quantile(0.5, 0.0); }), HasSubstr("freedom"));
  EXPECT_THAT(test::message_of([] { (void)student_probability(NAN, 1.0); }), HasSubstr("value"));
}

}  // namespace student_test
}  // namespace alembert::optimize
