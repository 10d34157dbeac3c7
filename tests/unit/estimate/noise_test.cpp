// Noise levels: their type, adaptation, tuning, and the judges of consistency.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/core/chi_square.hpp"
#include "alembert/core/random.hpp"
#include "alembert/estimate/adapt_noise.hpp"
#include "alembert/estimate/consistency.hpp"
#include "alembert/estimate/ekf.hpp"
#include "alembert/estimate/square_root_ekf.hpp"
#include "alembert/estimate/tune_noise.hpp"
#include "small_models.hpp"
#include "support/allocations.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::estimate::noise_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::kEps;
using test::matrices_near;
using test::message_of;
using test_models::SmallModel;
using Scalar1 = Eigen::Matrix<double, 1, 1>;
using Noise1 = Noise<double, 1>;

/// A random walk, measured directly.
struct Walk : SmallModel<1, 1> {
  template <typename T>
  void process(const Input&, std::span<const T> x, std::span<T> next) const {
    next[0] = x[0];
  }
  template <typename T>
  void output(const Input&, std::span<const T> x, std::span<T> y) const {
    y[0] = x[0];
  }
};

std::vector<FilterStep<Ekf<Walk>>> walk_record(int steps, double q, double r, std::uint64_t seed) {
  RandomStream random(seed);
  std::vector<FilterStep<Ekf<Walk>>> record;
  double x = 0.0;
  for (int k = 0; k < steps; ++k) {
    x += std::sqrt(q) * random.normal();
    record.push_back({{}, Scalar1(x + std::sqrt(r) * random.normal())});
  }
  return record;
}

TEST(NoiseTest, FactorsCovariancesThatMayBeSingular) {
  Eigen::Matrix3d q;
  q << 4.0, 2.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0, 1e-12;
  const auto noise = Noise<double, 3>::from_covariance(q);
  EXPECT_TRUE(matrices_near(noise.factor() * noise.factor().transpose(), q, {.abs = 4 * kEps}));
  // The small variance is not lost beside the large one.
  EXPECT_NEAR(noise.factor()(2, 2), 1e-6, 1e-6 * 4 * kEps);
  EXPECT_THAT(message_of([] {
                (void)Noise<double, 2>::from_covariance(Eigen::Vector2d(1.0, -1.0).asDiagonal());
              }),
              testing::HasSubstr("negative variance, got -1 at 2"));
}

TEST(NoiseTest, TakesAnotherCovarianceInPlace) {
  Eigen::Matrix2d q;
  q << 4.0, 2.0, 2.0, 1.0;
  auto noise = Noise<double, 2>::from_covariance(Eigen::Matrix2d::Identity());
  EXPECT_TRUE(noise.assign(q));
  EXPECT_EQ(noise.covariance(), q);
  EXPECT_TRUE(matrices_near(noise.factor() * noise.factor().transpose(), q, {.abs = 4 * kEps}));
  EXPECT_FALSE(noise.assign(Eigen::Vector2d(1.0, -1.0).asDiagonal()));
}

// ln p of the random walk by a way of its own: the differences of z have the tridiagonal covariance
// q + 2r on and -r beside the diagonal, with eigenvalues q + 2r(1 - cos(jπ/N)) and sines as
// eigenvectors.
double log_likelihood_of_differences(const std::vector<FilterStep<Ekf<Walk>>>& record, double q,
                                     double r) {
  const int count = static_cast<int>(record.size()) - 1;
  const double unit = std::numbers::pi / (count + 1);
  double sum = 0.0;
  for (int j = 1; j <= count; ++j) {
    double projection = 0.0;
    for (int k = 1; k <= count; ++k) {
      const auto at = static_cast<std::size_t>(k);
      projection +=
          std::sin(unit * j * k) * (record[at].measurement(0) - record[at - 1].measurement(0));
    }
    const double lambda = q + 2.0 * r * (1.0 - std::cos(unit * j));
    sum -= 0.5 * (std::log(lambda) + projection * projection * 2.0 / (count + 1) / lambda);
  }
  return sum;
}

