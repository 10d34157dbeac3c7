#include "alembert/document/words.hpp"

#include <gtest/gtest.h>

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
