#include "alembert/signal/record.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <utility>

#include "support/allocations.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace record_test {

using alembert::signal::Channel;
using alembert::signal::Gap;
using alembert::signal::Record;
using alembert::signal::TimeAxis;
using alembert::test::kEps;
using alembert::test::matrices_near;
using alembert::test::message_of;
using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

Eigen::VectorXd vector(std::initializer_list<double> values) {
  return Eigen::Map<const Eigen::VectorXd>(values.begin(),
                                           static_cast<Eigen::Index>(values.size()));
}

Record three_channels() {
  Eigen::MatrixXd samples(4, 3);
  samples << 1, 10, 100,  //
      2, kNaN, 200,       //
      3, 30, kNaN,        //
      4, kNaN, 400;
  return {TimeAxis::uniform(4, 0.5, 2.0),
          {{.name = "force", .unit = "N"}, {.name = "acc_1", .unit = "m/s^2"}, {.name = "acc_2"}},
          samples,
          "hammer"};
}

TEST(TimeAxis, UniformTimesFollowTheFormula) {
  const TimeAxis axis = TimeAxis::uniform(1001, 0.1, -3.0);
  EXPECT_TRUE(axis.is_uniform());
  EXPECT_EQ(axis.size(), 1001);
  EXPECT_EQ(axis.step(), 0.1);
  EXPECT_EQ(axis.start(), -3.0);
  EXPECT_EQ(axis.common_step(), 0.1);
  EXPECT_EQ(axis.median_step(), 0.1);
  // start + k step: two roundings, no accumulation along the record.
  EXPECT_NEAR(axis[1000], 97.0, 2 * kEps * 100.0);
  EXPECT_EQ(axis.times()[1000], axis[1000]);
}

TEST(TimeAxis, GivenTimesAreKept) {
  const Eigen::VectorXd times = vector({-1.0, 0.5, 0.75, 3.0});
  const TimeAxis axis = TimeAxis::given(times);
  EXPECT_FALSE(axis.is_uniform());
  EXPECT_EQ(axis.size(), 4);
  EXPECT_EQ(axis.start(), -1.0);
  EXPECT_EQ(axis[2], 0.75);
  EXPECT_EQ(axis.times(), times);
  EXPECT_EQ(axis.median_step(), 1.5);
  EXPECT_FALSE(axis.common_step());
  EXPECT_THAT(message_of([&] { (void)axis.step(); }), HasSubstr("TimeAxis::step"));
}

TEST(TimeAxis, GivenTimesAreTakenOverWithoutACopy) {
  if (!alembert::test::counts_allocations()) {
    GTEST_SKIP() << "allocations are not counted in this build";
  }
  Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(1000, 0.0, 1.0);
  const std::size_t before = alembert::test::allocation_count();
  const TimeAxis axis = TimeAxis::given(std::move(times));
  EXPECT_EQ(alembert::test::allocation_count() - before, 0U);
  EXPECT_EQ(axis.size(), 1000);
}

TEST(TimeAxis, CommonStepToleratesRoundedDecimals) {
  // Times at 3 kHz written with 6 decimals are off by up to 0.5e-6 s = 1.5e-3 steps. The default
  // refuses that; the readers make a uniform axis of it (csv_test).
  Eigen::VectorXd times(3000);
  for (Eigen::Index k = 0; k < times.size(); ++k) {
    times[k] = std::round(static_cast<double>(k) / 3000.0 * 1e6) / 1e6;
  }
  const TimeAxis axis = TimeAxis::given(times);
  // The rounding of both ends moves the mean step by at most 1e-6 s over 2999 steps, and all times
  // by at most as much as their own rounding once more: u/h = 3e-3 in all, as documented.
  ASSERT_TRUE(axis.common_step(3e-3));
  EXPECT_NEAR(*axis.common_step(3e-3), 1.0 / 3000.0, 1e-6 / 2999.0);
  EXPECT_FALSE(axis.common_step());
  EXPECT_FALSE(axis.common_step(1e-4));
}

TEST(TimeAxis, CommonStepSeesASlowDrift) {
  // Each step is within 1e-5 of its neighbour, but the sum of the deviations is not small.
  Eigen::VectorXd times(1001);
  for (Eigen::Index k = 0; k < times.size(); ++k) {
    const double s = static_cast<double>(k);
    times[k] = s + 1e-5 * s * s;
  }
  EXPECT_FALSE(TimeAxis::given(times).common_step());
}