TEST(TuneNoiseTest, LikelihoodIsThatOfTheData) {
  const auto record = walk_record(100, 0.2, 0.5, 5);
  // With a start that says nothing, the first measurement only sets the level.
  const Ekf<Walk> filter({}, Scalar1(0.0), Scalar1(1e8));
  const auto likelihood = [&](double q, double r) {
    return log_likelihood(filter, record, Noise1::from_covariance(Scalar1(q)),
                          Noise1::from_covariance(Scalar1(r)));
  };
  const double expected = log_likelihood_of_differences(record, 0.3, 0.1) -
                          log_likelihood_of_differences(record, 0.1, 0.9);
  // 1e-8 is the weight of the start, 100 terms.
  EXPECT_NEAR(likelihood(0.3, 0.1) - likelihood(0.1, 0.9), expected, 1e-6 * std::abs(expected));
}

TEST(TuneNoiseTest, FindsTheNoiseOfTheData) {
  const double q = 0.04, r = 0.25;
  const auto record = walk_record(1000, q, r, 8);
  const Ekf<Walk> filter({}, Scalar1(0.0), Scalar1(1.0));
  const TunedNoise tuned = tune_noise(
      {{.name = "walk", .guess = 10.0}, {.name = "sensor", .guess = 1e-3}},
      [&](const VectorXd& levels) {
        return log_likelihood(filter, record, Noise1::from_covariance(Scalar1(levels(0))),
                              Noise1::from_covariance(Scalar1(levels(1))));
      });
  ASSERT_TRUE(tuned.ok()) << tuned.message;
  EXPECT_TRUE(tuned.at_bound.empty());
  // Four standard deviations, which 1000 samples make small.
  EXPECT_LT(tuned.log_deviations.maxCoeff(), 0.25);
  EXPECT_NEAR(std::log(tuned.levels(0) / q), 0.0, 4.0 * tuned.log_deviations(0));
  EXPECT_NEAR(std::log(tuned.levels(1) / r), 0.0, 4.0 * tuned.log_deviations(1));
  // Stationary: the closed form does not grow by a step aside.
  const double at_best = log_likelihood_of_differences(record, tuned.levels(0), tuned.levels(1));
  for (const double factor : {0.8, 1.25}) {
    EXPECT_GT(at_best,
              log_likelihood_of_differences(record, factor * tuned.levels(0), tuned.levels(1)));
    EXPECT_GT(at_best,
              log_likelihood_of_differences(record, tuned.levels(0), factor * tuned.levels(1)));
  }
}

TEST(TuneNoiseTest, BadInputNamesTheCulprit) {
  const auto flat = [](const VectorXd&) { return 0.0; };
  EXPECT_THAT(message_of([&] { (void)tune_noise({}, flat); }), testing::HasSubstr("levels"));
  EXPECT_THAT(message_of([&] { (void)tune_noise({{.name = "walk", .guess = -1.0}}, flat); }),
              testing::HasSubstr("guess of walk must be positive, got -1"));
}

// A filter that fails for all levels has no likelihood.
TEST(TuneNoiseTest, FailingFilterIsReported) {
  const TunedNoise tuned = tune_noise(
      {{.name = "walk"}}, [](const VectorXd&) { return -std::numeric_limits<double>::infinity(); });
  EXPECT_FALSE(tuned.ok());
  EXPECT_TRUE(std::isnan(tuned.log_deviations(0)));
}

/// Runs with adaptation and returns the mean of both variances over the second half.
template <typename Filter>
Eigen::Vector2d adapted(double q0, double r0, const AdaptOptions& options, std::uint64_t seed) {
  const auto record = walk_record(8000, 0.04, 0.25, seed);
  Filter filter({}, Scalar1(0.0), Scalar1(1.0));
  Noise1 q = Noise1::from_covariance(Scalar1(q0));
  Noise1 r = Noise1::from_covariance(Scalar1(r0));
  NoiseAdapter<double, 1, 1> adapter(q, r, options);
  Eigen::Vector2d sum = Eigen::Vector2d::Zero();
  const std::size_t before = test::allocation_count();
  for (std::size_t k = 0; k < record.size(); ++k) {
    EXPECT_EQ(filter.predict({}, q), Status::Success);
    adapter.predicted(filter, q);
    const UpdateReport report = filter.update({}, record[k].measurement, r);
    adapter.updated(filter, report, q, r);
    if (k >= record.size() / 2) {
      sum += Eigen::Vector2d(q.covariance()(0, 0), r.covariance()(0, 0));
    }
  }
  EXPECT_EQ(test::allocation_count(), before);
  return sum / static_cast<double>(record.size() / 2);
}

