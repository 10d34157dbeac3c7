#include "alembert/estimate/smoother.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/estimate/delayed.hpp"
#include "linear_models.hpp"
#include "support/allocations.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::estimate::smoother_test {

using test::kEps;
using test::matrices_near;
using namespace test_models;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kAny = Eigen::Dynamic;
using Model = Linear<double, kAny, kAny>;

/// Rounding of the inverses of the oracle, whose information matrix has a condition of about 1e4.
constexpr double kRounding = 1e5 * kEps;

/// The first steps of a case.
LinearCase truncated(LinearCase data, std::size_t steps) {
  data.z.resize(steps);
  data.u.resize(steps);
  return data;
}

// The least-squares solution of the whole record, with outputs missing at other times for each (as
// of sensors of different rates).
TEST(SmootherTest, RauchTungStriebelIsTheBatchSolution) {
  for (const int n : {1, 3}) {
    const LinearCase data(n, (n + 1) / 2, 15, static_cast<std::uint64_t>(31 * n), 0.3);
    const std::vector<Gaussian> expected = batch(data);
    for_each_filter(
        data.model<double, kAny, kAny>(), data.x0, data.P0,
        [&](const std::string& name, auto filter) {
          using Filter = decltype(filter);
          const auto q = Filter::ProcessNoise::from_covariance(data.Q);
          const auto r = Filter::OutputNoise::from_covariance(data.R);
          std::vector<typename Filter::Kernel> kernels(data.z.size(), typename Filter::Kernel(n));
          for (std::size_t k = 0; k < data.z.size(); ++k) {
            ASSERT_EQ(filter.predict(data.u[k], q, kernels[k]), Status::Success);
            ASSERT_EQ(filter.update(data.u[k], data.z[k], r).status, Status::Success);
          }
          const auto smoothed = smooth(filter, std::span<const typename Filter::Kernel>(kernels));
          ASSERT_EQ(smoothed.size(), expected.size());
          for (std::size_t k = 0; k < smoothed.size(); ++k) {
            EXPECT_TRUE(matrices_near(smoothed[k].mean, expected[k].mean, {.rel = kRounding}))
                << name << k;
            EXPECT_TRUE(matrices_near(covariance_of<Filter::kForm>(smoothed[k]),
                                      expected[k].covariance, {.rel = kRounding}))
                << name << k;
          }
        });
  }
}

// After step k the estimate of step k - lag, given the data up to k: a batch solution of those.
TEST(SmootherTest, FixedLagIsTheSmootherOfTheDataSoFar) {
  const LinearCase data(3, 2, 12, 17, 0.2);
  constexpr int kLag = 4;
  std::vector<Gaussian> expected;
  for (std::size_t k = 1; k <= data.z.size(); ++k) {
    expected.push_back(batch(truncated(data, k))[k > kLag ? k - kLag : 0]);
  }
  for_each_filter(
      data.model<double, kAny, kAny>(), data.x0, data.P0,
      [&](const std::string& name, auto filter) {
        using Filter = decltype(filter);
        const auto q = Filter::ProcessNoise::from_covariance(data.Q);
        const auto r = Filter::OutputNoise::from_covariance(data.R);
        FixedLagSmoother<Filter> smoother(filter, kLag);
        for (std::size_t k = 0; k < data.z.size(); ++k) {
          const std::size_t before = test::allocation_count();
          const Status status = filter.predict(data.u[k], q, smoother.next_kernel());
          const UpdateReport report = filter.update(data.u[k], data.z[k], r);
          const auto& estimate = smoother.estimate(filter);
          EXPECT_EQ(test::allocation_count(), before) << name;
          ASSERT_EQ(status, Status::Success);
          ASSERT_EQ(report.status, Status::Success);
          EXPECT_EQ(smoother.reach(), std::min<int>(static_cast<int>(k) + 1, kLag));
          EXPECT_TRUE(matrices_near(estimate.mean, expected[k].mean, {.rel = kRounding}))
              << name << k;
          EXPECT_TRUE(matrices_near(covariance_of<Filter::kForm>(estimate), expected[k].covariance,
                                    {.rel = kRounding}))
              << name << k;
        }
      });
}

// The second output comes three steps late; in the end all is as if it had come in time.
TEST(DelayedFilterTest, EqualsMeasurementsInTheirOrder) {
  const LinearCase data(3, 2, 20, 23, 0.1);
  const std::vector<Gaussian> expected = kalman(data);
  constexpr std::size_t kDelay = 3;
  for_each_filter(
      data.model<double, kAny, kAny>(), data.x0, data.P0,
      [&](const std::string& name, const auto& filter) {
        using Filter = std::decay_t<decltype(filter)>;
        const auto q = Filter::ProcessNoise::from_covariance(data.Q);
        const auto r = Filter::OutputNoise::from_covariance(data.R);
        DelayedFilter<Filter> delayed(filter, 5, 0.0, q, r);
        VectorXd now(2), late = VectorXd::Constant(2, kMissing);
        for (std::size_t k = 0; k < data.z.size() + kDelay; ++k) {
          const std::size_t before = test::allocation_count();
          if (k < data.z.size()) {
            now(0) = data.z[k](0);
            now(1) = kMissing;
            ASSERT_EQ(delayed.step(data.u[k], q, now, r).status, Status::Success);
          }
          if (k >= kDelay) {
            late(1) = data.z[k - kDelay](1);
            ASSERT_EQ(delayed.insert(static_cast<long>(k - kDelay), late).status, Status::Success);
          }
          EXPECT_EQ(test::allocation_count(), before) << name;
        }
        EXPECT_TRUE(
            matrices_near(delayed.filter().mean(), expected.back().mean, {.rel = kRounding}))
            << name;
        EXPECT_TRUE(matrices_near(delayed.filter().covariance(), expected.back().covariance,
                                  {.rel = kRounding}))
            << name;
      });
}

TEST(DelayedFilterTest, TooOldOrUnknownStepsAreRefused) {
  const LinearCase data(2, 1, 8, 23);
  const Ekf<Model> filter(data.model<double, kAny, kAny>(), data.x0, data.P0);
  const auto q = Noise<double, kAny>::from_covariance(data.Q);
  const auto r = Noise<double, kAny>::from_covariance(data.R);
  DelayedFilter<Ekf<Model>> delayed(filter, 3, 0.0, q, r);
  for (std::size_t k = 0; k < data.z.size(); ++k) (void)delayed.step(0.0, q, data.z[k], r);
  const VectorXd mean = delayed.filter().mean();
  EXPECT_EQ(delayed.oldest(), 5);
  EXPECT_EQ(delayed.insert(4, data.z[0]).status, Status::Stopped);
  EXPECT_EQ(delayed.insert(8, data.z[0]).status, Status::Stopped);
  EXPECT_EQ(delayed.insert(-1, data.z[0]).status, Status::Stopped);
  EXPECT_EQ(delayed.filter().mean(), mean);
  EXPECT_EQ(delayed.insert(5, data.z[0]).status, Status::Success);
  EXPECT_THAT(test::message_of([&] { DelayedFilter<Ekf<Model>>(filter, 0, 0.0, q, r); }),
              testing::HasSubstr("depth"));
  EXPECT_THAT(test::message_of([&] { FixedLagSmoother<Ekf<Model>>(filter, 0); }),
              testing::HasSubstr("lag"));
}

}  // namespace alembert::estimate::smoother_test
