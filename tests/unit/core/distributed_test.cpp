#include "alembert/core/distributed.hpp"

#include <gtest/gtest.h>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"

// The behaviour under mpirun is tested by tests/cli/deterministic_test.py; here the process is
// alone.
namespace alembert {
namespace distributed_test {

Eigen::MatrixXd draw(std::size_t run) {
  RandomStream random(11, run);
  return random.normal_vector(static_cast<Eigen::Index>(run % 5));
}

TEST(DistributedMap, GivesTheSameBitsForAnyNumberOfThreads) {
  const Machines machines;
  EXPECT_EQ(machines.size(), 1);
  EXPECT_TRUE(machines.is_first());
  const auto one = distributed_map(machines, 37, draw, {.threads = 1});
  const auto four = distributed_map(machines, 37, draw, {.threads = 4});
  ASSERT_EQ(one.size(), 37U);
  ASSERT_EQ(four.size(), 37U);
  for (std::size_t i = 0; i < one.size(); ++i) {
    ASSERT_TRUE(one[i] && four[i]);
    EXPECT_EQ(*one[i], *four[i]) << i;
    EXPECT_EQ(one[i]->rows(), static_cast<Eigen::Index>(i % 5));
  }
}

TEST(DistributedMap, LeavesWhatAStopPreventedEmpty) {
  const Machines machines;
  StopFlag stop;
  const auto results = distributed_map(machines, 6,
                                       [&](std::size_t i) {
                                         if (i == 2) {
                                           stop.request();
                                         }
                                         return draw(i);
                                       },
                                       {.threads = 1, .stop = &stop});
  ASSERT_EQ(results.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(results[i].has_value(), i <= 2) << i;
  }
}

TEST(DistributedMap, RethrowsAnErrorOfARun) {
  const Machines machines;
  EXPECT_THROW(
      (void)distributed_map(machines, 3,
                            [](std::size_t) -> Eigen::MatrixXd {
                              throw InvalidInput({.function = "work", .rule = "no such run"});
                            }),
      InvalidInput);
}

}  // namespace distributed_test
}  // namespace alembert