// From a start ten times off. The averages scatter by about 10 % over 4000 steps.
TEST(NoiseAdapterTest, FindsTheVariances) {
  const AdaptOptions process{.window = 400};
  EXPECT_NEAR(adapted<Ekf<Walk>>(0.4, 0.25, process, 2)(0), 0.04, 0.012);
  EXPECT_NEAR(adapted<SquareRootEkf<Walk>>(0.4, 0.25, process, 2)(0), 0.04, 0.012);
  const AdaptOptions outputs{.window = 400, .process = false, .outputs = true};
  EXPECT_NEAR(adapted<Ekf<Walk>>(0.04, 2.5, outputs, 2)(1), 0.25, 0.04);
  EXPECT_NEAR(adapted<Ekf<Walk>>(0.04, 0.025, outputs, 2)(1), 0.25, 0.04);
}

/// Position and velocity, driven by white acceleration; the position is measured.
struct Drift : SmallModel<2, 1> {
  template <typename T>
  void process(const Input&, std::span<const T> x, std::span<T> next) const {
    next[0] = x[0] + x[1];
    next[1] = x[1];
  }
  template <typename T>
  void output(const Input&, std::span<const T> x, std::span<T> y) const {
    y[0] = x[0];
  }
};

// Q keeps its correlations and finds its size, from ten times too much and too little.
TEST(NoiseAdapterTest, FindsTheFactorOfAFullQ) {
  Eigen::Matrix2d shape;
  shape << 1.0 / 3.0, 0.5, 0.5, 1.0;
  const auto unit = Noise<double, 2>::from_covariance(shape);
  for (const double wrong : {0.1, 10.0}) {
    RandomStream random(3);
    auto q = Noise<double, 2>::from_covariance(wrong * shape);
    auto r = Noise1::from_covariance(Scalar1(1.0));
    SquareRootEkf<Drift> filter({}, Eigen::Vector2d::Zero(), Eigen::Matrix2d::Identity());
    NoiseAdapter<double, 2, 1> adapter(q, r, {.window = 400, .states = {1}, .scale = true});
    Eigen::Vector2d x = Eigen::Vector2d::Zero();
    double sum = 0.0;
    for (int k = 0; k < 8000; ++k) {
      x = Eigen::Vector2d(x(0) + x(1), x(1)) + unit.factor() * random.normal_vector(2);
      ASSERT_EQ(filter.predict({}, q), Status::Success);
      adapter.predicted(filter, q);
      const UpdateReport report = filter.update({}, Scalar1(x(0) + random.normal()), r);
      adapter.updated(filter, report, q, r);
      if (k >= 4000) sum += q.covariance()(1, 1) / 4000.0;
    }
    // Ten windows that scatter by about 10 % each.
    EXPECT_NEAR(sum, 1.0, 0.2) << wrong;
    EXPECT_NEAR(q.covariance()(0, 1), 0.5 * q.covariance()(1, 1), 1e-9);
  }
}

// Nothing changes before the window is full of real samples, and then their mean counts.
TEST(NoiseAdapterTest, FirstWindowHoldsRealSamplesOnly) {
  const auto record = walk_record(4, 1.0, 1.0, 6);
  Ekf<Walk> filter({}, Scalar1(0.0), Scalar1(1.0));
  Noise1 q = Noise1::from_covariance(Scalar1(2.0));
  Noise1 r = Noise1::from_covariance(Scalar1(3.0));
  NoiseAdapter<double, 1, 1> adapter(q, r, {.window = 4, .floor = 1e-3});
  // By hand: P⁻ = P + 2, K = P⁻/(P⁻ + 3), P⁺ = (1 - K) P⁻, sample (K ν)² + P⁺ - P.
  double x = 0.0, P = 1.0, sum = 0.0;
  for (std::size_t k = 0; k < 4; ++k) {
    const double gain = (P + 2.0) / (P + 5.0);
    const double change = gain * (record[k].measurement(0) - x);
    const double after = (1.0 - gain) * (P + 2.0);
    sum += change * change + after - P;
    x += change;
    P = after;
    EXPECT_EQ(q.covariance()(0, 0), 2.0);
    ASSERT_EQ(filter.predict({}, q), Status::Success);
    adapter.predicted(filter, q);
    const UpdateReport report = filter.update({}, record[k].measurement, r);
    adapter.updated(filter, report, q, r);
  }
  EXPECT_NEAR(q.covariance()(0, 0), std::max(sum / 4.0, 2e-3), 100 * kEps);
}

