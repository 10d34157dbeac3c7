#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "alembert/identify/acceleration.hpp"
#include "unit/identify/acceleration/motion_cases.hpp"

// What must not pass as good in a fit of an equation of motion, each found for its own reason.
namespace alembert::identify::acceleration_evidence_test {
namespace {

using Eigen::VectorXd;
using motion_cases::duffing;
using motion_cases::recorded;
using testing::Contains;
using testing::HasSubstr;

constexpr double kGravityUnit = 9.80665;
constexpr double kRate = 100.0;

// The oscillator of [Jaksic2002], released at 0.1 m, 16 s, noise of 0.1 % of the first peak.
AccelerationRecord decay(double unit = 1.0) {
  const VectorXd motion = motion_cases::duffing_motion(0.1, kRate, 16.0);
  AccelerationRecord record = recorded(motion, 1.0 / kRate, {.noise = 3e-3, .seed = 4});
  record.acceleration /= unit;
  return record;
}

EquationOfMotion linear() { return read_equation_of_motion("x'' + a*x' + b*x = 0"); }

std::string words(const AccelerationFit& found) {
  return testing::PrintToString(found.verdict.reasons);
}

TEST(AccelerationEvidence, ASoundRecordIsGood) {
  const AccelerationFit found = identify_acceleration(duffing(), {decay()});
  EXPECT_EQ(found.verdict.level, TrustLevel::Good) << words(found);
  const RecordFit& record = found.records.front();
  ASSERT_TRUE(record.second_half);
  // Two halves of 800 samples each: the ratio of their rms is 1 with a deviation of 1/√800 and what
  // the parameters of the first half are wrong by, less than that.
  EXPECT_NEAR(record.second_half->predicted / record.second_half->fitted, 1.0,
              8.0 / std::sqrt(800.0));
}

// c x³: c is proportional to the unit to the power -2, a and b do not depend on it.
TEST(AccelerationEvidence, KnowsWhichParametersDependOnTheUnit) {
  const AccelerationFit found = identify_acceleration(duffing(), {decay()});
  ASSERT_EQ(found.unit_dependence.size(), 1U);
  EXPECT_EQ(found.unit_dependence[0].name, "c");
  EXPECT_NEAR(found.unit_dependence[0].in_g, std::pow(kGravityUnit, -2.0), 1e-9);
  const AccelerationFit friction = identify_acceleration(
      read_equation_of_motion("x'' + a*x' + b*x + d*smooth_sign(x', 1e-9) = 0"), {decay()});
  bool listed = false;
  for (const UnitDependence& one : friction.unit_dependence) {
    if (one.name != "d") continue;
    listed = true;
    EXPECT_NEAR(one.in_g, kGravityUnit, 1e-6);  // degree 0
  }
  EXPECT_TRUE(listed);
}

TEST(AccelerationEvidence, ADuffingRecordInGWithoutAUnitIsNotCalledGood) {
  const AccelerationFit found =
      identify_acceleration(duffing(), {decay(kGravityUnit)}, {.unit_known = false});
  EXPECT_EQ(found.verdict.level, TrustLevel::Caution) << words(found);
  EXPECT_THAT(found.verdict.reasons, Contains(HasSubstr("if it is g, c would be 0.0104 times")));
  // c is 96 times too large, as the reason says.
  EXPECT_NEAR(found.records.front().parameters()(2) / motion_cases::kC, kGravityUnit * kGravityUnit,
              1.0);
  // A line has no such parameter.
  const motion_cases::ClosedMotion small = motion_cases::hardening(0.1, 36.0, 1e-9, 0.01, 1600);
  const AccelerationRecord line = recorded(small.A, 0.01, {.noise = 3e-3});
  const AccelerationFit same = identify_acceleration(linear(), {line}, {.unit_known = false});
  EXPECT_TRUE(same.unit_dependence.empty());
}

TEST(AccelerationEvidence, ADisplacementThatContradictsTheUnitIsBad) {
  const AccelerationFit found = identify_acceleration(duffing(), {decay(kGravityUnit)},
                                                      {.amplitude = 0.1, .sensor_unit = "m/s2"});
  EXPECT_EQ(found.verdict.level, TrustLevel::Bad) << words(found);
  EXPECT_THAT(found.verdict.reasons, Contains(HasSubstr("is the acceleration in g?")));
  const AccelerationFit right =
      identify_acceleration(duffing(), {decay()}, {.amplitude = 0.1, .sensor_unit = "m/s2"});
  EXPECT_EQ(right.verdict.level, TrustLevel::Good) << words(right);
}

TEST(AccelerationEvidence, AStaticTestThatContradictsTheUnitIsBad) {
  StaticTest test{.displacement = VectorXd::LinSpaced(11, -0.1, 0.1), .force = {}, .mass = 1.0};
  test.force = motion_cases::kB * test.displacement.array() +
               motion_cases::kC * test.displacement.array().cube();
  for (Eigen::Index k = 0; k < 11; ++k) test.force(k) += k % 2 == 0 ? 1e-4 : -1e-4;
  const AccelerationFit found =
      identify_acceleration(duffing(), {decay(kGravityUnit)}, {.static_test = test});
  EXPECT_EQ(found.verdict.level, TrustLevel::Bad) << words(found);
  const AccelerationFit right = identify_acceleration(duffing(), {decay()}, {.static_test = test});
  EXPECT_EQ(right.verdict.level, TrustLevel::Good) << words(right);
}

// b falls with the square of the amplitude: by 3/4 c A² = -3.3 of 36.8 at 0.1 m.
TEST(AccelerationEvidence, AnEquationWithoutItsCubicTermIsNotCalledGood) {
  AccelerationRecord record = recorded(motion_cases::duffing_motion(0.1, kRate, 200.0), 1.0 / kRate,
                                       {.noise = 3e-3, .seed = 4});
  const AccelerationFit found = identify_acceleration(linear(), {record});
  EXPECT_NE(found.verdict.level, TrustLevel::Good);
  EXPECT_THAT(found.verdict.reasons, Contains(HasSubstr("windows disagree: b is")));
}

// x'' + a x' + b x = -f sign(x'), released at x0: between two turns x + f/b·sign(x') decays as a
// linear motion from rest, so that each half cycle is closed. Six cycles of 60 samples, none at a
// turn, where the acceleration jumps.
AccelerationRecord rubbing(double friction, std::uint64_t seed) {
  constexpr double kDamping = 0.1, kStiffness = 40.0, kRelease = 0.1, kHalf = 0.5 * kDamping;
  const double omega = std::sqrt(kStiffness - kHalf * kHalf), half_cycle = std::numbers::pi / omega;
  const double step = half_cycle / 30.0;
  VectorXd A(360);
  double from = kRelease, sign = -1.0;  // of the velocity
  for (Eigen::Index k = 0, passed = 0; k < A.size(); ++k) {
    if (k / 30 > passed) {
      const double centre = -sign * friction / kStiffness;
      from = centre - (from - centre) * std::exp(-kHalf * half_cycle);
      sign = -sign;
      ++passed;
    }
    const double centre = -sign * friction / kStiffness;
    const double t = step * (static_cast<double>(k - 30 * passed) + 0.5), c = std::cos(omega * t),
                 s = std::sin(omega * t), decay = (from - centre) * std::exp(-kHalf * t);
    // x - centre = decay (c + h/ω s), its derivative -decay (ω + h²/ω) s.
    A(k) = -kStiffness * decay * (c + kHalf / omega * s) +
           kDamping * decay * (omega + kHalf * kHalf / omega) * s;
  }
  return recorded(A, step, {.noise = 0.01, .seed = seed});  // 0.25 % of the first peak
}

// Friction of 0.4 % of the largest force, 1.6 times the noise: nothing that one sample shows.
TEST(AccelerationEvidence, DryFrictionThatTheEquationHasNotIsSaid) {
  const double friction = 0.016;
  const AccelerationFit found = identify_acceleration(linear(), {rubbing(friction, 3)});
  EXPECT_EQ(found.verdict.level, TrustLevel::Caution) << words(found);
  EXPECT_THAT(found.verdict.reasons, Contains(HasSubstr("*sign(x')")));
  ASSERT_FALSE(found.records.front().missing_terms.empty());
  const MissingTerm& term = found.records.front().missing_terms.front();
  EXPECT_EQ(term.text, "sign(x')");
  EXPECT_NEAR(term.coefficient, friction, 4.0 * term.deviation);
  EXPECT_GT(term.shift, 1.0);
}

// 1 in 1000 sound records may show a term: 20 without one are no chance.
TEST(AccelerationEvidence, SoundRecordsShowNoMissingTerm) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const AccelerationFit found = identify_acceleration(linear(), {rubbing(0.0, seed)});
    EXPECT_TRUE(found.records.front().missing_terms.empty()) << seed;
    EXPECT_EQ(found.verdict.level, TrustLevel::Good) << seed << words(found);
  }
}

