#include "alembert/estimate/live_observer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "alembert/estimate/observe.hpp"
#include "slider_crank_record.hpp"
#include "support/allocations.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::estimate {
namespace live_observer_test {

using Eigen::Index;
using test::matrices_near;
using test::message_of;
using test::slider_crank_mechanism;
using test::slider_crank_record;
using test::SliderCrankRecord;

LiveOptions live_options() {
  LiveOptions options;
  options.output_noise.density = {1e4};
  return options;
}

std::vector<double> row_of(const SliderCrankRecord& record, Index k) {
  return {record.readings(k, 0), record.readings(k, 1)};
}

// Rows that were waited for have estimates too, and they are those of the record.
TEST(LiveObserver, GivesTheEstimatesOfTheRecord) {
  const SliderCrankRecord record = slider_crank_record(0.5, 7);
  ObserveOptions options;
  options.output_noise.density = {1e4};
  options.fit_density = false;
  // The live start knows the first 64 readings, as the record's.
  const ObserveResult whole =
      observe(slider_crank_mechanism(), record.time, record.readings, options);
  LiveObserver live(slider_crank_mechanism(), live_options());
  Index taken = 0;
  for (Index k = 0; k < record.time.size(); ++k) {
    live.push(record.time(k), row_of(record, k));
    EXPECT_EQ(live.started(), k >= 63);
    while (live.next()) {
      EXPECT_EQ(live.time(), record.time(taken));
      EXPECT_TRUE(matrices_near(live.observer().mean(), whole.estimate.mean.row(taken).transpose(),
                                {.rel = 1e-12}));
      ++taken;
    }
  }
  EXPECT_EQ(taken, record.time.size());
  EXPECT_EQ(static_cast<Index>(live.taken()), taken);
}

TEST(LiveObserver, StartsWithWhatThereIsAtTheEnd) {
  const SliderCrankRecord record = slider_crank_record(0.5, 7);
  LiveObserver live(slider_crank_mechanism(), live_options());
  for (Index k = 0; k < 20; ++k) live.push(record.time(k), row_of(record, k));
  EXPECT_FALSE(live.next());
  live.finish();
  EXPECT_TRUE(live.next());
  EXPECT_EQ(live.time(), record.time(0));
}

TEST(LiveObserver, RowsAllocateNothingOnceStarted) {
  const SliderCrankRecord record = slider_crank_record(0.5, 7);
  LiveObserver live(slider_crank_mechanism(), live_options());
  std::size_t before = 0;
  std::vector<double> row = row_of(record, 0);
  for (Index k = 0; k < record.time.size(); ++k) {
    row = {record.readings(k, 0), record.readings(k, 1)};
    if (k == 100) before = test::allocation_count();
    live.push(record.time(k), row);
    while (live.next()) {
    }
  }
  EXPECT_EQ(test::allocation_count(), before);
}

TEST(LiveObserver, SaysWhatIsWrong) {
  LiveOptions options = live_options();
  options.delays = {0.1};
  EXPECT_EQ(message_of([&] { LiveObserver(slider_crank_mechanism(), options); }),
            "LiveObserver: delays must have size 2, got 1");
  LiveObserver live(slider_crank_mechanism(), live_options());
  const std::vector<double> row(2, 0.0);
  live.push(1.0, row);
  EXPECT_EQ(message_of([&] { live.push(1.0, row); }),
            "LiveObserver: time must rise, got 1 after 1");
  EXPECT_EQ(message_of([&] { live.push(2.0, std::vector<double>(3, 0.0)); }),
            "LiveObserver: readings must have size 2, got 3");
}

}  // namespace live_observer_test
}  // namespace alembert::estimate
