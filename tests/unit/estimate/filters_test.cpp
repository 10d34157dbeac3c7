// What every filter must do, whatever its rule and form.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linear_models.hpp"
#include "support/allocations.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::estimate::filters_test {

using test::kEps;
using test::matrices_near;
using test::message_of;
using namespace test_models;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kAny = Eigen::Dynamic;

/// Rounding of some tens of steps with conditions of about 1e3.
constexpr double kRounding = 1e4 * kEps;

template <typename Filter, typename Check>
void run(Filter filter, const LinearCase& data, const Check& check) {
  using Output = typename Filter::Output;
  using Scalar = typename Filter::Scalar;
  const auto q = Filter::ProcessNoise::from_covariance(data.Q.cast<Scalar>());
  const auto r = Filter::OutputNoise::from_covariance(data.R.cast<Scalar>());
  for (std::size_t k = 0; k < data.z.size(); ++k) {
    const auto u = static_cast<Scalar>(data.u[k]);
    ASSERT_EQ(filter.predict(u, q), Status::Success) << k;
    const Output z = data.z[k].cast<Scalar>();
    const UpdateReport report = filter.update(u, z, r);
    ASSERT_EQ(report.status, Status::Success) << k;
    check(k, filter, report);
  }
}

// For linear models all filters are the Kalman filter.
TEST(FiltersTest, LinearCaseIsTheKalmanFilter) {
  for (const auto& [n, m] : {std::pair(1, 1), std::pair(2, 1), std::pair(3, 2), std::pair(5, 3)}) {
    const LinearCase data(n, m, 30, static_cast<std::uint64_t>(10 * n + m));
    double expected_likelihood = 0.0;
    const std::vector<Gaussian> expected = kalman(data, &expected_likelihood);
    const auto model = data.model<double, kAny, kAny>();
    for_each_filter(model, data.x0, data.P0, [&](const std::string& name, const auto& filter) {
      double likelihood = 0.0;
      run(filter, data, [&](std::size_t k, const auto& now, const UpdateReport& report) {
        EXPECT_TRUE(matrices_near(now.mean(), expected[k].mean, {.rel = kRounding})) << name;
        EXPECT_TRUE(matrices_near(now.covariance(), expected[k].covariance, {.rel = kRounding}))
            << name;
        EXPECT_EQ(report.used, data.C.rows());
        likelihood += now.innovation().log_likelihood();
      });
      EXPECT_NEAR(likelihood, expected_likelihood, kRounding * std::abs(expected_likelihood))
          << name;
    });
  }
}

// Any output may be missing at any step.
TEST(FiltersTest, MissingOutputsAreLeftOut) {
  const LinearCase data(3, 2, 40, 7, 0.5);
  const std::vector<Gaussian> expected = kalman(data);
  const auto model = data.model<double, 3, 2>();
  for_each_filter(model, data.x0, data.P0, [&](const std::string& name, const auto& filter) {
    run(filter, data, [&](std::size_t k, const auto& now, const UpdateReport& report) {
      EXPECT_EQ(report.used, static_cast<int>(data.present(k).size()));
      EXPECT_TRUE(matrices_near(now.mean(), expected[k].mean, {.rel = kRounding})) << name << k;
      EXPECT_TRUE(matrices_near(now.covariance(), expected[k].covariance, {.rel = kRounding}))
          << name << k;
    });
  });
}

