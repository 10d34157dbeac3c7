#include "alembert/signal/detrend.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "core/algebra/decompositions.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace detrend_test {

using alembert::signal::detrended;
using alembert::signal::polynomial_trend;
using alembert::signal::Record;
using alembert::signal::TimeAxis;
using alembert::test::kEps;
using alembert::test::matrices_near;
using alembert::test::message_of;
using Eigen::Index;
using Eigen::VectorXd;
using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

VectorXd noise(Index n, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  VectorXd values(n);
  for (double& value : values) {
    value = normal(engine);
  }
  return values;
}

VectorXd uneven_times(Index n) {
  VectorXd times = VectorXd::LinSpaced(n, 0.0, 1.0);
  return times.array() + 0.3 * times.array().square();
}

TEST(Detrended, RemovesTheMean) {
  const VectorXd values = Eigen::Vector4d(1, 2, 3, 6);
  EXPECT_TRUE(
      matrices_near(detrended(values, 0), Eigen::Vector4d(-2, -1, 0, 3), {.abs = 8 * kEps * 6}));
}

TEST(Detrended, RemovesALineAtUnevenTimes) {
  const VectorXd times = Eigen::Vector4d(0, 1, 3, 7);
  const VectorXd line = 5.0 - 2.0 * times.array();
  EXPECT_TRUE(matrices_near(detrended(times, line, 1), VectorXd::Zero(4), {.abs = 16 * kEps * 10}));
  EXPECT_TRUE(matrices_near(polynomial_trend(times, line, 1), line, {.rel = 16 * kEps}));
}

// Independent method: Householder least squares on Chebyshev polynomials, which are well
// conditioned up to the degrees used here.
TEST(PolynomialTrend, AgreesWithHouseholderLeastSquares) {
  for (const int degree : {0, 1, 2, 5, 10, 15}) {
    const Index n = 200;
    const VectorXd times = uneven_times(n);
    const VectorXd values = noise(n, 5);
    const VectorXd x = 2.0 * times.array() / times[n - 1] - 1.0;
    Eigen::MatrixXd basis(n, degree + 1);
    for (int j = 0; j <= degree; ++j) {
      basis.col(j) = (static_cast<double>(j) * x.array().acos()).cos();
    }
    const VectorXd expected = basis * basis.householderQr().solve(values);
    EXPECT_TRUE(
        matrices_near(polynomial_trend(times, values, degree), expected, {.rel = 1000 * kEps}))
        << degree;
  }
}

// The residual is orthogonal to all polynomials of the degree, and a second pass finds nothing.
TEST(Detrended, HighDegreesStayOrthogonal) {
  const Index n = 2000;
  const VectorXd values = noise(n, 6);
  const VectorXd rest = detrended(values, 30);
  const VectorXd x = VectorXd::LinSpaced(n, -1.0, 1.0);
  for (int j = 0; j <= 30; ++j) {
    const VectorXd chebyshev = (static_cast<double>(j) * x.array().acos()).cos();
    // Sums of n products of size 1 and the loss of orthogonality at the degree.
    EXPECT_NEAR(chebyshev.dot(rest), 0.0, 200.0 * static_cast<double>(n) * kEps) << j;
  }
}

// Times far from zero, in a small unit: the same trend.
TEST(PolynomialTrend, DoesNotDependOnOriginAndUnitOfTime) {
  const Index n = 100;
  const VectorXd times = VectorXd::LinSpaced(n, 0.0, 99.0);
  const VectorXd values = noise(n, 7);
  const VectorXd expected = polynomial_trend(values, 3);
  EXPECT_TRUE(matrices_near(polynomial_trend(times, values, 3), expected, {.rel = 200 * kEps}));
  // The times are multiples of 2^-20 below 2^31: exact.
  const VectorXd moved = 1073741824.0 + (times.array() / 1048576.0);
  EXPECT_TRUE(matrices_near(polynomial_trend(moved, values, 3), expected, {.rel = 200 * kEps}));
}

