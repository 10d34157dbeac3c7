// Variances of outputs on a window: the residual rule, its information, and what the first R
// counts.
#include "alembert/estimate/adapt_noise.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "alembert/core/random.hpp"
#include "alembert/estimate/ekf.hpp"
#include "alembert/estimate/square_root_ekf.hpp"
#include "small_models.hpp"
#include "support/allocations.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::estimate::adapt_noise_test {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using test::kEps;
using test::message_of;
using test_models::SmallModel;
using Scalar1 = Eigen::Matrix<double, 1, 1>;
using Noise1 = Noise<double, 1>;
using Noise2 = Noise<double, 2>;

/// Position and velocity; two gauges that both see them, so that S is full.
struct TwoGauges : SmallModel<2, 2> {
  static Matrix2d outputs() { return (Matrix2d() << 1.0, 0.0, 1.0, 3.0).finished(); }
  template <typename T>
  void process(const Input&, std::span<const T> x, std::span<T> next) const {
    next[0] = x[0] + x[1];
    next[1] = x[1];
  }
  template <typename T>
  void output(const Input&, std::span<const T> x, std::span<T> y) const {
    y[0] = x[0];
    y[1] = x[0] + 3.0 * x[1];
  }
};

/// The samples of one output, and R from the last `window` of them.
struct ByResiduals {
  double first;  // R₀
  std::vector<double> samples;

  [[nodiscard]] double likely(std::size_t window, double trust) const {
    double sum = trust * first;
    for (std::size_t k = samples.size() - window; k < samples.size(); ++k) sum += samples[k];
    return sum / (trust + static_cast<double>(window));
  }
};

template <typename Filter>
void compare_with_residuals(double trust) {
  constexpr std::size_t kWindow = 6;
  const Matrix2d H = TwoGauges::outputs();
  auto q = Noise2::from_covariance(Matrix2d::Identity() * 0.3);
  auto r = Noise2::from_deviations(Vector2d(1.0, 2.0));
  Filter filter({}, Vector2d::Zero(), Matrix2d::Identity());
  NoiseAdapter<double, 2, 2> adapter(
      q, r, {.window = kWindow, .process = false, .outputs = true, .output_trust = trust});
  ByResiduals expected[] = {{1.0, {}}, {4.0, {}}};
  RandomStream random(8);
  for (int k = 0; k < 20; ++k) {
    // Gauges have clocks of their own: the first is silent now and then.
    Vector2d z = 2.0 * random.normal_vector(2);
    const bool both = k % 4 != 2;
    if (!both) z(0) = std::numeric_limits<double>::quiet_NaN();
    ASSERT_EQ(filter.predict({}, q), Status::Success);
    adapter.predicted(filter, q);
    const Matrix2d R = r.covariance();
    const UpdateReport report = filter.update({}, z, r);
    const std::size_t before = test::allocation_count();
    adapter.updated(filter, report, q, r);
    EXPECT_EQ(test::allocation_count(), before);
    const Vector2d residual = z - H * filter.mean();
    const Matrix2d spread = H * filter.covariance() * H.transpose();
    for (int i = both ? 0 : 1; i < 2; ++i) {
      // ε² + (H P⁺ Hᵀ)_ii
      expected[i].samples.push_back(residual(i) * residual(i) + spread(i, i));
      if (expected[i].samples.size() < kWindow) {
        EXPECT_EQ(r.covariance()(i, i), R(i, i));
        continue;
      }
      // Rounding of differences of numbers up to 30 times as large, over 20 steps.
      const double likely = expected[i].likely(kWindow, trust);
      EXPECT_NEAR(r.covariance()(i, i), likely, 1000 * kEps * likely) << k << ' ' << i;
    }
  }
}

// The variances follow from z - H x⁺ and H P⁺ Hᵀ, which the adapter never sees.
TEST(OutputVariances, AreThoseOfTheResiduals) {
  for (const double trust : {0.0, 5.0}) {
    compare_with_residuals<Ekf<TwoGauges>>(trust);
    compare_with_residuals<SquareRootEkf<TwoGauges>>(trust);
  }
}

