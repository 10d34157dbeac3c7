#include "reproductions/slider_crank_force/slider_crank_force.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/dual.hpp"
#include "reproductions/slider_crank_force/observers.hpp"
#include "reproductions/slider_crank_force/plant.hpp"

namespace alembert::test::slider_crank_force_test {

using namespace reproductions::slider_crank_force;  // NOLINT: all of it is tested

// M, U and s' of the textbook for uniform bars.
template <typename S>
struct Terms {
  S M, U, slope;
};

template <typename S>
Terms<S> terms_at(const Values& v, const S& angle) {
  using std::cos, std::sin, std::sqrt;
  const S c = cos(angle), n = sin(angle);
  const S sine = (v.height - v.crank * n) / v.rod;
  const S cosine = sqrt(1.0 - sine * sine);
  const S turn = -(v.crank * c) / (v.rod * cosine);
  const S x2 = -(v.crank * n) - 0.5 * v.rod * (sine * turn);
  const S y2 = v.crank * c + 0.5 * v.rod * (cosine * turn);
  const S x3 = -(v.crank * n) - v.rod * (sine * turn);
  const S M = v.crank_mass * v.crank * v.crank / 3.0 + v.rod_mass * (x2 * x2 + y2 * y2) +
              v.rod_mass * v.rod * v.rod / 12.0 * (turn * turn) + v.slider_mass * (x3 * x3);
  return {M,
          9.81 * (v.crank_mass * 0.5 * v.crank * n + v.rod_mass * 0.5 * (v.crank * n + v.height)),
          x3};
}

// T = M α + ½ M' ω² + U' − F s', of all three motions.
TEST(SliderCrankForce, TorqueIsTheEquationByHand) {
  for (const SliderMotion& m : slider_motions()) {
    for (Eigen::Index k = 0; k < m.time.size(); k += 37) {
      const auto at = terms_at(kActual, Dual<double, 1>(m.path.z(k, 0), 1.0));
      const double w = m.path.zd(k, 0);
      const double torque = at.M.value * m.path.zdd(k, 0) + 0.5 * at.M.slope[0] * w * w +
                            at.U.slope[0] - m.load(k, 0) * at.slope.value;
      // Newton closes the loop to 1e-12 of the size; torques are some 10 N m.
      EXPECT_NEAR(m.readings(k, 2), torque, 1e-8 * (1.0 + std::abs(torque))) << m.name << k;
    }
  }
}

// The motions go as far as the reference computation says: S0 2.8 to 15.3 rad/s and down to −170
// rad/s² (gains are ours: within 10 %), S1 6.28 ± 0.6 rad/s, S2 1.45 ± 0.6 rad.
TEST(SliderCrankForce, MotionsGoAsFarAsTheReference) {
  const auto& motions = slider_motions();
  EXPECT_NEAR(motions[0].path.zd.minCoeff(), 2.8, 0.28);
  EXPECT_NEAR(motions[0].path.zd.maxCoeff(), 15.3, 1.53);
  EXPECT_NEAR(motions[0].path.zdd.minCoeff(), -170.0, 17.0);
  EXPECT_NEAR(motions[1].path.zd.minCoeff(), 5.68, 1e-3);
  EXPECT_NEAR(motions[1].path.zd.maxCoeff(), 6.88, 1e-3);
  EXPECT_NEAR(motions[2].path.z.minCoeff(), 0.85, 1e-3);
  EXPECT_NEAR(motions[2].path.z.maxCoeff(), 2.05, 1e-3);
}

// The controlled crank is a solution: its speed is the integral of its acceleration, by Simpson's
// rule between pulses, to the fourth order.
TEST(SliderCrankForce, ControlledCrankObeysItsEquation) {
  const SliderMotion& m = slider_motions()[0];
  for (Eigen::Index k = 2200; k < 3300; k += 100) {
    double sum = m.path.zdd(k, 0) + m.path.zdd(k + 100, 0);
    for (Eigen::Index i = 1; i < 100; ++i) sum += (i % 2 == 1 ? 4.0 : 2.0) * m.path.zdd(k + i, 0);
    // h⁴ α''''/180 over 0.1 s: peaks of 180 rad/s² last some 10 ms, so that α'''' is up to 1e10
    EXPECT_NEAR(m.path.zd(k + 100, 0) - m.path.zd(k, 0), sum * 1e-3 / 3.0, 1e-5) << k;
  }
}

// Every observer follows every motion from its start: errors are numbers, and the force, of rms 40
// N, is found at all.
TEST(SliderCrankForce, EveryObserverRunsFromItsStart) {
  for (const ForceCase& one : force_cases()) {
    EXPECT_EQ(one.start.size(), static_cast<Eigen::Index>(level_names(one.kind).size()));
    const SliderMotion& motion = slider_motions()[2];
    const ForceErrors errors = force_errors(one, motion, noisy_readings(motion, 7), one.start);
    EXPECT_LT(errors.force, 40.0) << one.name;
    EXPECT_LT(errors.velocity, 1.0) << one.name;
  }
}

TEST(SliderCrankForce, StopsOnRequest) {
  StopFlag stop;
  stop.request();
  const auto result = run({.parallel = {.stop = &stop}});
  EXPECT_EQ(result.status, Status::Stopped);
  EXPECT_TRUE(result.claims.empty());
}

}  // namespace alembert::test::slider_crank_force_test
