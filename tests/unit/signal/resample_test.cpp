#include "alembert/signal/resample.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "alembert/core/random.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace resample_test {

using alembert::RandomStream;
using alembert::signal::BandLimitedOptions;
using alembert::signal::fill_missing;
using alembert::signal::resample_band_limited;
using alembert::signal::resample_periodic;
using alembert::test::kEps;
using alembert::test::matrices_near;
using alembert::test::message_of;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::HasSubstr;

constexpr double kPi = std::numbers::pi;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

VectorXd cosine(Index n, double step, double frequency, double phase) {
  VectorXd values(n);
  for (Index k = 0; k < n; ++k) {
    values[k] = std::cos(2.0 * kPi * frequency * static_cast<double>(k) * step + phase);
  }
  return values;
}

// Half width of the filter in s, from the documented formula.
double half_width(double step, double new_step, const BandLimitedOptions& options) {
  return (options.attenuation_db - 1.95) / (14.36 * (1.0 - options.pass)) *
         std::max(step, new_step);
}

// Largest difference where the filter does not reach the ends.
double inner_error(const VectorXd& actual, const VectorXd& expected, double new_step, double margin,
                   double length) {
  double worst = 0.0;
  for (Index j = 0; j < actual.size(); ++j) {
    const double t = static_cast<double>(j) * new_step;
    if (t > margin && t < length - margin) {
      worst = std::max(worst, std::abs(actual[j] - expected[j]));
    }
  }
  return worst;
}

// ---- band-limited ----

struct Ratio {
  double ratio;  // new step / old step
  BandLimitedOptions options;
};
class BandLimited : public testing::TestWithParam<Ratio> {};
class BandLimitedDown : public testing::TestWithParam<Ratio> {};
constexpr BandLimitedOptions kDefault{};
INSTANTIATE_TEST_SUITE_P(Up, BandLimited,
                         testing::Values(Ratio{0.5, kDefault}, Ratio{2.0 / 3.0, kDefault},
                                         Ratio{1.0 / kPi, kDefault}, Ratio{44.1 / 48.0, kDefault},
                                         Ratio{0.25, {.pass = 0.95, .attenuation_db = 40.0}},
                                         Ratio{0.1, {.pass = 0.9, .attenuation_db = 120.0}}));
const auto kDown = testing::Values(Ratio{2.0, kDefault}, Ratio{10.0 / 3.0, kDefault},
                                   Ratio{4.7123456789, kDefault},
                                   Ratio{48.0 / 44.1, {.pass = 0.8, .attenuation_db = 60.0}},
                                   Ratio{3.0, {.pass = 0.6, .attenuation_db = 140.0}});
INSTANTIATE_TEST_SUITE_P(Down, BandLimited, kDown);
INSTANTIATE_TEST_SUITE_P(Down, BandLimitedDown, kDown);

TEST_P(BandLimited, PassesWavesWithinTheStatedRipple) {
  const auto& [ratio, options] = GetParam();
  const double step = 0.01;
  const double new_step = ratio * step;
  const double nyquist = 0.5 / std::max(step, new_step);
  const double delta = std::pow(10.0, -options.attenuation_db / 20.0);
  const double margin = half_width(step, new_step, options) + std::max(step, new_step);
  const auto n = static_cast<Index>(2.0 * margin / step) + 300;
  for (const double part : {0.0, 0.01, 0.3, 0.77, 0.99, 1.0}) {
    const double frequency = part * options.pass * nyquist;
    const MatrixXd y =
        resample_band_limited(cosine(n, step, frequency, 0.4), step, new_step, options);
    const VectorXd expected = cosine(y.rows(), new_step, frequency, 0.4);
    const double error =
        inner_error(y.col(0), expected, new_step, margin, static_cast<double>(n - 1) * step);
    // The documented bound, and rounding: sums of some hundred products.
    EXPECT_LT(error, 2.0 * delta + 100 * kEps) << "at " << part << " of the pass band";
  }
}

