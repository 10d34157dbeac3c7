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

// A comparison is reproduced or differs; neither is a failure.
TEST(Compared, IsReproducedWithinItsRuleAndElseDiffers) {
  const Claim good = compared({.name = "order",
                               .measured = 2.01,
                               .published = 2.0,
                               .target = "2 +- 0.1",
                               .source = "Paper2000, table 1",
                               .reason = "never shown"});
  EXPECT_EQ(good.state, ClaimState::Reproduced);
  EXPECT_TRUE(good.ok);
  EXPECT_EQ(good.reason, "");
  EXPECT_EQ(good.published, 2.0);
  const Claim far = compared({.name = "order",
                              .measured = 3.0,
                              .target = "2 +- 0.1",
                              .source = "Paper2000, table 1",
                              .reason = "another step"});
  EXPECT_EQ(far.state, ClaimState::Differs);
  EXPECT_TRUE(far.ok);
  EXPECT_EQ(far.reason, "another step");
  const Claim unexplained =
      compared({.name = "order", .measured = 3.0, .target = "2 +- 0.1", .source = "x"});
  EXPECT_EQ(unexplained.reason, "no reason is known");
}

TEST(Compared, ANumberThatIsNoneIsAFailure) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(compared({.name = "a", .measured = nan, .target = "<= 1", .source = "x"}).ok);
}

TEST(Promised, IsBrokenOutsideItsRule) {
  const Claim kept = promised({.name = "a", .measured = 1.0, .target = "<= 1", .source = "own"});
  const Claim broken = promised({.name = "b", .measured = 2.0, .target = "<= 1", .source = "own"});
  EXPECT_TRUE(kept.ok);
  EXPECT_FALSE(broken.ok);
  EXPECT_EQ(broken.state, ClaimState::Beyond);
  EXPECT_TRUE(all_ok({kept}));
  EXPECT_FALSE(all_ok({kept, broken}));
  EXPECT_EQ(count_state({kept, broken}, ClaimState::Beyond), 2);
  EXPECT_EQ(count_state({kept, broken}, ClaimState::Differs), 0);
}

TEST(Claims, NeedASource) {
  EXPECT_THROW((void)promised({.name = "a", .measured = 1.0, .target = "<= 1"}), InvalidInput);
  EXPECT_THROW((void)compared({.name = "a", .measured = 1.0, .target = "<= 1", .source = " "}),
               InvalidInput);
}

TEST(Within, GivesARuleAroundTheValue) {
  EXPECT_TRUE(meets(-1.1, within(-1.0, 0.11)));
  EXPECT_FALSE(meets(-1.2, within(-1.0, 0.1)));
  EXPECT_EQ(within(2.0, 0.05), "2 +- 0.1");
}

}  // namespace claims_test
}  // namespace alembert::document
