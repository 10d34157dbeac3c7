#include "alembert/core/check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "alembert/core/error.hpp"
#include "support/message_of.hpp"

namespace alembert {
namespace check_test {

using test::message_of;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Check, NamesFunctionArgumentRuleAndValue) {
  EXPECT_EQ(message_of([] { check::positive("f", "step", -0.5); }),
            "f: step must be positive, got -0.5");
  EXPECT_EQ(message_of([] { check::in_range("f", "order", 64, 1, 40); }),
            "f: order must be in [1, 40], got 64");
  EXPECT_EQ(message_of([] { check::size("f", "x", 3, 4); }), "f: x must have size 4, got 3");
  EXPECT_EQ(message_of([] { check::at_least("f", "n", 0, 1); }), "f: n must be at least 1, got 0");
  EXPECT_EQ(message_of([] { check::shape("f", "A", Eigen::MatrixXd(2, 3), 3, 3); }),
            "f: A must be 3 x 3, got 2 x 3");
}

TEST(Check, AcceptsWhatTheRuleAllows) {
  EXPECT_NO_THROW(check::positive("f", "x", 1e-300));
  EXPECT_NO_THROW(check::non_negative("f", "x", 0.0));
  EXPECT_NO_THROW(check::in_range("f", "x", 1.0, 1.0, 2.0));
  EXPECT_NO_THROW(check::in_range("f", "x", 2.0, 1.0, 2.0));
  EXPECT_NO_THROW(check::at_least("f", "x", 1, 1));
}

TEST(Check, NoRuleAcceptsNanOrInfinity) {
  for (const double value : {kNan, kInf, -kInf}) {
    EXPECT_THROW(check::finite("f", "x", value), InvalidInput);
    EXPECT_THROW(check::positive("f", "x", value), InvalidInput);
    EXPECT_THROW(check::non_negative("f", "x", value), InvalidInput);
    EXPECT_THROW(check::in_range("f", "x", value, -kInf, kInf), InvalidInput);
  }
  EXPECT_THROW(check::positive("f", "x", 0.0), InvalidInput);
  EXPECT_THROW(check::non_negative("f", "x", -1e-300), InvalidInput);
}

TEST(Check, NamesTheFirstEntryThatIsNotFinite) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(3, 2);
  EXPECT_NO_THROW(check::all_finite("f", "A", matrix));
  matrix(2, 1) = kNan;
  EXPECT_EQ(message_of([&] { check::all_finite("f", "A", matrix); }),
            "f: A must be finite, got nan in row 3, column 2");
}

TEST(Check, NamesTheWorstAsymmetricPair) {
  Eigen::MatrixXd matrix(2, 2);
  matrix << 2.0, 1.0, 1.5, 2.0;
  EXPECT_THAT(
      message_of([&] { check::symmetric("f", "K", matrix); }),
      testing::AllOf(testing::HasSubstr("K must be symmetric"), testing::HasSubstr("1.5 at (2, 1)"),
                     testing::HasSubstr("1 at (1, 2)")));
  matrix(1, 0) = 1.0 + 1e-10;  // below 1e-9 of the largest entry
  EXPECT_NO_THROW(check::symmetric("f", "K", matrix));
  EXPECT_EQ(message_of([] { check::symmetric("f", "K", Eigen::MatrixXd(2, 3)); }),
            "f: K must be square, got 2 x 3");
}

}  // namespace check_test
}  // namespace alembert
