#include "reproductions/two_link/two_link.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "alembert/core/error.hpp"
#include "core/algebra/decompositions.hpp"
#include "reproductions/two_link/derivative.hpp"
#include "reproductions/two_link/formula.hpp"
#include "reproductions/two_link/plan.hpp"
#include "reproductions/two_link/tuning.hpp"

namespace alembert::reproductions::two_link {
namespace two_link_test {

using Eigen::Index;

constexpr double kCount = 2.0 * std::numbers::pi / kEncoderCounts;

Motion beginning(const Motion& motion, Index first, Index samples) {
  return {motion.time.segment(first, samples), motion.truth.middleRows(first, samples),
          motion.exact.middleRows(first, samples)};
}

const Motion& motion_of(Trial test) {
  static const Motion motions[] = {simulate(Trial::Impulses), simulate(Trial::Sweep)};
  return motions[test == Trial::Sweep ? 1 : 0];
}

TEST(LanczosDerivative, SevenPointsHaveTheKnownWeights) {
  const Eigen::VectorXd weights = lanczos_weights(3, 0.5);
  ASSERT_EQ(weights.size(), 7);
  for (int k = -3; k <= 3; ++k) EXPECT_DOUBLE_EQ(weights(k + 3), k / (28.0 * 0.5));
}

// The slope of a least-squares parabola, by its own QR decomposition.
TEST(LanczosDerivative, IsTheSlopeOfAFittedParabola) {
  for (const Index m : {1, 3, 8}) {
    const double n = static_cast<double>(m);
    const Eigen::VectorXd t = Eigen::VectorXd::LinSpaced(2 * m + 1, -0.1 * n, 0.1 * n);
    Eigen::MatrixXd A(2 * m + 1, 3);
    A << Eigen::VectorXd::Ones(2 * m + 1), t, t.cwiseAbs2();
    const Eigen::VectorXd f = (3.0 * t).array().sin() + t.array().exp();
    const Eigen::VectorXd fit = A.colPivHouseholderQr().solve(f);
    // Rounding of a few dozen operations.
    EXPECT_NEAR(lanczos_weights(m, 0.1).dot(f), fit(1), 1e-13);
  }
}

TEST(LanczosDerivative, IsExactForParabolasAndSilentAtTheEnds) {
  const Eigen::VectorXd t = Eigen::VectorXd::LinSpaced(20, 0.0, 1.9);
  const Eigen::VectorXd slope =
      lanczos_derivative((2.0 - 3.0 * t.array() + 0.5 * t.array().square()).matrix(), 3, 0.1);
  for (Index k = 0; k < 20; ++k) {
    if (k < 3 || k > 16) {
      EXPECT_TRUE(std::isnan(slope(k)));
    } else {
      EXPECT_NEAR(slope(k), -3.0 + t(k), 1e-13);
    }
  }
}

TEST(LanczosDerivative, RefusesBadInput) {
  EXPECT_THROW((void)lanczos_weights(0, 0.1), InvalidInput);
  EXPECT_THROW((void)lanczos_weights(3, 0.0), InvalidInput);
}

// Closed form of the two uniform bars in a level plane. The elbow has friction only, in both tests:
// M21 θ1'' + M22 θ2'' + m2 L1 c2 sin θ2 θ1'² = -friction. Between the pulses the servo is a spring.
TEST(Motion, ObeysTheClosedEquations) {
  const Sizes rig;
  const double c2 = 0.5 * rig.lower;
  const double I1 = rig.upper_mass * rig.upper * rig.upper / 3.0 + rig.motor_inertia;
  const double I2 = rig.lower_mass * rig.lower * rig.lower / 3.0;
  for (const Trial test : {Trial::Impulses, Trial::Sweep}) {
    const Motion& motion = motion_of(test);
    for (Index k = 0; k < motion.time.size(); k += 7) {
      const Eigen::VectorXd x = motion.truth.row(k).transpose();
      const double coupling = rig.lower_mass * rig.upper * c2;
      const double M22 = I2;
      const double M21 = I2 + coupling * std::cos(x(1));
      const double M11 =
          I1 + I2 + rig.lower_mass * rig.upper * rig.upper + 2.0 * coupling * std::cos(x(1));
      const double h1 = -coupling * std::sin(x(1)) * (2.0 * x(2) * x(3) + x(3) * x(3));
      const double h2 = coupling * std::sin(x(1)) * x(2) * x(2);
      const double friction = -0.002 * x(3) - 0.01 * std::tanh(x(3) / 0.05);
      // Rounding: terms of up to 10 N m.
      EXPECT_NEAR(M21 * x(4) + M22 * x(5) + h2, friction, 1e-12);
      const double since = std::fmod(motion.time(k) + 1.5, 2.0);
      if (test == Trial::Impulses && since > 0.041) {
        EXPECT_NEAR(M11 * x(4) + M21 * x(5) + h1, -12.0 * x(0) - 0.25 * x(2), 1e-12);
      }
    }
  }
}

// Simpson's rule over two samples errs by h⁵/90 of the fourth derivative, (60/s)⁴ · 500 rad/s² at
// most: 7e-8. Dry friction turns within a sample when the elbow does, which is a jump of
// 2 · 0.01 N m/M22 in its acceleration; the rule is wrong by up to h/3 of it, and by h²/12 of it in
// the angle.
TEST(Motion, VelocitiesAreIntegralsOfAccelerations) {
  const Motion& motion = motion_of(Trial::Sweep);
  const Sizes rig;
  const double h = 1e-3;
  const double jump = 0.02 / (rig.lower_mass * rig.lower * rig.lower / 3.0);
  const Eigen::Vector4d tolerance(1e-7, 1e-7 + jump * h * h / 12.0, 1e-7, 1e-7 + jump * h / 3.0);
  for (Index k = 1; k + 1 < motion.time.size(); ++k) {
    for (Index i = 0; i < 4; ++i) {
      const auto slope = [&](Index at) { return motion.truth(at, i + 2); };
      const double gained = (slope(k - 1) + 4.0 * slope(k) + slope(k + 1)) * h / 3.0;
      ASSERT_NEAR(motion.truth(k + 1, i) - motion.truth(k - 1, i), gained, tolerance(i)) << k;
    }
  }
}

TEST(Motion, FollowsTheSweepAndKeepsItsEnergyBalance) {
  const Motion& sweep = motion_of(Trial::Sweep);
  for (Index k = 0; k < sweep.time.size(); k += 11) {
    const double t = sweep.time(k);
    const double phase = 2.0 * std::numbers::pi * (10.0 * t - 0.5 * t * t);
    // What the integration adds in 9 s: (60/s · 0.25 ms)⁴/120 of the amplitude for each radian.
    EXPECT_NEAR(sweep.truth(k, 0), 0.05 * std::sin(phase), 1e-8);
  }
  EXPECT_LT(sweep.energy_gap, 1e-8);
  EXPECT_LT(motion_of(Trial::Impulses).energy_gap, 1e-8);
  EXPECT_LT(simulate(Trial::Impulses, 9.81).energy_gap, 1e-8);
}

TEST(Motion, ExactReadingsAreThePublishedEquations) {
  const Sizes rig;
  const Motion& motion = motion_of(Trial::Impulses);
  for (Index k = 0; k < motion.time.size(); k += 13) {
    const Eigen::VectorXd x = motion.truth.row(k).transpose();
    EXPECT_NEAR(motion.exact(k, 2), rig.upper_sensor * x(4), 1e-12);
    EXPECT_NEAR(motion.exact(k, 3),
                (rig.upper * std::cos(x(1)) + rig.lower_sensor) * x(4) + rig.lower_sensor * x(5) +
                    rig.upper * std::sin(x(1)) * x(2) * x(2),
                1e-12);
  }
}

TEST(TwoLinkReadings, HaveTheStepsOfTheSensors) {
  EXPECT_NEAR(converter_step(kUpperSensitivity), 0.003, 5e-5);  // as printed, one digit
  EXPECT_NEAR(converter_step(kLowerSensitivity), 0.045, 5e-4);
  const Motion& motion = motion_of(Trial::Sweep);
  const Eigen::MatrixXd readings = read_sensors(motion, 3);
  const auto& sensors = make_rig()->description().sensors;
  for (Index k = 0; k < motion.time.size(); ++k) {
    for (const int joint : {ShoulderEncoder, ElbowEncoder}) {
      const double jump = readings(k, joint) - readings(0, joint);
      ASSERT_NEAR(jump, std::round(jump), 1e-9);
      const auto& sensor = sensors[static_cast<std::size_t>(joint)];
      const double angle = model::planar::physical_value(sensor, readings(k, joint));
      ASSERT_LE(std::abs(angle - motion.truth(k, joint)), 0.5 * kCount * (1.0 + 1e-9));
    }
    for (const int sensor : {UpperAccelerometer, LowerAccelerometer}) {
      const double step =
          converter_step(sensor == UpperAccelerometer ? kUpperSensitivity : kLowerSensitivity);
      const double steps = readings(k, sensor) / step;
      ASSERT_NEAR(steps, std::round(steps), 1e-9 * (1.0 + std::abs(steps)));
      // Six deviations and half a step.
      ASSERT_NEAR(readings(k, sensor), motion.exact(k, sensor),
                  6.0 * kAccelerometerNoise + 0.5 * step);
    }
  }
}

TEST(TwoLinkReadings, GaussianEncodersHaveTheVarianceOfACount) {
  const Motion& motion = motion_of(Trial::Impulses);
  const Eigen::MatrixXd readings = read_sensors(motion, 5, EncoderError::Gaussian);
  const Eigen::ArrayXd error =
      (readings.col(0).array() + 0.5) * kCount - motion.truth.col(0).array();
  const double ratio = error.square().mean() / (kCount * kCount / 12.0);
  EXPECT_NEAR(ratio, 1.0, 4.0 * std::sqrt(2.0 / 10000.0));  // 4 σ of a variance of 10000 values
  EXPECT_NEAR(model::planar::sensor_variance(make_rig()->description().sensors[0]),
              kCount * kCount / 12.0, 1e-18);
}

TEST(TwoLinkFormula, GenericMechanismIsThePublishedEquations) {
  const FormulaDifference difference = compare_formula(50);
  // Rounding, enlarged by the inverse of S: at most (L1 + d2)/d2 = 20.
  EXPECT_LT(difference.sensitivity, 1e-14);
  EXPECT_LT(difference.rest, 1e-13);
  EXPECT_LT(difference.acceleration, 1e-12);
  EXPECT_EQ(difference.states, 50);
}

TEST(TwoLinkErrors, AreRootMeanSquaresOfTheCountedSamples) {
  const Motion motion = beginning(motion_of(Trial::Sweep), 0, 2000);
  Eigen::MatrixXd estimate = motion.truth;
  estimate.col(2).array() += 0.3;
  estimate.col(5).head(600).array() += 2.0;  // 100 of the 1000 samples that count
  estimate.topRows(500).array() += 7.0;
  estimate.bottomRows(500).array() += 7.0;
  const Eigen::Vector4d rms = rms_errors(motion, estimate);
  EXPECT_NEAR(rms(0), 0.3, 1e-12);
  EXPECT_EQ(rms(1), 0.0);
  EXPECT_EQ(rms(2), 0.0);
  EXPECT_NEAR(rms(3), 2.0 * std::sqrt(0.1), 1e-12);
}

Case snap_case(const Motion& motion) {
  Case one{.mechanism = make_rig(), .motion = &motion};
  one.options = start_options(*one.mechanism, Eigen::MatrixXd::Zero(1, 4));
  one.options.output.motion = estimate::MotionModel::WhiteSnap;
  one.options.output_noise.density = {9e7, 3e8};
  return one;
}

TEST(Score, SmoothingAndAccelerometersHelp) {
  const Motion motion = beginning(motion_of(Trial::Sweep), 0, 2500);
  Case one = snap_case(motion);
  const Score filtered = score_case(one, 4);
  EXPECT_TRUE(filtered.ok);
  EXPECT_EQ(filtered.outputs, 4);
  one.smooth = true;
  const Score smoothed = score_case(one, 4);
  EXPECT_TRUE(std::isnan(smoothed.nis));
  const Eigen::MatrixXd differentiated =
      differentiate_encoders(*one.mechanism, motion, read_sensors(motion, 4), 3);
  const Eigen::Vector4d by_encoders = rms_errors(motion, differentiated);
  for (Index i = 0; i < 4; ++i) {
    EXPECT_LT(smoothed.rms(i), filtered.rms(i));
    EXPECT_LT(10.0 * filtered.rms(i), by_encoders(i));
  }
}

// 5 mm too long and not a state: nothing changes that. As a state it is learnt, in 2 s to well
// within half of it.
TEST(Score, LengthErrorsAreAgainstTheTruth) {
  const Motion motion = beginning(motion_of(Trial::Sweep), 0, 2000);
  Case one = snap_case(motion);
  one.mechanism = make_rig({.upper_sensor = 0.255});
  const Score given = score_case(one, 4);
  EXPECT_NEAR(given.length_errors(0), 0.005, 1e-15);
  EXPECT_NEAR(given.length_errors(1), 0.0, 1e-15);
  EXPECT_TRUE(std::isnan(given.length_deviations(0)));
  one.options.output.geometry = true;
  one.options.start.sigma_parameter = 0.005;
  const Score learnt = score_case(one, 4);
  EXPECT_LT(std::abs(learnt.length_errors(0)), 0.0025);
  EXPECT_LT(learnt.length_deviations(0), 0.0005);
}

double likelihood_at(const Case& one, const std::vector<double>& density) {
  const Eigen::MatrixXd readings = read_sensors(*one.motion, 6);
  estimate::KinematicObserverOptions options = one.options;
  options.start.z = start_options(*one.mechanism, readings).start.z;
  options.output_noise.density = density;
  estimate::KinematicObserver observer(one.mechanism, options);
  double sum = 0.0;
  for (Index k = 0; k < readings.rows(); ++k) {
    const Eigen::VectorXd row = readings.row(k).transpose();
    EXPECT_EQ(observer.step(k == 0 ? 0.0 : 1e-3, {row.data(), 4}).status, Status::Success);
    if (one.motion->time(k) >= kMargin) sum += observer.innovation().log_likelihood();
  }
  return sum;
}

TEST(TwoLinkTuning, DensitiesAreLikelierThanTheirNeighbours) {
  const Motion motion = beginning(motion_of(Trial::Sweep), 0, 1500);
  const Case one = snap_case(motion);
  const std::vector<double> best = likeliest_density(one, 6);
  const double highest = likelihood_at(one, best);
  for (const double factor : {0.5, 2.0}) {
    EXPECT_GT(highest, likelihood_at(one, {factor * best[0], best[1]}));
    EXPECT_GT(highest, likelihood_at(one, {best[0], factor * best[1]}));
  }
}

TEST(TwoLinkTuning, VariancesErrLessThanTheirNeighbours) {
  const Motion motion = beginning(motion_of(Trial::Sweep), 0, 2000);
  Case one = snap_case(motion);
  one.options.form = estimate::ObserverForm::Input;
  one.options.input = {.inputs = {UpperAccelerometer, LowerAccelerometer},
                       .outputs = {ShoulderEncoder, ElbowEncoder},
                       .discretisation = estimate::Discretisation::Heun,
                       .scheme = estimate::AccelerationScheme::ConstraintNow};
  const std::vector<double> best = truest_variances(one, 6);
  const auto cost = [&](double factor) {
    one.options.input_noise.kinematic = {best[0], factor * best[1], best[2]};
    return score_case(one, 6).rms.array().log().sum();
  };
  const double lowest = cost(1.0);
  EXPECT_LT(lowest, cost(0.1));
  EXPECT_LT(lowest, cost(10.0));
}

TEST(Rows, AreTheSameForAnyNumberOfThreads) {
  const Motion motion = beginning(motion_of(Trial::Sweep), 0, 1300);
  std::vector<Row> one(2, {"", snap_case(motion)});
  one[1].one.encoders = EncoderError::Gaussian;
  std::vector<Row> three = one;
  ASSERT_TRUE(score_rows({&one[0], &one[1]}, 3, {.threads = 1}));
  ASSERT_TRUE(score_rows({&three[0], &three[1]}, 3, {.threads = 3}));
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(one[i].score.rms, three[i].score.rms);
    EXPECT_EQ(one[i].score.nis, three[i].score.nis);
    EXPECT_EQ(one[i].score.angle_nees, three[i].score.angle_nees);
    EXPECT_EQ(one[i].score.motion, three[i].score.motion);
  }
  EXPECT_NE(one[0].score.rms, one[1].score.rms);
}

TEST(RunTwoLink, StopsOnRequest) {
  StopFlag stop;
  stop.request();
  const Reproduction result = run({.parallel = {.stop = &stop}});
  EXPECT_EQ(result.status, Status::Stopped);
  EXPECT_TRUE(result.claims.empty());
}

}  // namespace two_link_test
}  // namespace alembert::reproductions::two_link