// A record without noise drives the estimate below zero, here to (P⁺_5 - P_0)/5, as the samples
// P⁺_k - P⁺_{k-1} add up: the floor stands, not the absolute value.
TEST(NoiseAdapterTest, NegativeEstimatesAreRaisedToTheFloor) {
  Ekf<Walk> filter({}, Scalar1(0.0), Scalar1(4.0));
  Noise1 q = Noise1::from_covariance(Scalar1(1.0));
  Noise1 r = Noise1::from_covariance(Scalar1(2.0));
  NoiseAdapter<double, 1, 1> adapter(q, r, {.window = 5, .floor = 0.01});
  for (int k = 0; k < 5; ++k) {
    ASSERT_EQ(filter.predict({}, q), Status::Success);
    adapter.predicted(filter, q);
    const UpdateReport report = filter.update({}, Scalar1(0.0), r);
    adapter.updated(filter, report, q, r);
  }
  EXPECT_LT(filter.variance(0), 4.0);
  EXPECT_NEAR(q.covariance()(0, 0), 0.01, 4 * kEps);
  EXPECT_THAT(message_of([&] { NoiseAdapter<double, 1, 1>(q, r, {.window = 1}); }),
              testing::HasSubstr("window"));
  EXPECT_THAT(message_of([&] { NoiseAdapter<double, 1, 1>(q, r, {.states = {1}}); }),
              testing::HasSubstr("states"));
}

TEST(ConsistencyTest, SquaresAgainstTheirDistribution) {
  RandomStream random(4);
  std::vector<double> squares;
  std::vector<int> freedom;
  for (int k = 0; k < 500; ++k) {
    freedom.push_back(1 + k % 3);
    squares.push_back(random.normal_vector(freedom.back()).squaredNorm());
  }
  const SquaresReport right = judge_squares(squares, freedom);
  EXPECT_TRUE(right.consistent) << right.average;
  // 500 values with 999 degrees of freedom; normal approximation of the band, to 1 %.
  EXPECT_DOUBLE_EQ(right.expected, 999.0 / 500.0);
  EXPECT_NEAR(right.upper, (999.0 + 1.96 * std::sqrt(2.0 * 999.0)) / 500.0, 0.02);
  EXPECT_NEAR(right.lower, (999.0 - 1.96 * std::sqrt(2.0 * 999.0)) / 500.0, 0.02);
  EXPECT_NEAR(right.share_above, 0.05, 4.0 * std::sqrt(0.05 * 0.95 / 500.0));
  for (double& square : squares) square *= 1.3;
  EXPECT_FALSE(judge_squares(squares, freedom).consistent);
  EXPECT_NEAR(
      nees(Eigen::Vector2d(2.0, 3.0), Eigen::Vector2d(4.0, 9.0).asDiagonal().toDenseMatrix()), 2.0,
      8 * kEps);
  EXPECT_THAT(message_of([&] { (void)judge_squares(squares, std::vector<int>(3, 1)); }),
              testing::HasSubstr("freedom must have size 500"));
  EXPECT_THAT(message_of([&] {
                (void)nees(Eigen::Vector2d(1.0, 1.0), -Eigen::Matrix2d::Identity().eval());
              }),
              testing::HasSubstr("positive definite"));
}

TEST(ConsistencyTest, WhitenessTellsWhiteFromCorrelated) {
  RandomStream random(12);
  MatrixXd white(2, 2000), coloured(2, 2000);
  for (int k = 0; k < 2000; ++k) {
    white.col(k) = random.normal_vector(2);
    coloured.col(k) = white.col(k);
    if (k > 0) coloured.col(k) += 0.2 * coloured.col(k - 1);
  }
  white(0, 7) = std::numeric_limits<double>::quiet_NaN();
  const WhitenessReport good = judge_whiteness(white, 10);
  EXPECT_TRUE(good.white) << good.portmanteau;
  EXPECT_NEAR(good.bound, 1.959964 / std::sqrt(3999.0), 1e-6);
  EXPECT_DOUBLE_EQ(good.limit, chi_square_quantile(0.95, 10));
  const WhitenessReport bad = judge_whiteness(coloured, 10);
  EXPECT_FALSE(bad.white);
  // Autoregression of first order: ρ_l = 0.2^l, to 4/√4000.
  EXPECT_NEAR(bad.autocorrelation[0], 0.2, 0.065);
  EXPECT_NEAR(bad.autocorrelation[1], 0.04, 0.065);
  EXPECT_THAT(message_of([&] { (void)judge_whiteness(white.leftCols(5), 10); }),
              testing::HasSubstr("columns of whitened"));
}

}  // namespace alembert::estimate::noise_test
