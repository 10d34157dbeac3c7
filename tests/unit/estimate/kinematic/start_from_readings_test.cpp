#include "alembert/estimate/start_from_readings.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>
#include <limits>

#include "alembert/core/random.hpp"

namespace alembert::estimate {
namespace start_from_readings_test {

using Eigen::Index;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Two links, each angle read by an encoder; the second against the first.
model::planar::Mechanism two_links(double sigma, bool wrap = false) {
  model::planar::MechanismDescription d;
  d.bodies = {{.name = "upper", .points = {{"A", {0.0, 0.0}}, {"B", {0.5, 0.0}}}},
              {.name = "lower", .points = {{"B", {0.0, 0.0}}}}};
  d.joints = {{.name = "A", .b = "upper.A"}, {.name = "B", .a = "upper.B", .b = "lower.B"}};
  d.coordinates = {model::planar::parse_coordinate("angle(upper)"),
                   model::planar::parse_coordinate("angle(lower, upper)")};
  d.sensors = {{.name = "q1", .of = "upper", .wrap = wrap, .sigma = sigma},
               {.name = "q2", .of = "lower", .relative_to = "upper", .sigma = sigma}};
  return model::planar::Mechanism(d);
}

struct Motion {
  Eigen::VectorXd time;
  Eigen::MatrixXd readings;
};

// q1 = 0.3 + 11 t + 4 t², q2 = -0.2 + sin 5t, at 1 kHz, with noise.
Motion motion(double sigma, std::uint64_t seed, Index samples = 400) {
  RandomStream random(seed);
  Motion made{Eigen::VectorXd(samples), Eigen::MatrixXd(samples, 2)};
  for (Index k = 0; k < samples; ++k) {
    const double t = 1e-3 * static_cast<double>(k);
    made.time(k) = t;
    made.readings(k, 0) = 0.3 + 11.0 * t + 4.0 * t * t + sigma * random.normal();
    made.readings(k, 1) = -0.2 + std::sin(5.0 * t) + sigma * random.normal();
  }
  return made;
}

// What a parabola through t³ at the first N samples has as position, velocity and acceleration at
// t = 0; for many samples T³/20, -3T²/5 and 3T.
Eigen::Vector3d parabola_of_cube(int samples) {
  Eigen::MatrixXd columns(samples, 3);
  Eigen::VectorXd cube(samples);
  for (int k = 0; k < samples; ++k) {
    columns.row(k) << 1.0, k, 0.5 * k * k;
    cube(k) = std::pow(k, 3);
  }
  const Eigen::Vector3d fit = columns.colPivHouseholderQr().solve(cube);
  return {1e-9 * fit(0), 1e-6 * fit(1), 1e-3 * fit(2)};  // from samples to seconds
}

// A parabola is exact for the first. The sine deviates by -5³ t³/6, of which a parabola leaves
// 5³ T³/(120 √7): 1e-4 rad, or one σ, at the 63 ms of 64 samples, so that these do not fit, and
// 0.1 σ at the 31 ms of 32, which do.
TEST(StartFromReadings, FindsPositionVelocityAndAcceleration) {
  constexpr double kSigma = 1e-4;
  const Motion made = motion(kSigma, 1);
  const RecordStart start = start_from_readings(two_links(kSigma), made.time, made.readings);
  EXPECT_EQ(start.first, 0);
  const Eigen::Vector3d first(0.3, 11.0, 8.0);
  const Eigen::Vector3d second =
      Eigen::Vector3d(-0.2, 5.0, 0.0) - 125.0 / 6.0 * parabola_of_cube(32);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(start.coordinates[0].value(i), first(i), 4.0 * start.coordinates[0].deviation(i));
    EXPECT_NEAR(start.coordinates[1].value(i), second(i), 4.0 * start.coordinates[1].deviation(i));
  }
  // Least squares of a parabola at its end: variance of the slope 192 σ²/(N³ h²), N = 64.
  EXPECT_NEAR(start.coordinates[0].deviation(1),
              kSigma * std::sqrt(192.0 / std::pow(64.0, 3)) / 1e-3,
              0.1 * start.coordinates[0].deviation(1));
}

// Standard deviations are honest: of 300 starts 95 % within two of them, ± 1.3 %.
TEST(StartFromReadings, StandardDeviationsHold) {
  constexpr double kSigma = 3e-3;
  int within = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Motion made = motion(kSigma, seed);
    const CoordinateStart start =
        start_from_readings(two_links(kSigma), made.time, made.readings).coordinates[0];
    within += std::abs(start.value(1) - 11.0) < 1.96 * start.deviation(1) ? 1 : 0;
  }
  EXPECT_GE(within, 300 * 0.91);
}

