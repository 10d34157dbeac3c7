#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "alembert/identify/acceleration.hpp"
#include "support/message_of.hpp"
#include "unit/identify/acceleration/motion_cases.hpp"

namespace alembert::identify {
namespace acceleration_fit_test {

using Eigen::Index;
using Eigen::VectorXd;
using motion_cases::recorded;
using motion_cases::Recorder;
using test::message_of;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

constexpr double kDamping = 0.4, kStiffness = 39.0, kStep = 0.01;

// x'' + a x' + b x = 0 in closed form: x = X exp(-a t/2) cos(ω t), ω² = b - a²/4.
VectorXd decay(Index samples) {
  const double rate = 0.5 * kDamping;
  const double omega = std::sqrt(kStiffness - rate * rate);
  VectorXd acceleration(samples);
  for (Index k = 0; k < samples; ++k) {
    const double t = kStep * static_cast<double>(k);
    // x'' = exp(-r t) ((r² - ω²) cos ω t + 2 r ω sin ω t)
    acceleration(k) = 0.1 * std::exp(-rate * t) *
                      ((rate * rate - omega * omega) * std::cos(omega * t) +
                       2.0 * rate * omega * std::sin(omega * t));
  }
  return acceleration;
}

AccelerationRecord decay_record(std::uint64_t seed) {
  return recorded(decay(1000), kStep, {.noise = 0.01, .seed = seed});
}

EquationOfMotion linear() { return read_equation_of_motion("x'' + a*x' + b*x = 0"); }

TEST(IdentifyAcceleration, FindsDampingAndStiffnessOfAFreeDecay) {
  const AccelerationFit found =
      identify_acceleration(linear(), {decay_record(1)}, {.truth = {{"b", kStiffness}}});
  ASSERT_TRUE(found.ok()) << found.message;
  EXPECT_TRUE(found.is_trusted());
  const RecordFit& record = found.records.front();
  ASSERT_TRUE(record.refined);
  EXPECT_NEAR(record.parameters()(0), kDamping, 4.0 * record.deviations()(0));
  EXPECT_NEAR(record.parameters()(1), kStiffness, 4.0 * record.deviations()(1));
  // The classical test knows the damping ratio a/(2 √b).
  EXPECT_NEAR(record.decrement.ratio, 0.5 * kDamping / std::sqrt(kStiffness),
              4.0 * record.decrement.ratio_deviation);
  // What is left is the noise: 1000 samples, 4/√2000.
  EXPECT_NEAR(std::sqrt(record.residual.squaredNorm() / 1000.0) / 0.01, 1.0, 0.09);
  EXPECT_EQ(found.names, (std::vector<std::string>{"a", "b"}));
  EXPECT_THAT(found.summary(), HasSubstr("(true 39)"));
}

// A cubic spring and its static curve, in units of the moving mass.
TEST(IdentifyAcceleration, TellsACubicSpringFromALineAndFromItsStaticTest) {
  const motion_cases::ClosedMotion motion = motion_cases::hardening(0.1, 30.0, 600.0, kStep, 800);
  StaticTest test{.displacement = VectorXd::LinSpaced(11, -0.1, 0.1), .force = {}, .mass = 2.0};
  test.force = 2.0 * (30.0 * test.displacement.array() + 600.0 * test.displacement.array().cube());
  // A curve without any scatter has no measure of what is significant.
  for (Index k = 0; k < 11; ++k) test.force(k) += k % 2 == 0 ? 1e-4 : -1e-4;
  const AccelerationFit found =
      identify_acceleration(read_equation_of_motion("x'' + a*x' + b*x + c*x^3 = 0"),
                            {recorded(motion.A, kStep, {.noise = 0.01})},
                            {.alternatives = {{"line", linear()}}, .static_test = test});
  ASSERT_TRUE(found.ok()) << found.message;
  ASSERT_TRUE(found.comparison);
  EXPECT_EQ(found.comparison->by_bic.front(), 0);
  EXPECT_EQ(found.comparison->scores.at(1).name, "line");
  EXPECT_GT(found.comparison->scores.at(1).bic_difference, 10.0);
  ASSERT_TRUE(found.static_curve);
  EXPECT_TRUE(found.static_curve->cubic_better);
  ASSERT_EQ(found.equation_force.size(), 11);
  const RecordFit& record = found.records.front();
  // -m x'' at rest is m (b x + c x³) with the parameters found.
  const double b = record.parameters()(1), c = record.parameters()(2);
  EXPECT_NEAR(found.equation_force(0), 2.0 * (-0.1 * b - 1e-3 * c), 1e-9);
  EXPECT_NEAR(b, 30.0, 4.0 * record.deviations()(1));
  EXPECT_NEAR(c, 600.0, 4.0 * record.deviations()(2));
  EXPECT_THAT(found.summary(), HasSubstr("equations, best first\n  model"));
}

TEST(IdentifyAcceleration, RepetitionsAreTestedAgainstTheirOwnNoise) {
  const AccelerationFit same =
      identify_acceleration(linear(), {decay_record(1), decay_record(2), decay_record(3)});
  ASSERT_TRUE(same.ok()) << same.message;
  ASSERT_EQ(same.repeated_refinement.size(), 2U);
  EXPECT_TRUE(same.repeated_refinement[1].consistent);
  // A spring that is 1 % stiffer: time runs 0.5 % faster.
  AccelerationRecord stiffer = decay_record(4);
  stiffer.step /= std::sqrt(1.01);
  const AccelerationFit other =
      identify_acceleration(linear(), {decay_record(1), decay_record(2), stiffer});
  EXPECT_FALSE(other.repeated_refinement[1].consistent);
  EXPECT_THAT(other.warnings, Contains(StartsWith("b scatters over the records")));
}

TEST(IdentifyAcceleration, TheRecordThatFailedIsNamed) {
  const AccelerationRecord noise = recorded(VectorXd::Zero(400), kStep, {.noise = 0.01, .seed = 5});
  const AccelerationFit found = identify_acceleration(linear(), {decay_record(1), noise});
  EXPECT_EQ(found.status, Status::NotIdentifiable);
  EXPECT_THAT(found.message, StartsWith("record 2: "));
  EXPECT_FALSE(found.is_trusted());
  const AccelerationFit named =
      identify_acceleration(linear(), {decay_record(1), noise}, {.record_names = {"p", "q.csv"}});
  EXPECT_THAT(named.message, StartsWith("q.csv: "));
}

TEST(IdentifyAcceleration, StopsBetweenRecords) {
  StopFlag stop;
  stop.request();
  const AccelerationFit found = identify_acceleration(linear(), {decay_record(1)}, {.stop = &stop});
  EXPECT_EQ(found.status, Status::Stopped);
  EXPECT_TRUE(found.records.empty());
  EXPECT_THAT(message_of([] { (void)identify_acceleration(linear(), {}); }),
              HasSubstr("identify_acceleration: records must be at least 1"));
}

}  // namespace acceleration_fit_test
}  // namespace alembert::identify