TEST_P(BandLimitedDown, StopsWavesAboveTheLowerNyquistFrequency) {
  const auto& [ratio, options] = GetParam();
  const double step = 0.01;
  const double new_step = ratio * step;
  const double delta = std::pow(10.0, -options.attenuation_db / 20.0);
  const double margin = half_width(step, new_step, options) + std::max(step, new_step);
  const auto n = static_cast<Index>(2.0 * margin / step) + 1000;
  for (const double part : {0.0, 0.01, 0.2, 0.5, 0.99}) {
    const double frequency = (0.5 / new_step) * (1.0 - part) + (0.5 / step) * part;
    const MatrixXd y =
        resample_band_limited(cosine(n, step, frequency, 0.4), step, new_step, options);
    const double rest = inner_error(y.col(0), VectorXd::Zero(y.rows()), new_step, margin,
                                    static_cast<double>(n - 1) * step);
    EXPECT_LT(rest, delta + 100 * kEps) << part;
  }
}

// The filter's own response, found from its answer to an impulse, leaves the pass band before it
// enters the stop band: half the amplitude in the middle of the transition.
TEST(ResampleBandLimited, HalvesTheMiddleOfTheTransition) {
  const BandLimitedOptions options{.pass = 0.8, .attenuation_db = 80.0};
  const double frequency = 0.9 * 0.5 / 2.0;
  const MatrixXd y = resample_band_limited(cosine(2000, 1.0, frequency, 0.0), 1.0, 2.0, options);
  const VectorXd expected = 0.5 * cosine(y.rows(), 2.0, frequency, 0.0);
  // Between the edges the response falls by 10^4 over 0.2 f₀ and its middle is 1/2 to within δ;
  // the alias of this wave is another wave of the same grid that the filter does not see.
  EXPECT_LT(inner_error(y.col(0), expected, 2.0, 200.0, 2000.0), 2e-4);
}

TEST(ResampleBandLimited, StraightLinesPassUpToTheEnds) {
  const VectorXd line = VectorXd::LinSpaced(500, 3.0, -7.0);
  for (const double ratio : {0.3, 0.5, 2.0, 7.5}) {
    const MatrixXd y = resample_band_limited(line, 1.0, ratio);
    VectorXd expected(y.rows());
    for (Index j = 0; j < y.rows(); ++j) {
      expected[j] = 3.0 - 10.0 * static_cast<double>(j) * ratio / 499.0;
    }
    // Weights sum to 1 exactly; their first moment vanishes to 10^-5 of a sample.
    EXPECT_TRUE(matrices_near(y.col(0), expected, {.abs = 1e-5})) << ratio;
  }
}

TEST(ResampleBandLimited, LengthReachesTheLastSample) {
  const MatrixXd x = VectorXd::Ones(11);
  EXPECT_EQ(resample_band_limited(x, 0.1, 0.05).rows(), 21);
  EXPECT_EQ(resample_band_limited(x, 0.1, 0.2).rows(), 6);
  EXPECT_EQ(resample_band_limited(x, 0.1, 0.3).rows(), 4);
  EXPECT_EQ(resample_band_limited(x, 0.1, 5.0).rows(), 1);
  // 0.1 is not a binary fraction: three of 0.1 and one of 0.3 end together all the same.
  EXPECT_EQ(resample_band_limited(VectorXd::Ones(31), 0.1, 0.3).rows(), 11);
}

// A record shorter than the filter still gives sound numbers.
TEST(ResampleBandLimited, ShortRecordsStayBounded) {
  const MatrixXd y = resample_band_limited(Eigen::Vector3d(1, 2, 1), 1.0, 0.1);
  EXPECT_EQ(y.rows(), 21);
  EXPECT_TRUE(y.allFinite());
  EXPECT_LT(y.cwiseAbs().maxCoeff(), 5.0);
  EXPECT_TRUE(matrices_near(resample_band_limited(Eigen::Vector2d(4, 4), 1.0, 0.5),
                            Eigen::Vector3d(4, 4, 4), {.rel = 100 * kEps}));
}

TEST(ResampleBandLimited, SameStepChangesNothing) {
  RandomStream random(1);
  const VectorXd x = random.normal_vector(50);
  EXPECT_EQ(resample_band_limited(x, 0.02, 0.02), MatrixXd(x));
  ASSERT_NE(0.1 * 3.0, 0.3);
  EXPECT_EQ(resample_band_limited(x, 0.3, 0.1 * 3.0), MatrixXd(x));
  EXPECT_EQ(resample_band_limited(x, 0.1 * 3.0, 0.3), MatrixXd(x));
  // 50 samples later this is 5e-9 of a step off, which may be seen.
  EXPECT_NE(resample_band_limited(x, 1.0, 1.0 + 1e-10).topRows(49), MatrixXd(x).topRows(49));
}

