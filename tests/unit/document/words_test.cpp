#include "alembert/document/words.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace alembert::document {
namespace words_test {

TEST(Significant, IsPlainBetweenTenThousandthsAndAMillion) {
  EXPECT_EQ(significant(0.0), "0");
  EXPECT_EQ(significant(0.99996), "1.000");  // the digits are counted after rounding
  EXPECT_EQ(significant(1234.56), "1235");
  EXPECT_EQ(significant(1e-4), "0.0001000");
  EXPECT_EQ(significant(3e-13), "3.000e-13");
  EXPECT_EQ(significant(1e6), "1.000e+06");
}

TEST(WithDeviation, GivesBothTheDigitsOfTheDeviation) {
  EXPECT_EQ(with_deviation(100.307, 0.4193), "100.31 \u00b1 0.42");
  EXPECT_EQ(with_deviation(2.5e7, 1.2e5), "(2.500 \u00b1 0.012)e7");
  EXPECT_EQ(with_deviation(2.0, 0.0), "2.000 fixed");
  EXPECT_EQ(with_deviation(2.0, std::nan("")), "2.000");
  EXPECT_EQ(with_deviation(2.0, std::numeric_limits<double>::infinity()), "2.000 \u00b1 \u221e");
}

TEST(PrettyUnit, RaisesPowers) {
  EXPECT_EQ(pretty_unit("m/s^2"), "m/s\u00b2");
  EXPECT_EQ(with_unit("rate", "s^-1"), "rate [s\u207b\u00b9]");
  EXPECT_EQ(with_unit("share", ""), "share");
}

TEST(CountOf, GroupsDigitsAndCountsOne) {
  EXPECT_EQ(count_of(1, "claim"), "1 claim");
  EXPECT_EQ(count_of(12345, "sample"), "12\u202f345 samples");
  EXPECT_EQ(grouped(-1234), "-1\u202f234");
}

}  // namespace words_test
}  // namespace alembert::document
