#include "alembert/core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "alembert/core/error.hpp"
#include "support/message_of.hpp"

namespace alembert {
namespace parallel_test {

TEST(ParallelFor, CallsEachIndexExactlyOnce) {
  for (const int threads : {1, 2, 7}) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
      std::vector<std::atomic<int>> calls(count);
      const std::size_t done =
          parallel_for(count, [&](std::size_t i) { ++calls[i]; }, {.threads = threads});
      EXPECT_EQ(done, count);
      for (const std::atomic<int>& call : calls) {
        EXPECT_EQ(call.load(), 1);
      }
    }
  }
}

TEST(ParallelFor, ReportsProgressOneByOne) {
  std::vector<std::size_t> seen;
  parallel_for(20, [](std::size_t) {},
               {.threads = 4, .on_progress = [&](std::size_t done, std::size_t total) {
                  seen.push_back(done);
                  EXPECT_EQ(total, 20U);
                }});
  ASSERT_EQ(seen.size(), 20U);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i], i + 1);
  }
}

TEST(ParallelFor, RethrowsAndStartsNoMore) {
  std::atomic<int> calls = 0;
  EXPECT_THROW(parallel_for(100000,
                            [&](std::size_t i) {
                              ++calls;
                              if (i == 3) {
                                throw InvalidInput({.function = "work", .rule = "run 3"});
                              }
                            },
                            {.threads = 1}),
               InvalidInput);
  EXPECT_EQ(calls.load(), 4);
}

// All runs begin before the first one fails; whichever fails first, the smallest index counts.
TEST(ParallelFor, RethrowsTheErrorOfTheSmallestIndex) {
  constexpr int kThreads = 4;
  for (const bool last_first : {true, false}) {
    std::atomic<int> begun = 0;
    const auto run = [&](std::size_t i) {
      ++begun;
      while (begun.load() < kThreads) {
        std::this_thread::yield();
      }
      // Index 0 succeeds. The others fail apart, in falling or rising order.
      const auto place = static_cast<int>(last_first ? kThreads - i : i);
      std::this_thread::sleep_for(std::chrono::milliseconds(10 * place));
      if (i > 0) {
        throw InvalidInput({.function = "work", .rule = "run " + std::to_string(i)});
      }
    };
    EXPECT_EQ(test::message_of([&] { parallel_for(kThreads, run, {.threads = kThreads}); }),
              "work: run 1")
        << last_first;
  }
}

TEST(ParallelFor, StopsOnRequestAndSaysHowFarItCame) {
  StopFlag stop;
  const std::size_t done = parallel_for(1000,
                                        [&](std::size_t i) {
                                          if (i == 9) {
                                            stop.request();
                                          }
                                        },
                                        {.threads = 1, .stop = &stop});
  EXPECT_EQ(done, 10U);
}

TEST(ThreadCount, ZeroMeansAllCoresAndNegativeIsRefused) {
  EXPECT_GE(thread_count(0), 1);
  EXPECT_EQ(thread_count(3), 3);
  EXPECT_THROW((void)thread_count(-1), InvalidInput);
}

}  // namespace parallel_test
}  // namespace alembert