TEST(PolynomialTrend, GoesThroughAllSamplesAtFullDegree) {
  const VectorXd values = noise(6, 8);
  EXPECT_TRUE(matrices_near(polynomial_trend(values, 5), values, {.rel = 200 * kEps}));
}

TEST(PolynomialTrend, MissingValuesCountNothing) {
  VectorXd values(6);
  values << kNaN, 3, 5, kNaN, 9, kNaN;
  const VectorXd trend = polynomial_trend(values, 1);
  VectorXd line(6);
  line << 1, 3, 5, 7, 9, 11;
  EXPECT_TRUE(matrices_near(trend, line, {.rel = 32 * kEps}));
  const VectorXd rest = detrended(values, 1);
  EXPECT_TRUE(std::isnan(rest[0]) && std::isnan(rest[3]) && std::isnan(rest[5]));
  EXPECT_NEAR(rest[4], 0.0, 32 * kEps * 11);
}

// Many samples on a large offset: the mean is right to the last digits.
TEST(Detrended, LargeOffsetIsRemovedCleanly) {
  const Index n = 200000;
  VectorXd values(n);
  for (Index k = 0; k < n; ++k) {
    values[k] = 1e6 + ((k % 2) == 0 ? 0.5 : -0.5);
  }
  EXPECT_TRUE(std::abs(detrended(values, 0).sum() / static_cast<double>(n)) < 2 * kEps * 1e6);
}

TEST(Detrended, WorksOnAllChannelsOfARecord) {
  Eigen::MatrixXd samples(4, 3);
  samples << 1, 5, kNaN,  //
      2, 5, kNaN,         //
      kNaN, 5, kNaN,      //
      4, 9, kNaN;
  Record record(TimeAxis::uniform(4, 0.5, 3.0),
                {{.name = "a", .unit = "N"}, {.name = "b"}, {.name = "c"}}, samples, "title");
  const double* const place = record.samples().data();
  const Record rest = detrended(std::move(record), 0);
  EXPECT_EQ(rest.samples().data(), place);
  EXPECT_EQ(rest.title(), "title");
  EXPECT_EQ(rest.channels()[0].unit, "N");
  EXPECT_EQ(rest.time().start(), 3.0);
  EXPECT_NEAR(rest.samples()(0, 0), 1.0 - 7.0 / 3.0, 8 * kEps * 4);
  EXPECT_NEAR(rest.samples()(3, 1), 3.0, 8 * kEps * 9);
  EXPECT_EQ(rest.missing(0), 1);
  EXPECT_EQ(rest.missing(2), 4);
}

TEST(Detrended, RejectsBadInput) {
  const VectorXd three = Eigen::Vector3d(1, 2, 4);
  EXPECT_THAT(message_of([&] { (void)detrended(three, -1); }), HasSubstr("detrended: degree"));
  EXPECT_THAT(message_of([&] { (void)detrended(three, 3); }),
              HasSubstr("degree must be below the number of values that are not missing, got 3 "
                        "with 3"));
  EXPECT_THAT(message_of([&] { (void)polynomial_trend(Eigen::Vector2d(0, 1), three, 1); }),
              HasSubstr("polynomial_trend: number of values"));
  EXPECT_THAT(message_of([&] { (void)detrended(Eigen::Vector3d(0, 0, 1), three, 1); }),
              HasSubstr("times must increase"));
  EXPECT_THAT(message_of([&] {
                (void)detrended(Eigen::Vector2d(0, std::numeric_limits<double>::infinity()), 0);
              }),
              HasSubstr("got inf at sample 2"));
  EXPECT_THAT(message_of([] { (void)detrended(VectorXd(), 0); }), HasSubstr("got 0 with 0"));
  const Record record(TimeAxis::uniform(2, 1.0), {{.name = "short"}}, Eigen::Vector2d(1, kNaN));
  EXPECT_THAT(message_of([&] { (void)detrended(record, 1); }), HasSubstr("channel 'short'"));
}

}  // namespace detrend_test
