#include "alembert/core/verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/core/not_a_number.hpp"

namespace alembert {
namespace verdict_test {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Verdict, IsGoodWhereNothingSpeaksAgainst) {
  Evidence evidence;
  evidence.add(TrustLevel::Good, "all is well", "go on");
  evidence.add(Outcome{});
  const Verdict verdict = evidence.verdict();
  EXPECT_EQ(verdict.level, TrustLevel::Good);
  EXPECT_THAT(verdict.reasons, IsEmpty());
  EXPECT_THAT(verdict.advice, IsEmpty());
}

TEST(Verdict, HasTheWorstLevelAndNamesTheWorstFirst) {
  Evidence evidence;
  evidence.add(TrustLevel::Caution, "coloured residuals", "record longer");
  evidence.add(TrustLevel::Bad, "negative fit", "check the sign");
  evidence.add(TrustLevel::Caution, "mode near Nyquist", "record longer");
  const Verdict verdict = evidence.verdict();
  EXPECT_EQ(verdict.level, TrustLevel::Bad);
  EXPECT_THAT(verdict.reasons,
              ElementsAre("negative fit", "coloured residuals", "mode near Nyquist"));
  EXPECT_THAT(verdict.advice, ElementsAre("check the sign", "record longer"));
}

TEST(Verdict, OfAFailureIsBadWithItsMessage) {
  Evidence evidence;
  evidence.add(Outcome{Status::NotConverged, "200 iterations were not enough"});
  evidence.add(Outcome{Status::NotFinite, ""});
  const Verdict verdict = evidence.verdict();
  EXPECT_EQ(verdict.level, TrustLevel::Bad);
  EXPECT_THAT(verdict.reasons, ElementsAre("200 iterations were not enough", "not-finite"));
}

TEST(Verdict, LevelOfAFigureChangesAtItsLimits) {
  EXPECT_EQ(level_above(0.99, 1.0, 2.0), TrustLevel::Good);
  EXPECT_EQ(level_above(1.0, 1.0, 2.0), TrustLevel::Caution);
  EXPECT_EQ(level_above(2.0, 1.0, 2.0), TrustLevel::Bad);
  EXPECT_EQ(level_above(kNaN, 1.0, 2.0), TrustLevel::Good);
}

}  // namespace verdict_test
}  // namespace alembert
