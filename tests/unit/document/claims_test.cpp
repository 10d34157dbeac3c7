#include "alembert/document/claims.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "alembert/core/error.hpp"

namespace alembert::document {
namespace claims_test {

TEST(Meets, EachRuleAtItsEdge) {
  EXPECT_TRUE(meets(1.2, "<= 1.2"));
  EXPECT_FALSE(meets(1.2, "< 1.2"));
  EXPECT_TRUE(meets(3.0, ">= 3"));
  EXPECT_FALSE(meets(3.0, ">3"));
  EXPECT_TRUE(meets(0.0, "== 0"));
  EXPECT_FALSE(meets(1e-300, "== 0"));
  EXPECT_TRUE(meets(3.9, "3.9 .. 4.1"));
  EXPECT_TRUE(meets(4.1, " 3.9..4.1 "));
  EXPECT_FALSE(meets(4.2, "3.9 .. 4.1"));
  EXPECT_TRUE(meets(1.5, "2 +- 0.5"));
  EXPECT_FALSE(meets(2.75, "2 +- 0.5"));
  EXPECT_TRUE(meets(-2.0, "<= -1e-3"));
}

TEST(Meets, NotANumberKeepsNoRule) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const char* rule : {"<= 1", "< 1", ">= 1", "> 1", "== 1", "0 .. 1", "0 +- 1"}) {
    EXPECT_FALSE(meets(nan, rule)) << rule;
  }
}

TEST(Meets, RefusesWhatIsNoRule) {
  for (const char* rule : {"", "1.2", "<= ", "<= one", "1 ..", "~ 3", "<= 1 Hz", "<= nan"}) {
    EXPECT_THROW((void)meets(1.0, rule), InvalidInput) << rule;
  }
}

TEST(MakeClaim, SetsOkByItsOwnRule) {
  const Claim good = make_claim("order", 2.01, "", "2 +- 0.1", 2.0);
  EXPECT_TRUE(good.ok);
  EXPECT_EQ(good.published, 2.0);
  const Claim bad = make_claim("error", 0.5, "m", "<= 0.1");
  EXPECT_FALSE(bad.ok);
  EXPECT_EQ(bad.published, std::nullopt);
  EXPECT_TRUE(all_ok({good}));
  EXPECT_FALSE(all_ok({good, bad}));
}

}  // namespace claims_test
}  // namespace alembert::document