TEST(TimeAxis, ShortAxes) {
  const TimeAxis empty;
  EXPECT_EQ(empty.size(), 0);
  EXPECT_TRUE(empty.is_uniform());
  EXPECT_EQ(empty.median_step(), 0.0);
  EXPECT_EQ(empty.times().size(), 0);
  EXPECT_EQ(TimeAxis::given(Eigen::VectorXd()).size(), 0);
  const TimeAxis one = TimeAxis::given(vector({7.0}));
  EXPECT_EQ(one.start(), 7.0);
  EXPECT_EQ(one.median_step(), 0.0);
  EXPECT_FALSE(one.common_step());
}

TEST(TimeAxis, MedianOfAnEvenCountIsTheLowerOne) {
  EXPECT_EQ(TimeAxis::given(vector({0.0, 1.0, 5.0})).median_step(), 1.0);
  EXPECT_EQ(TimeAxis::given(vector({0.0, 4.0, 5.0})).median_step(), 1.0);
}

TEST(TimeAxis, SliceKeepsTheTimes) {
  const TimeAxis uniform = TimeAxis::uniform(10, 0.25, 1.0).slice(4, 3);
  EXPECT_TRUE(uniform.is_uniform());
  EXPECT_EQ(uniform.times(), vector({2.0, 2.25, 2.5}));
  const TimeAxis given = TimeAxis::given(vector({0.0, 1.0, 3.0, 4.0})).slice(1, 2);
  EXPECT_EQ(given.times(), vector({1.0, 3.0}));
  EXPECT_EQ(TimeAxis::uniform(10, 0.25).slice(10, 0).size(), 0);
}

TEST(TimeAxis, RejectsBadInput) {
  EXPECT_THAT(message_of([] { (void)TimeAxis::uniform(3, 0.0); }),
              HasSubstr("TimeAxis::uniform: step must be positive, got 0"));
  EXPECT_THAT(message_of([] { (void)TimeAxis::uniform(3, kNaN); }), HasSubstr("step"));
  EXPECT_THAT(message_of([] { (void)TimeAxis::uniform(3, 1.0, kInf); }), HasSubstr("start"));
  EXPECT_THAT(message_of([] { (void)TimeAxis::uniform(-1, 1.0); }), HasSubstr("samples"));
  EXPECT_THAT(message_of([] {
                (void)TimeAxis::given(vector({0.0, 1.0, kNaN, 3.0}));
              }),
              HasSubstr("TimeAxis::given: times must be finite, got nan at sample 3"));
  EXPECT_THAT(message_of([] {
                (void)TimeAxis::given(vector({0.0, 1.0, 1.0}));
              }),
              HasSubstr("times must increase, got 1 after 1 at sample 3"));
  EXPECT_THAT(message_of([] {
                (void)TimeAxis::given(vector({0.0, 2.0, 1.5}));
              }),
              HasSubstr("got 1.5 after 2 at sample 3"));
  EXPECT_THAT(message_of([] { (void)TimeAxis::uniform(3, 1.0).common_step(-1.0); }),
              HasSubstr("tolerance"));
}

TEST(Record, KeepsWhatItIsGiven) {
  const Record record = three_channels();
  EXPECT_EQ(record.title(), "hammer");
  EXPECT_EQ(record.size(), 4);
  EXPECT_EQ(record.channel_count(), 3);
  EXPECT_EQ(record.channels()[1], (Channel{.name = "acc_1", .unit = "m/s^2"}));
  EXPECT_EQ(record.time().start(), 2.0);
  EXPECT_EQ(record.find("acc_2"), 2);
  EXPECT_FALSE(record.find("acc"));
  EXPECT_EQ(record.values("force"), vector({1, 2, 3, 4}));
}

TEST(Record, TakesSamplesOverWithoutACopy) {
  Eigen::MatrixXd samples = Eigen::MatrixXd::Zero(100, 2);
  const double* const place = samples.data();
  Record record(TimeAxis::uniform(100, 1.0), {{.name = "a"}, {.name = "b"}}, std::move(samples));
  EXPECT_EQ(record.samples().data(), place);
  EXPECT_EQ(record.values("b").data(), place + 100);
  Record moved = std::move(record);
  EXPECT_EQ(moved.samples().data(), place);
  const Eigen::MatrixXd released = std::move(moved).release_samples();
  EXPECT_EQ(released.data(), place);
}

TEST(Record, ReleaseLeavesAnEmptyRecord) {
  Record record = three_channels();
  EXPECT_EQ(std::move(record).release_samples().rows(), 4);
  EXPECT_EQ(record.size(), 0);  // NOLINT(bugprone-use-after-move): the documented state
  EXPECT_TRUE(record.channels().empty());
  EXPECT_EQ(record.time().size(), 0);
}

