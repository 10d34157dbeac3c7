#include "study/parts/unit_conversion.hpp"

#include <gtest/gtest.h>

// Factors between units of columns: definitions of the units, and what is no factor.
namespace alembert::study {
namespace unit_conversion_test {

TEST(UnitConversion, IsAFactorWhereThereIsOne) {
  EXPECT_EQ(conversion("mm", "m"), 1e-3);
  EXPECT_EQ(conversion("kN", "N"), 1e3);
  EXPECT_EQ(conversion("N", "kg m/s^2"), 1.0);
}

TEST(UnitConversion, EqualLabelsFitWhateverTheyMean) {
  EXPECT_EQ(conversion("ticks of the gauge", "ticks of the gauge"), 1.0);
}

TEST(UnitConversion, UnitsOfAnotherKindDoNotFit) {
  EXPECT_FALSE(conversion("m", "N").has_value());
  EXPECT_FALSE(conversion("ticks of the gauge", "m").has_value());
}

// 0 degC is 273.15 K: no factor turns one into the other.
TEST(UnitConversion, ScalesWithAnotherZeroDoNotFit) {
  EXPECT_FALSE(conversion("degC", "K").has_value());
  EXPECT_FALSE(conversion("K", "degC").has_value());
}

}  // namespace unit_conversion_test
}  // namespace alembert::study