// Fixed and dynamic sizes, with constant and dynamic numbers of points, are the same code.
TEST(FiltersTest, FixedAndDynamicSizesAgree) {
  const LinearCase data(3, 2, 20, 11, 0.2);
  const auto fixed = data.model<double, 3, 2>();
  const auto dynamic = data.model<double, kAny, kAny>();
  std::vector<VectorXd> means;
  const auto keep = [&](std::size_t, const auto& now, const UpdateReport&) {
    means.emplace_back(now.mean());
  };
  const auto same = [&](std::size_t k, const auto& now, const UpdateReport&) {
    EXPECT_TRUE(matrices_near(now.mean(), means[k], {.rel = 100 * kEps}));
  };
  const SigmaPoints set = spherical_simplex(3);
  run(SigmaPointFilter<Linear<double, 3, 2>, 5>(fixed, data.x0, data.P0, set), data, keep);
  run(SigmaPointFilter<Linear<double, kAny, kAny>>(dynamic, data.x0, data.P0, set), data, same);
  run(SquareRootSigmaPointFilter<Linear<double, 3, 2>, 5>(fixed, data.x0, data.P0, set), data,
      same);
  run(SquareRootEkf<Linear<double, 3, 2>>(fixed, data.x0, data.P0), data, same);
}

TEST(FiltersTest, StepsDoNotAllocate) {
  if (!test::counts_allocations()) GTEST_SKIP();
  const LinearCase data(4, 2, 20, 3, 0.3);
  const auto model = data.model<double, kAny, kAny>();
  const GateOptions gate{.probability = 0.999, .each_output = true};
  for_each_filter(
      model, data.x0, data.P0,
      [&](const std::string& name, auto filter) {
        using Filter = decltype(filter);
        const auto q = Filter::ProcessNoise::from_covariance(data.Q);
        const auto r = Filter::OutputNoise::from_covariance(data.R);
        typename Filter::Kernel kernel(4);
        const std::size_t before = test::allocation_count();
        int failures = 0;
        for (std::size_t k = 0; k < data.z.size(); ++k) {
          if (filter.predict(data.u[k], q, kernel) != Status::Success) ++failures;
          if (filter.update(data.u[k], data.z[k], r).status != Status::Success) ++failures;
        }
        EXPECT_EQ(test::allocation_count(), before) << name;
        EXPECT_EQ(failures, 0) << name;
      },
      gate);
}

// A model without a value, or a measurement of infinity, leaves the estimate as it was.
TEST(FiltersTest, NumbersThatAreNotFiniteAreReported) {
  LinearCase data(2, 2, 3, 4);
  auto model = data.model<double, kAny, kAny>();
  for_each_filter(model, data.x0, data.P0, [&](const std::string& name, auto filter) {
    using Filter = decltype(filter);
    const auto q = Filter::ProcessNoise::from_covariance(data.Q);
    const auto r = Filter::OutputNoise::from_covariance(data.R);
    const VectorXd infinite = VectorXd::Constant(2, std::numeric_limits<double>::infinity());
    EXPECT_EQ(filter.update(0.0, infinite, r).status, Status::NotFinite) << name;
    EXPECT_EQ(filter.mean(), data.x0) << name;
    EXPECT_EQ(filter.predict(kMissing, q), Status::NotFinite) << name;
    EXPECT_EQ(filter.mean(), data.x0) << name;
  });
}

// With variance zero in start and noise, S is singular; the mean of zero keeps it exactly so.
TEST(FiltersTest, SingularInnovationIsReported) {
  const LinearCase data(2, 1, 3, 4);
  auto model = data.model<double, kAny, kAny>();
  for_each_filter(model, VectorXd::Zero(2), MatrixXd::Zero(2, 2),
                  [&](const std::string& name, auto filter) {
                    using Filter = decltype(filter);
                    const auto r = Filter::OutputNoise::from_covariance(MatrixXd::Zero(1, 1));
                    const UpdateReport report = filter.update(0.0, VectorXd::Ones(1), r);
                    EXPECT_NE(report.status, Status::Success) << name;
                    EXPECT_FALSE(report.accepted) << name;
                  });
}

