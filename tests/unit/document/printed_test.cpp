#include "alembert/document/printed.hpp"

#include <gtest/gtest.h>

#include "alembert/core/error.hpp"
#include "alembert/document/claims.hpp"

namespace alembert::document {
namespace printed_test {

// A number agrees with a printed one if it rounds to it: half a unit of the last digit, zeros at
// the end included.
TEST(AsPrinted, AllowsHalfAUnitOfTheLastDigit) {
  for (const char* printed : {"0.0094", "4.87", "2.0", "14", "-0.90", "1.86e-6", "1E3"}) {
    EXPECT_TRUE(meets(std::stod(printed), as_printed(printed))) << printed;
  }
  EXPECT_TRUE(meets(4.8749, as_printed("4.87")));
  EXPECT_FALSE(meets(4.8751, as_printed("4.87")));
  EXPECT_TRUE(meets(1.96, as_printed("2.0")));
  EXPECT_FALSE(meets(1.94, as_printed("2.0")));
  EXPECT_TRUE(meets(14.4, as_printed("14")));
  EXPECT_FALSE(meets(14.6, as_printed("14")));
  EXPECT_TRUE(meets(1.8649e-6, as_printed("1.86e-6")));
  EXPECT_FALSE(meets(1.8651e-6, as_printed("1.86e-6")));
  EXPECT_TRUE(meets(1400.0, as_printed("1E3")));
  EXPECT_FALSE(meets(1600.0, as_printed("1E3")));
}

TEST(AsPrinted, RefusesWhatIsNoNumber) {
  for (const char* text : {"", "4.87 V", "about 3", "nan"}) {
    EXPECT_THROW((void)as_printed(text), InvalidInput) << text;
  }
}

}  // namespace printed_test
}  // namespace alembert::document