TEST(AccelerationEvidence, ASecondHalfThatTheFirstDoesNotPredictIsSaid) {
  AccelerationRecord record = decay();
  record.acceleration.tail(800) *= 0.5;
  const AccelerationFit found = identify_acceleration(duffing(), {record});
  EXPECT_EQ(found.verdict.level, TrustLevel::Bad) << words(found);
  EXPECT_THAT(found.verdict.reasons, Contains(HasSubstr("a fit of the first half predicts")));
}

// One reading in fifty is off by twice the first peak, to either side: white, and half the power of
// the motion.
TEST(AccelerationEvidence, SpikesAreSaid) {
  AccelerationRecord record = decay();
  RandomStream random(5);
  for (Eigen::Index k = 25; k < record.samples(); k += 50) {
    record.acceleration(k) += random.normal() > 0.0 ? 7.0 : -7.0;
  }
  const AccelerationFit found = identify_acceleration(duffing(), {record});
  EXPECT_NE(found.verdict.level, TrustLevel::Good);
  EXPECT_THAT(found.verdict.reasons,
              Contains(HasSubstr("residuals of the acceleration are outliers")));
}

TEST(AccelerationEvidence, AnOffsetThatIsEstimatedSpeaksAgainstNothing) {
  AccelerationRecord record = decay();
  record.acceleration.array() += 0.1;
  const AccelerationFit found = identify_acceleration(duffing(), {record});
  ASSERT_TRUE(found.records.front().diagnosis.has(RecordFault::Offset));
  EXPECT_EQ(found.verdict.level, TrustLevel::Good) << words(found);
}

TEST(AccelerationEvidence, BoundsAndParametersThatAreHardlyKnownAreSaid) {
  const AccelerationFit bound = identify_acceleration(
      duffing(), {decay()},
      {.parameters = {{.name = "a", .guess = 0.02, .lower = 0.015, .upper = 0.1}}});
  EXPECT_THAT(bound.verdict.reasons, Contains(HasSubstr("a ended at its bound")));
  // Without drag its parameter is noise.
  const AccelerationFit drag = identify_acceleration(
      read_equation_of_motion("x'' + a*x' + b*x + c*x^3 + e*x'^5 = 0"), {decay()});
  EXPECT_THAT(drag.verdict.reasons, Contains(HasSubstr("e is known to")));
}

}  // namespace
}  // namespace alembert::identify::acceleration_evidence_test
