#include "alembert/model/planar/move_mechanism.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "alembert/core/error.hpp"
#include "alembert/signal/spline.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"
#include "unit/model/planar/planar_examples.hpp"

namespace alembert::test::move_mechanism_test {

using model::TimeFormula;
using model::planar::CoordinatePath;
using model::planar::MechanismMotion;
using model::planar::move_mechanism;
using testing::HasSubstr;

constexpr double kCrank = 0.14;  // m
constexpr double kRod = 0.56;
constexpr double kSpeed = 12.0;  // rad/s

Eigen::VectorXd some_times() { return Eigen::VectorXd::LinSpaced(400, 0.0, 1.0); }

// z = w t with a swing, so that all three derivatives count.
Eigen::Vector3d angle_at(double t) {
  return {kSpeed * t + 0.2 * std::sin(5.0 * t), kSpeed + std::cos(5.0 * t),
          -5.0 * std::sin(5.0 * t)};
}

CoordinatePath crank_path(const Eigen::VectorXd& times) {
  CoordinatePath path;
  path.z = path.zd = path.zdd = Eigen::MatrixXd(times.size(), 1);
  for (Eigen::Index k = 0; k < times.size(); ++k) {
    const Eigen::Vector3d z = angle_at(times(k));
    path.z(k, 0) = z(0);
    path.zd(k, 0) = z(1);
    path.zdd(k, 0) = z(2);
  }
  return path;
}

// x = a cos z + √(b² − a² sin² z), x' = f' z', x'' = f' z'' + f'' z'².
Eigen::Vector3d slider_at(const Eigen::Vector3d& z, double a, double b) {
  const double s = std::sin(z(0));
  const double c = std::cos(z(0));
  const double root = std::sqrt(b * b - a * a * s * s);
  const double first = -a * s - a * a * s * c / root;
  const double second = -a * c - a * a * (c * c - s * s) / root -
                        a * a * a * a * s * s * c * c / (root * root * root);
  return {a * c + root, first * z(1), first * z(2) + second * z(1) * z(1)};
}

Eigen::MatrixX3d slider_along(const Eigen::VectorXd& times, double a, double b) {
  Eigen::MatrixX3d expected(times.size(), 3);
  for (Eigen::Index k = 0; k < times.size(); ++k) {
    expected.row(k) = slider_at(angle_at(times(k)), a, b).transpose();
  }
  return expected;
}

// Rounding: accelerations of 20 m/s² from about 100 operations, positions of 1 m solved to 1e-13.
constexpr double kRounding = 1e-10;

TEST(MoveMechanism, ASliderCrankFollowsItsFormula) {
  const Mechanism mechanism(slider_crank(kCrank, kRod));
  const Eigen::VectorXd times = some_times();
  const MechanismMotion motion = move_mechanism(mechanism, times, crank_path(times));
  ASSERT_TRUE(motion.ok()) << motion.message;
  const Eigen::MatrixX3d expected = slider_along(times, kCrank, kRod);
  const Eigen::Index x = 6;  // of the slider, the third body
  EXPECT_TRUE(matrices_near(motion.q.col(x), expected.col(0), {.abs = kRounding}));
  EXPECT_TRUE(matrices_near(motion.qd.col(x), expected.col(1), {.abs = kRounding}));
  EXPECT_TRUE(matrices_near(motion.qdd.col(x), expected.col(2), {.abs = kRounding}));
  // Sensors: the angle of the crank, which goes on after a turn, and the accelerometer.
  EXPECT_TRUE(matrices_near(motion.readings.col(0), crank_path(times).z, {.abs = kRounding}));
  EXPECT_TRUE(matrices_near(motion.readings.col(1), expected.col(2), {.abs = kRounding}));
}

TEST(MoveMechanism, FormulaAndCurveAreLaws) {
  const Mechanism mechanism(slider_crank(kCrank, kRod));
  const Eigen::VectorXd times = some_times();
  const Eigen::MatrixX3d expected = slider_along(times, kCrank, kRod);
  const MechanismMotion by_formula =
      move_mechanism(mechanism, times, {TimeFormula("w*t + 0.2*sin(5*t)", {{"w", kSpeed, ""}})});
  ASSERT_TRUE(by_formula.ok()) << by_formula.message;
  EXPECT_TRUE(matrices_near(by_formula.readings.col(1), expected.col(2), {.abs = kRounding}));
  const MechanismMotion by_curve =
      move_mechanism(mechanism, times, {signal::quintic_spline(times, crank_path(times).z.col(0))});
  ASSERT_TRUE(by_curve.ok()) << by_curve.message;
  // A quintic spline of step h has z'' wrong by about h⁴ max|z⁽⁶⁾| = 1e-7, more at the ends.
  EXPECT_TRUE(matrices_near(by_curve.readings.col(1), expected.col(2), {.abs = 1e-5}));
}

TEST(MoveMechanism, LengthsAreThoseOfTheParameters) {
  MechanismDescription longer = slider_crank(kCrank, kRod);
  longer.parameters = {model::planar::length_parameter(longer, "rod", "A", "B")};
  const Mechanism mechanism(longer);
  const Eigen::VectorXd times = some_times();
  const MechanismMotion motion =
      move_mechanism(mechanism, times, crank_path(times),
                     {.lengths = Eigen::VectorXd::Constant(1, 0.01), .poses = false});
  ASSERT_TRUE(motion.ok()) << motion.message;
  EXPECT_TRUE(matrices_near(motion.readings.col(1), slider_along(times, kCrank, kRod + 0.01).col(2),
                            {.abs = kRounding}));
  EXPECT_EQ(motion.q.size(), 0);
}

// A rod shorter than the crank reaches the guide where a |sin z| <= b: z = 0.3 + t ends at
// asin(0.1 / 0.14) = 0.7956 rad.
TEST(MoveMechanism, ItEndsWhereAPositionCannotBeReached) {
  const Mechanism mechanism(slider_crank(kCrank, 0.1));
  const Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(1001, 0.0, 1.0);
  const MechanismMotion motion = move_mechanism(mechanism, times, {TimeFormula("0.3 + t")});
  EXPECT_EQ(motion.status, Status::NotConverged);
  EXPECT_THAT(motion.message, HasSubstr("at t = 0.496 s, angle(crank) = 0.796: "));
  EXPECT_EQ(motion.readings.rows(), 496);
  EXPECT_EQ(motion.qdd.rows(), 496);
  const MechanismMotion nowhere = move_mechanism(mechanism, times, {TimeFormula("1.5")});
  EXPECT_FALSE(nowhere.ok());
  EXPECT_EQ(nowhere.readings.rows(), 0);
}

TEST(MoveMechanism, ItEndsWhereACoordinateIsNotFinite) {
  const Mechanism mechanism(slider_crank(kCrank, kRod));
  const Eigen::VectorXd times = some_times();
  CoordinatePath path = crank_path(times);
  path.zd(3, 0) = std::numeric_limits<double>::quiet_NaN();
  const MechanismMotion motion = move_mechanism(mechanism, times, path);
  EXPECT_EQ(motion.status, Status::NotFinite);
  EXPECT_EQ(motion.message, "the velocity of angle(crank) is not finite at t = 0.0075188 s");
  EXPECT_EQ(motion.readings.rows(), 3);
}

TEST(MoveMechanism, NoTimesAreNoMotion) {
  const Mechanism mechanism(slider_crank(kCrank, kRod));
  const MechanismMotion motion = move_mechanism(mechanism, Eigen::VectorXd(0), {TimeFormula("t")});
  EXPECT_TRUE(motion.ok());
  EXPECT_EQ(motion.readings.rows(), 0);
}

TEST(MoveMechanism, RefusesSizesThatDoNotFit) {
  const Mechanism mechanism(slider_crank(kCrank, kRod));
  const Eigen::VectorXd times = some_times();
  const auto message = [&](const CoordinatePath& path, const model::planar::MoveOptions& options) {
    return message_of([&] { (void)move_mechanism(mechanism, times, path, options); });
  };
  CoordinatePath path = crank_path(times);
  EXPECT_THAT(message(path, {.lengths = Eigen::Vector2d::Zero()}),
              HasSubstr("move_mechanism: lengths"));
  path.zdd.resize(5, 1);
  EXPECT_THAT(message(path, {}), HasSubstr("move_mechanism: path.zdd"));
  EXPECT_THAT(message_of([&] {
                (void)move_mechanism(mechanism, times, {TimeFormula("t"), TimeFormula("t")});
              }),
              HasSubstr("move_mechanism: laws"));
}

}  // namespace alembert::test::move_mechanism_test
