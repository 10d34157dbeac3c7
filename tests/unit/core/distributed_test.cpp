#include "alembert/core/distributed.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <optional>

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

// Three processes one after the other: what the others send waits for the first one.
class Pretended : public Machines {
 public:
  using Mail = std::map<int, std::deque<std::optional<Eigen::MatrixXd>>>;

  Pretended(int rank, Mail& mail) : mail_(mail) { set_place(rank, 3); }
  void send_to_first(const std::optional<Eigen::MatrixXd>& result) const override {
    mail_[rank()].push_back(result);
  }
  [[nodiscard]] std::optional<Eigen::MatrixXd> receive_from(int rank) const override {
    std::optional<Eigen::MatrixXd> result = mail_[rank].front();
    mail_[rank].pop_front();
    return result;
  }

 private:
  Mail& mail_;
};

TEST(DistributedMap, CollectsTheRunsOfAllMachinesInTheirOrder) {
  Pretended::Mail mail;
  for (const int rank : {1, 2}) {
    EXPECT_TRUE(distributed_map(Pretended(rank, mail), 8, draw).empty());
  }
  const auto results = distributed_map(Pretended(0, mail), 8, draw);
  ASSERT_EQ(results.size(), 8U);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(results[i], draw(i)) << i;
}

}  // namespace distributed_test
}  // namespace alembert