/// A random walk, measured directly.
struct Path : SmallModel<1, 1> {
  template <typename T>
  void process(const Input&, std::span<const T> x, std::span<T> next) const {
    next[0] = x[0];
  }
  template <typename T>
  void output(const Input&, std::span<const T> x, std::span<T> y) const {
    y[0] = x[0];
  }
};

/// R in the end, from R₀ = 1 and a walk of variance q; reading(k) is what the gauge says in step k.
template <typename Reading>
double adapted_variance(double q_variance, const AdaptOptions& options, int steps,
                        const Reading& reading) {
  Ekf<Path> filter({}, Scalar1(0.0), Scalar1(1.0));
  Noise1 q = Noise1::from_covariance(Scalar1(q_variance));
  Noise1 r = Noise1::from_covariance(Scalar1(1.0));
  NoiseAdapter<double, 1, 1> adapter(q, r, options);
  for (int k = 0; k < steps; ++k) {
    EXPECT_EQ(filter.predict({}, q), Status::Success);
    adapter.predicted(filter, q);
    const UpdateReport report = filter.update({}, Scalar1(reading(k)), r);
    adapter.updated(filter, report, q, r);
  }
  return r.covariance()(0, 0);
}

// Samples are not negative, so R >= R₀ n₀/(n₀ + N) whatever is read. Readings that do not move at
// all, of a state that is said to walk, S > Q = q: with ν = 0 the samples are R - R²/S > R - R²/q,
// and in the end R = (n₀ R₀ + N R̂)/(n₀ + N), hence n₀ (R₀ - R) < N R²/q. Without trust R falls to
// its floor.
TEST(OutputVariances, FallNoFurtherThanTheReadingsCanTell) {
  constexpr double kTrust = 5.0, kWindow = 400.0;
  const auto silent = [](int) { return 0.0; };
  AdaptOptions options{
      .window = 400, .process = false, .outputs = true, .floor = 1e-4, .output_trust = kTrust};
  for (const double q : {1.0, 10.0, 100.0, 1000.0}) {
    const double variance = adapted_variance(q, options, 20000, silent);
    EXPECT_GT(variance, kTrust / (kTrust + kWindow)) << q;
    EXPECT_LT(kTrust * (1.0 - variance), kWindow * variance * variance / q) << q;
    EXPECT_LT(variance, 1.0) << q;
  }
  options.output_trust = 0.0;
  options.floor = 0.5;
  EXPECT_EQ(adapted_variance(1.0, options, 20000, silent), 0.5);
}

// A gauge whose noise is all there is to see: variance 9 in place of 1, and 1/9.
TEST(OutputVariances, FollowNoiseThatIsSeen) {
  const AdaptOptions options{
      .window = 1000, .process = false, .outputs = true, .output_trust = 5.0};
  for (const double truth : {9.0, 1.0 / 9.0}) {
    RandomStream random(5);
    const auto noise = [&](int) { return std::sqrt(truth) * random.normal(); };
    const double found = adapted_variance(1e-6, options, 3000, noise);
    // Four standard deviations of the mean of 1000 squares.
    const double expected = (5.0 + 1000.0 * truth) / 1005.0;
    EXPECT_NEAR(found / expected, 1.0, 4.0 * std::sqrt(2.0 / 1000.0)) << truth;
  }
}

TEST(OutputVariances, StayBelowTheirCeiling) {
  const AdaptOptions options{
      .window = 10, .process = false, .outputs = true, .ceiling = 50.0, .output_trust = 2.0};
  const auto wild = [](int k) { return k % 2 == 0 ? 1e3 : -1e3; };
  EXPECT_EQ(adapted_variance(1.0, options, 100, wild), 50.0);
}

TEST(OutputVariances, BadOptionsNameTheCulprit) {
  const auto nothing = [](int) { return 0.0; };
  const auto message = [&](const AdaptOptions& options) {
    return message_of([&] { (void)adapted_variance(1.0, options, 0, nothing); });
  };
  EXPECT_THAT(message({.ceiling = 0.5}), testing::HasSubstr("AdaptOptions: ceiling"));
  EXPECT_THAT(message({.output_trust = -1.0}), testing::HasSubstr("AdaptOptions: output_trust"));
}

}  // namespace alembert::estimate::adapt_noise_test