TEST(Record, SelectTakesChannelsInTheGivenOrder) {
  const Record two = three_channels().select({"acc_2", "force"});
  ASSERT_EQ(two.channel_count(), 2);
  EXPECT_EQ(two.channels()[0].name, "acc_2");
  EXPECT_EQ(two.channels()[1].unit, "N");
  EXPECT_EQ(two.values("force"), vector({1, 2, 3, 4}));
  EXPECT_EQ(two.samples()(3, 0), 400.0);
  EXPECT_EQ(two.title(), "hammer");
  EXPECT_EQ(two.time().start(), 2.0);
  EXPECT_EQ(three_channels().select({}).channel_count(), 0);
}

TEST(Record, SliceTakesSamples) {
  const Record part = three_channels().slice(2, 2);
  EXPECT_EQ(part.size(), 2);
  EXPECT_EQ(part.time().start(), 3.0);
  EXPECT_EQ(part.values("force"), vector({3, 4}));
  EXPECT_EQ(part.channels(), three_channels().channels());
  EXPECT_EQ(three_channels().slice(0, 0).size(), 0);
}

TEST(Record, CountsMissingSamples) {
  const Record record = three_channels();
  EXPECT_EQ(record.missing(0), 0);
  EXPECT_EQ(record.missing(1), 2);
  EXPECT_EQ(record.missing(2), 1);
  EXPECT_TRUE(record.has_missing());
  EXPECT_FALSE(record.select({"force"}).has_missing());
  EXPECT_THAT(message_of([&] { (void)record.missing(3); }),
              HasSubstr("Record::missing: channel must be in [0, 3), got 3"));
}

TEST(Record, FindsGapsAboveOneAndAHalfMedianSteps) {
  // Distances 1, 1.5, 1, 4, 1, 1.6: the median is 1.
  const Record record(TimeAxis::given(vector({0.0, 1.0, 2.5, 3.5, 7.5, 8.5, 10.1})),
                      {{.name = "a"}}, Eigen::MatrixXd::Zero(7, 1));
  const std::vector<Gap> gaps = record.gaps();
  ASSERT_EQ(gaps.size(), 2U);
  EXPECT_EQ(gaps[0].after, 3);
  EXPECT_EQ(gaps[0].begin, 3.5);
  EXPECT_EQ(gaps[0].end, 7.5);
  EXPECT_EQ(gaps[1].after, 5);
  EXPECT_TRUE(three_channels().gaps().empty());
  EXPECT_TRUE(Record().gaps().empty());
}

TEST(Record, RejectsBadInput) {
  const TimeAxis axis = TimeAxis::uniform(2, 1.0);
  const auto make = [&](std::vector<Channel> channels, Eigen::Index rows, Eigen::Index columns) {
    return message_of([&] { Record(axis, channels, Eigen::MatrixXd::Zero(rows, columns)); });
  };
  EXPECT_THAT(make({{.name = "a"}}, 3, 1), HasSubstr("Record: rows of samples"));
  EXPECT_THAT(make({{.name = "a"}}, 2, 2), HasSubstr("Record: columns of samples"));
  EXPECT_THAT(make({{.name = "a"}, {.name = ""}}, 2, 2), HasSubstr("for channel 2"));
  EXPECT_THAT(make({{.name = "a"}, {.name = "b"}, {.name = "a"}}, 2, 3),
              HasSubstr("got 'a' for channels 1 and 3"));
  EXPECT_THAT(message_of([] { (void)three_channels().slice(3, 2); }), HasSubstr("count = 2"));
  EXPECT_THAT(message_of([] { (void)three_channels().slice(-1, 2); }), HasSubstr("first = -1"));
}

TEST(Record, UnknownChannelNamesTheNearest) {
  const Record record = three_channels();
  EXPECT_THAT(message_of([&] { (void)record.values("acc_3"); }), HasSubstr("Record::values"));
  EXPECT_THAT(message_of([&] { (void)record.values("forse"); }),
              HasSubstr("got 'forse' (did you mean 'force'?)"));
  EXPECT_THAT(message_of([&] {
                (void)record.select({"force", "temperature"});
              }),
              HasSubstr("got 'temperature' (known: force, acc_1, acc_2)"));
  EXPECT_THAT(message_of([] { (void)Record().values("x"); }), HasSubstr("no channels"));
  std::vector<Channel> many;
  for (int c = 0; c < 64; ++c) {
    many.push_back({.name = "channel number " + std::to_string(c)});
  }
  const Record wide(TimeAxis::uniform(1, 1.0), many, Eigen::MatrixXd::Zero(1, 64));
  EXPECT_THAT(message_of([&] { (void)wide.values("x"); }), testing::EndsWith("number 7, ...)"));
}

}  // namespace record_test