// χ² with 13, 29 and 61 degrees of freedom passes its limit in 1 of 100 records each, so that at
// most 6 of 200 are expected to take fewer than 64 readings; a Poisson count of mean 6 exceeds 17
// in 1 of 10,000. One limit for all, 1.5, would leave one in ten with 8 readings.
TEST(StartFromReadings, NoiseAloneDoesNotLeaveReadingsOut) {
  constexpr double kSigma = 9e-3;
  const double of_all = kSigma * std::sqrt(192.0 / std::pow(64.0, 3)) / 1e-3;  // as above
  int fewer = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Motion made = motion(kSigma, seed);
    const CoordinateStart start =
        start_from_readings(two_links(kSigma), made.time, made.readings).coordinates[0];
    // 32 readings have 2.8 times that deviation; a misfit at its limit adds 1.3.
    fewer += start.deviation(1) > 1.5 * of_all ? 1 : 0;
  }
  EXPECT_LE(fewer, 17);
}

TEST(StartFromReadings, IsNotMisledByAnOutlierOrATurn) {
  constexpr double kSigma = 3e-3;
  Motion made = motion(kSigma, 2);
  made.readings(0, 0) += 2.0;
  const CoordinateStart outlier =
      start_from_readings(two_links(kSigma), made.time, made.readings).coordinates[0];
  EXPECT_NEAR(outlier.value(0), 0.3, 6.0 * outlier.deviation(0));
  EXPECT_NEAR(outlier.value(1), 11.0, 6.0 * outlier.deviation(1));
  // The encoder passes 2π after 27 ms.
  Motion turning = motion(kSigma, 3);
  turning.readings.col(0).array() += 5.7;
  for (double& reading : turning.readings.col(0)) reading = std::fmod(reading, 2.0 * M_PI);
  const CoordinateStart turned =
      start_from_readings(two_links(kSigma, true), turning.time, turning.readings).coordinates[0];
  EXPECT_NEAR(turned.value(0), 6.0, 4.0 * turned.deviation(0));
  EXPECT_NEAR(turned.value(1), 11.0, 4.0 * turned.deviation(1));
}

TEST(StartFromReadings, BeginsWhereAllAreKnown) {
  constexpr double kSigma = 1e-3;
  Motion made = motion(kSigma, 4);
  made.readings.col(1).head(100).setConstant(kNone);
  for (Index k = 0; k < made.readings.rows(); ++k) {
    if (k % 7 != 0) made.readings(k, 0) = kNone;
  }
  const RecordStart start = start_from_readings(two_links(kSigma), made.time, made.readings);
  EXPECT_EQ(start.first, 100);
  EXPECT_NEAR(start.coordinates[0].value(0), 0.3 + 1.1 + 0.04, 5.0 * kSigma);
  EXPECT_NEAR(start.coordinates[0].value(1), 11.8, 5.0 * start.coordinates[0].deviation(1));
}

TEST(StartFromReadings, FewReadingsGiveThePositionAlone) {
  const Motion made = motion(1e-3, 5, 3);
  const RecordStart start = start_from_readings(two_links(1e-3), made.time, made.readings);
  EXPECT_EQ(start.coordinates[0].value(0), made.readings(0, 0));
  EXPECT_TRUE(std::isinf(start.coordinates[0].deviation(1)));
  Motion unread = made;
  unread.readings.col(1).setConstant(kNone);
  EXPECT_FALSE(
      start_from_readings(two_links(1e-3), unread.time, unread.readings).coordinates[1].known);
}

}  // namespace start_from_readings_test
}  // namespace alembert::estimate