// 0.0003 / 0.0001 is 3 but for rounding, also where 240000 outputs make it drift: the same table of
// phases gives the same bits. Without it this takes minutes.
TEST(ResampleBandLimited, RoundedRatiosAreStillSimple) {
  ASSERT_NE(0.0003 / 0.0001, 3.0);
  RandomStream random(8);
  const VectorXd x = random.normal_vector(720000);
  const BandLimitedOptions narrow{.pass = 0.6, .attenuation_db = 30.0};
  EXPECT_EQ(resample_band_limited(x, 0.0001, 0.0003, narrow),
            resample_band_limited(x, 1.0, 3.0, narrow));
}

TEST(ResampleBandLimited, ColumnsDoNotMix) {
  RandomStream random(2);
  MatrixXd x(400, 3);
  for (Index c = 0; c < 3; ++c) {
    x.col(c) = random.normal_vector(400);
  }
  const MatrixXd all = resample_band_limited(x, 1.0, 1.7);
  for (Index c = 0; c < 3; ++c) {
    EXPECT_EQ(all.col(c), resample_band_limited(x.col(c), 1.0, 1.7).col(0));
  }
}

// The table of phases and the weights computed one by one are the same filter: 1/3 is a simple
// fraction, 1/3 + 1e-7 is not.
TEST(ResampleBandLimited, SimpleAndOddRatiosAgree) {
  RandomStream random(3);
  const VectorXd x = random.normal_vector(300);
  const MatrixXd simple = resample_band_limited(x, 1.0, 1.0 / 3.0);
  const MatrixXd odd = resample_band_limited(x, 1.0, 1.0 / 3.0 + 1e-7);
  const Index n = std::min(simple.rows(), odd.rows());
  // Instants differ by up to 900e-7 samples; slopes of this noise are below 10 per sample.
  EXPECT_TRUE(matrices_near(odd.topRows(n), simple.topRows(n), {.abs = 1e-3}));
  EXPECT_FALSE(matrices_near(odd.topRows(n), simple.topRows(n), {.abs = 1e-8}));
}

// ---- periodic ----

TEST(ResamplePeriodic, IsExactForBandLimitedSignals) {
  for (const Index n : {16, 17, 100}) {
    for (const Index to : {16, 17, 15, 31, 32, 257}) {
      const Index highest = (std::min(n, to) - 1) / 2;
      VectorXd x = VectorXd::Constant(n, 0.5);
      VectorXd expected = VectorXd::Constant(to, 0.5);
      for (Index line = 1; line <= highest; ++line) {
        const double phase = 0.7 * static_cast<double>(line * line);
        x += cosine(n, 1.0 / static_cast<double>(n), static_cast<double>(line), phase);
        expected += cosine(to, 1.0 / static_cast<double>(to), static_cast<double>(line), phase);
      }
      // Arguments of the cosines reach 2π 50 and lose their last digits; up to 50 waves.
      EXPECT_TRUE(
          matrices_near(resample_periodic(x, to), expected, {.abs = 2.0 * kPi * 50 * 50 * kEps}))
          << n << " to " << to;
    }
  }
}

TEST(ResamplePeriodic, CutsOffWhatTheNewGridCannotHold) {
  const MatrixXd y = resample_periodic(cosine(64, 1.0 / 64.0, 20.0, 0.3), 32);
  EXPECT_TRUE(matrices_near(y, MatrixXd::Zero(32, 1), {.abs = 100 * kEps}));
}