// One output with an outlier: the joint gate rejects the step, the single one only that output.
TEST(FiltersTest, GatesRejectOutliers) {
  LinearCase data(3, 2, 1, 21);
  const auto model = data.model<double, kAny, kAny>();
  data.z[0](1) += 100.0;
  LinearCase without = data;
  without.z[0](1) = kMissing;
  const std::vector<Gaussian> expected = kalman(without);
  for_each_filter(
      model, data.x0, data.P0,
      [&](const std::string& name, const auto& filter) {
        run(filter, data, [&](std::size_t, const auto& now, const UpdateReport& report) {
          EXPECT_FALSE(report.accepted) << name;
          EXPECT_GT(report.nis, 100.0) << name;
          EXPECT_TRUE(
              matrices_near(now.mean(), data.A * data.x0 + data.B * data.u[0], {.rel = kRounding}));
        });
      },
      {.probability = 0.999, .each_output = false});
  for_each_filter(
      model, data.x0, data.P0,
      [&](const std::string& name, const auto& filter) {
        run(filter, data, [&](std::size_t k, const auto& now, const UpdateReport& report) {
          EXPECT_TRUE(report.accepted) << name;
          EXPECT_EQ(report.used, 1) << name;
          EXPECT_TRUE(matrices_near(now.mean(), expected[k].mean, {.rel = kRounding})) << name;
        });
      },
      {.probability = 0.999, .each_output = true});
}

// An update that fails before it looks at the readings leaves nothing of the one before.
TEST(FiltersTest, FailedUpdateHasNoInnovation) {
  LinearCase data(3, 2, 1, 21);
  data.z[0](1) += 100.0;
  using Model = Linear<double, kAny, kAny>;
  SigmaPointFilter<Model> filter(data.model<double, kAny, kAny>(), data.x0, data.P0, cubature(3),
                                 {.gate = {.probability = 0.999, .each_output = true}});
  const auto r = SigmaPointFilter<Model>::OutputNoise::from_covariance(data.R);
  ASSERT_TRUE(filter.update(0.0, data.z[0], r).accepted);
  ASSERT_EQ(filter.innovation().gated, 1);
  filter.set_belief({data.x0, -MatrixXd::Identity(3, 3)});
  EXPECT_EQ(filter.update(0.0, data.z[0], r).status, Status::Indefinite);
  EXPECT_EQ(filter.innovation().count, 0);
  EXPECT_EQ(filter.innovation().gated, 0);
  EXPECT_EQ(filter.innovation().absent, 0);
}

TEST(FiltersTest, BadInputNamesTheCulprit) {
  const LinearCase data(3, 2, 1, 21);
  const auto model = data.model<double, kAny, kAny>();
  using Model = Linear<double, kAny, kAny>;
  const auto ekf = [&](const VectorXd& x0, const MatrixXd& P0, const EkfOptions& options = {}) {
    return message_of([&] { Ekf<Model>(model, x0, P0, options); });
  };
  EXPECT_THAT(ekf(VectorXd::Zero(2), data.P0), testing::HasSubstr("mean must have size 3, got 2"));
  EXPECT_THAT(ekf(data.x0, -data.P0), testing::HasSubstr("no negative variance"));
  MatrixXd indefinite = MatrixXd::Ones(3, 3);
  indefinite(0, 1) = indefinite(1, 0) = -1.0;
  EXPECT_THAT(ekf(data.x0, indefinite), testing::HasSubstr("positive semidefinite"));
  EXPECT_THAT(ekf(data.x0, data.P0, {.iterations = 0}), testing::HasSubstr("iterations"));
  EXPECT_THAT(ekf(data.x0, data.P0, {.gate = {.probability = 1.5}}),
              testing::HasSubstr("probability"));
  EXPECT_THAT(message_of([&] { SigmaPointFilter<Model>(model, data.x0, data.P0, cubature(4)); }),
              testing::HasSubstr("rows of the sigma points must have size 3, got 4"));
  EXPECT_THAT(message_of([&] {
                SquareRootSigmaPointFilter<Model>(model, data.x0, data.P0,
                                                  unscented(3, {.kappa = -1.0}));
              }),
              testing::HasSubstr("weights must not be negative"));
}

}  // namespace alembert::estimate::filters_test
