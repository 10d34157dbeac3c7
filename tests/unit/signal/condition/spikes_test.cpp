#include "alembert/signal/spikes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "alembert/core/random.hpp"
#include "alembert/signal/condition.hpp"

namespace alembert::signal {
namespace spikes_test {

using Eigen::Index;
using Eigen::VectorXd;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

VectorXd wave(Index samples) { return VectorXd::LinSpaced(samples, 0.0, 60.0).array().sin() + 0.3; }

TEST(FindSpikes, FindsErrorCodesAmongOthers) {
  VectorXd values = wave(5000);
  EXPECT_THAT(find_spikes(values), IsEmpty());
  values(700) = 999.0;
  EXPECT_THAT(find_spikes(values), ElementsAre(700));
  values(0) = -32768.0;  // far beyond the other spike too
  values(2000) = values(2001) = 999.0;
  EXPECT_THAT(find_spikes(values), ElementsAre(0, 700, 2000, 2001));
  values(10) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(find_spikes(values), ElementsAre(0, 700, 2000, 2001));
}

// Five spikes among 4000 samples are more than one in a thousand.
TEST(FindSpikes, ManyFarSamplesAreNoSpikes) {
  VectorXd values = wave(4000);
  for (Index k = 0; k < 5; ++k) values(100 + 500 * k) = 999.0;
  EXPECT_THAT(find_spikes(values), IsEmpty());
}

// The distances from the median are 1 at most, so that 20 is the limit.
TEST(FindSpikes, TwentyTimesAsFarIsTheLimit) {
  for (const double far : {19.0, 21.0}) {
    VectorXd values(101);
    for (Index k = 0; k < values.size(); ++k) values(k) = static_cast<double>(k % 3) - 1.0;
    values(50) = far;
    EXPECT_EQ(find_spikes(values).size(), far > 20.0 ? 1 : 0) << far;
  }
}

TEST(FindSpikes, PulsesAndNoiseAreNoSpikes) {
  RandomStream random(4);
  VectorXd hammer(5000);
  for (double& value : hammer) value = 0.01 * random.normal();
  for (Index k = 0; k < 4; ++k)
    hammer(1000 + k) = 500.0 * std::sin(0.2 * std::numbers::pi * static_cast<double>(k + 1));
  EXPECT_THAT(find_spikes(hammer), IsEmpty());
  VectorXd impulse = VectorXd::Zero(5000);
  impulse(3) = 1.0;
  EXPECT_THAT(find_spikes(impulse), IsEmpty());
  VectorXd noise(100000);
  for (double& value : noise) value = random.normal();
  EXPECT_THAT(find_spikes(noise), IsEmpty());
  EXPECT_THAT(find_spikes(VectorXd::Constant(5, 1.0)), IsEmpty());
  EXPECT_THAT(find_spikes(VectorXd()), IsEmpty());
}

TEST(ConditionSpikes, AreBridgedOrTakenAsMissing) {
  VectorXd values(200);
  for (Index k = 0; k < values.size(); ++k) values(k) = std::sin(0.1 * static_cast<double>(k));
  const VectorXd sound = values;
  values(60) = 999.0;
  const Record record(TimeAxis::uniform(200, 0.5), {{"u", "V"}}, values);
  const Conditioned kept = condition(record, {});
  EXPECT_EQ(kept.record.samples()(60, 0), 999.0);
  const Conditioned bridged = condition(record, {.spikes = SpikeUse::Bridge});
  EXPECT_NEAR(bridged.record.samples()(60, 0), 0.5 * (sound(59) + sound(61)), 1e-15);  // rounding
  VectorXd rest = bridged.record.samples().col(0);
  rest(60) = sound(60);
  EXPECT_EQ(rest, sound);
  EXPECT_THAT(bridged.notes, ElementsAre(HasSubstr("u is 999 at 30 s, far beyond all others")));
  const Conditioned removed = condition(record, {.spikes = SpikeUse::Remove});
  EXPECT_TRUE(std::isnan(removed.record.samples()(60, 0)));
  EXPECT_THAT(removed.notes, ElementsAre(HasSubstr("taken as missing")));
}

TEST(ConditionSpikes, AtTheEndsTheNearestSampleIsTaken) {
  VectorXd values = VectorXd::LinSpaced(2000, 1.0, 2.0);
  values(0) = 999.0;
  values(1999) = -999.0;
  const Record record(TimeAxis::uniform(2000, 0.5), {{"u", "V"}}, values);
  VectorXd expected = VectorXd::LinSpaced(2000, 1.0, 2.0);
  const Conditioned one = condition(record, {.spikes = SpikeUse::Bridge});
  EXPECT_EQ(one.record.samples()(0, 0), expected(1));
  EXPECT_EQ(one.record.samples()(1999, 0), expected(1998));
}

// Times that jitter on both sides of a gap: a part of them is even.
TEST(ConditionGap, APartBesideAGapIsMadeEven) {
  VectorXd times(300);
  for (Index k = 0; k < 300; ++k)
    times(k) = 0.1 * static_cast<double>(k < 200 ? k : k + 50) + (k % 2 == 0 ? 0.0 : 0.01);
  const Record record(TimeAxis::given(times), {{"y", "m"}}, wave(300));
  const Conditioned part = condition(record, {.jitter = 0.2, .to = 19.95});
  EXPECT_EQ(part.record.size(), 200);
  EXPECT_TRUE(part.record.time().is_uniform());
}

}  // namespace spikes_test
}  // namespace alembert::signal