// Up and down again is the identity, also for the value at the Nyquist frequency.
TEST(ResamplePeriodic, UpAndDownIsTheIdentity) {
  RandomStream random(4);
  for (const Index n : {1, 2, 3, 8, 9, 50}) {
    const VectorXd x = random.normal_vector(n);
    for (const Index more : {n, n + 1, 2 * n, 2 * n + 1, 7 * n}) {
      EXPECT_TRUE(
          matrices_near(resample_periodic(resample_periodic(x, more), n), x, {.abs = 500 * kEps}))
          << n << " by way of " << more;
    }
    EXPECT_TRUE(matrices_near(resample_periodic(x, 3 * n)(Eigen::seq(0, Eigen::last, 3), 0), x,
                              {.abs = 500 * kEps}));
  }
}

// ---- missing samples ----

TEST(FillMissing, FillsShortGapsOnly) {
  VectorXd times = VectorXd::LinSpaced(20, 0.0, 19.0);
  const VectorXd truth = 0.01 * times.array().cube() - times.array();
  VectorXd values = truth;
  values[0] = values[4] = values[5] = kNaN;
  values.segment(10, 3).setConstant(kNaN);
  values[19] = kNaN;
  const VectorXd filled = fill_missing(times, values, 3.0);
  // Neighbours 3 s apart are near enough, 4 s are not; the ends stay missing. Each stretch is
  // the same cubic, which its own spline returns.
  EXPECT_NEAR(filled[4], truth[4], 100 * kEps * 20.0);
  EXPECT_NEAR(filled[5], truth[5], 100 * kEps * 20.0);
  for (const Index k : {0, 10, 11, 12, 19}) {
    EXPECT_TRUE(std::isnan(filled[k])) << k;
  }
  for (const Index k : {1, 3, 6, 9, 13, 18}) {
    EXPECT_EQ(filled[k], values[k]) << k;
  }
  EXPECT_NEAR(fill_missing(times, values, 4.0)[11], truth[11], 200 * kEps * 20.0);
}

TEST(FillMissing, SingleSamplesBetweenLongGapsStay) {
  VectorXd values = VectorXd::Constant(9, kNaN);
  values[4] = 2.5;
  const VectorXd times = VectorXd::LinSpaced(9, 0.0, 8.0);
  const VectorXd filled = fill_missing(times, values, 2.0);
  EXPECT_EQ(filled[4], 2.5);
  EXPECT_EQ(filled.array().isNaN().count(), 8);
  EXPECT_EQ(fill_missing(times, VectorXd::Constant(9, kNaN), 2.0).array().isNaN().count(), 9);
}

TEST(ResampleFormulaErrors, NameTheCulprit) {
  const VectorXd x = VectorXd::Ones(5);
  EXPECT_THAT(message_of([&] { (void)resample_band_limited(x.head(1), 1.0, 2.0); }),
              HasSubstr("resample_band_limited: number of samples"));
  EXPECT_THAT(message_of([&] { (void)resample_band_limited(x, -1.0, 2.0); }), HasSubstr("step"));
  EXPECT_THAT(message_of([&] { (void)resample_band_limited(x, 1.0, kNaN); }),
              HasSubstr("new_step"));
  EXPECT_THAT(message_of([&] { (void)resample_band_limited(x * kNaN, 1.0, 2.0); }),
              HasSubstr("values"));
  EXPECT_THAT(message_of([&] { (void)resample_band_limited(x, 1.0, 1e9); }),
              HasSubstr("new_step must not be so long that the filter reaches over 1000000 samples "
                        "of 1 s"));
  EXPECT_THAT(message_of([&] { (void)resample_band_limited(x, 1e-300, 1e300); }),
              HasSubstr("new_step"));
  EXPECT_THAT(message_of([&] { (void)resample_periodic(x, 0); }), HasSubstr("samples"));
  EXPECT_THAT(message_of([&] { (void)resample_periodic(MatrixXd(0, 1), 3); }),
              HasSubstr("number of values"));
  EXPECT_THAT(message_of([&] { (void)resample_periodic(x * kNaN, 3); }), HasSubstr("values"));
  EXPECT_THAT(message_of([&] { (void)fill_missing(x, x, 1.0); }), HasSubstr("times must increase"));
  EXPECT_THAT(message_of([&] { (void)fill_missing(x, x.head(2), 1.0); }), HasSubstr("values"));
  EXPECT_THAT(message_of([&] { (void)fill_missing(x.head(1), x.head(1), -1.0); }),
              HasSubstr("longest"));
}

}  // namespace resample_test
