#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "identify/acceleration/window_fitter.hpp"
#include "support/message_of.hpp"
#include "unit/identify/acceleration/motion_cases.hpp"

namespace alembert::identify {
namespace acceleration_test {

using namespace motion_cases;
using Eigen::Index;
using Eigen::VectorXd;
using testing::HasSubstr;

// Free decay of x'' + a x' + b x = 0 in closed form.
struct Decay {
  double a, b;
  [[nodiscard]] std::array<double, 3> at(double t) const {  // x, x', x''
    const double omega = std::sqrt(b - 0.25 * a * a);
    const double e = std::exp(-0.5 * a * t);
    const double x = e * std::cos(omega * t + 0.3);
    const double v = -0.5 * a * x - omega * e * std::sin(omega * t + 0.3);
    return {x, v, -a * v - b * x};
  }
  [[nodiscard]] VectorXd acceleration(double step, Index samples) const {
    VectorXd A(samples);
    for (Index k = 0; k < samples; ++k) A(k) = at(step * static_cast<double>(k))[2];
    return A;
  }
};

// Truncation: the splines have the orders 4 and 6; in integrals their errors cancel but at the
// ends, which gives up to one order more. Halving the step divides the error by 16 to 32, and 64 to
// 128.
TEST(ReconstructMotion, HasTheOrderOfItsSpline) {
  const Decay decay{0.2, 30.0};
  for (const auto& [spline, ratio] :
       {std::pair{AccelerationSpline::Cubic, 16.0}, std::pair{AccelerationSpline::Quintic, 64.0}}) {
    double before = 0.0;
    for (const Index samples : {81, 161, 321}) {
      const double step = 4.0 / static_cast<double>(samples - 1);
      const IntegratedSignals signals =
          integrate_record(recorded(decay.acceleration(step, samples), step), {.spline = spline});
      const auto first = decay.at(0.0);
      double worst = 0.0;
      for (Index k = 0; k < samples; ++k) {
        const double t = step * static_cast<double>(k);
        const auto expected = decay.at(t);
        const auto row = static_cast<std::size_t>(k);
        worst = std::max({worst, std::abs(signals.V[row] + first[1] - expected[1]),
                          std::abs(signals.X[row] + first[0] + first[1] * t - expected[0])});
      }
      if (before > 0.0) {
        EXPECT_GT(before / worst, ratio) << samples;
        EXPECT_LT(before / worst, 2.2 * ratio) << samples;
      }
      before = worst;
    }
  }
}

TEST(ReconstructMotion, FindsCycleAndNoise) {
  const VectorXd A = duffing_motion(0.1, 1000.0, 10.0 * kCycle);
  const IntegratedSignals signals = integrate_record(recorded(A, 1e-3, {.noise = 0.02}));
  EXPECT_NEAR(signals.cycle, kCycle, 0.002);
  // Statistics: σ of n samples from differences is within 4 √(2/n) and the order's loss of 3.
  EXPECT_NEAR(signals.noise, 0.02, 0.02 * 12.0 / std::sqrt(2.0 * 10831.0));
  EXPECT_FALSE(signals.smoothed);
  // The spec's 40 dB count where samples are left out.
  EXPECT_TRUE(integrate_record(recorded(A, 1e-3, {.noise = 0.05}), {.every = 10}).smoothed);
  EXPECT_FALSE(integrate_record(recorded(A, 1e-3, {.noise = 0.002}), {.every = 10}).smoothed);
  const IntegratedSignals given = integrate_record(
      recorded(A, 1e-3), {.smoothing = Choice::Always, .lambda = 1e-9, .every = 10});
  EXPECT_EQ(given.lambda, 1e-9);
  EXPECT_EQ(given.samples(), 1084);
  EXPECT_THAT(given.note, HasSubstr("as given"));
}

// Oracle: Jacobi's elliptic functions; at 200 samples per cycle the quintic spline leaves 1e-9.
TEST(FitMotion, RecoversUndampedDuffingFromItsClosedForm) {
  const ClosedMotion soft = softening(0.12, 5.0, 0.613, 0.008, 500);
  const ClosedMotion hard = hardening(0.3, 40.0, 700.0, 0.004, 500);
  EXPECT_NEAR(soft.c * 0.12 * 0.12 / soft.b, -0.76, 0.001);
  const EquationOfMotion equation = duffing();
  for (const auto& [motion, step] : {std::pair{&soft, 0.008}, std::pair{&hard, 0.004}}) {
    const IntegratedSignals signals =
        integrate_record(recorded(motion->A, step), {.spline = AccelerationSpline::Quintic});
    const WindowFit fit = fit_window(equation, signals, 0, signals.samples());
    ASSERT_TRUE(fit.ok()) << fit.message;
    EXPECT_NEAR(fit.parameters(0), 0.0, 1e-7);
    EXPECT_NEAR(fit.parameters(1) / motion->b, 1.0, 1e-7);
    EXPECT_NEAR(fit.parameters(2) / motion->c, 1.0, 1e-7);
    EXPECT_NEAR(fit.x0, motion->x(0), 1e-8);
    EXPECT_NEAR(fit.v0, motion->v(0), 1e-7);
    EXPECT_NEAR(fit.offset, 0.0, 1e-7);
  }
}

// For a linear equation the start is the solution, offset and damping included; truncation of the
// spline at 115 samples per cycle.
TEST(FitMotion, StartsFromTheSolutionOfTheLinearEquation) {
  const Decay decay{0.5, 30.0};
  AccelerationRecord record = recorded(decay.acceleration(0.01, 300), 0.01, {.offset = 0.7});
  const IntegratedSignals signals =
      integrate_record(record, {.spline = AccelerationSpline::Quintic});
  const EquationOfMotion equation = read_equation_of_motion("x'' + a*x' + b*x = 0");
  const WindowFitOptions options;
  const WindowRegression regression(equation, signals, options, true);
  for (const Index first : {0, 37}) {
    const WindowState start = linear_start(regression, {first, 250});
    const auto expected = decay.at(0.01 * static_cast<double>(first));
    EXPECT_NEAR(start.x0, expected[0], 1e-6);
    EXPECT_NEAR(start.v0, expected[1], 1e-6);
    EXPECT_NEAR(start.offset, 0.7, 1e-6);
  }
}

// Truth by simulation. Bounds are those of the specification: the spread of one record's mean.
TEST(IdentifyAcceleration, MeetsTheReferenceNumbers) {
  const VectorXd A = duffing_motion(0.1, 100.0, 10.0 * kCycle);
  const AccelerationRegression result = regress_acceleration(
      duffing(), recorded(A, 0.01, {.noise = 1e-3, .range = 5.0}), {.windows = {.shift = 0.1}});
  ASSERT_TRUE(result.ok()) << result.message;
  EXPECT_EQ(result.failed, 0);
  EXPECT_NEAR(result.signals.snr_db, 65.5, 1.5);
  EXPECT_LT(std::abs(percent(result.parameters(0), kA)), 0.5);
  EXPECT_LT(std::abs(percent(result.parameters(1), kB)), 0.01);
  EXPECT_LT(std::abs(percent(result.parameters(2), kC)), 0.1);

  const AccelerationRecord biased =
      recorded(A, 0.01, {.noise = 1e-3, .range = 5.0, .offset = 0.02});
  const AccelerationRegression with = regress_acceleration(duffing(), biased);
  EXPECT_LT(std::abs(percent(with.parameters(2), kC)), 0.1);
  EXPECT_NEAR(with.offset, 0.02, 4.0 * with.offset_deviation);
  const AccelerationRegression without =
      regress_acceleration(duffing(), biased, {.fit = {.offset = Choice::Never}});
  EXPECT_GT(percent(without.parameters(2), kC), 10.0);  // the specification has 16.7
  // Windows too short for an offset of their own take that of longer ones.
  const AccelerationRegression cycle =
      regress_acceleration(duffing(), biased, {.windows = {.length = 1.0, .shift = 0.1}});
  EXPECT_LT(std::abs(percent(cycle.parameters(2), kC)), 0.2);
  EXPECT_NEAR(cycle.offset, 0.02, 4.0 * cycle.offset_deviation);
}

// x0 with c x0²/b = -0.76: the fixed point fails, variable projection does not.
TEST(IdentifyAcceleration, StrongNonlinearityNeedsVariableProjection) {
  const double x0 = std::sqrt(0.76 * kB / -kC);
  const AccelerationRecord record =
      recorded(duffing_motion(x0, 100.0, 9.0), 0.01, {.noise = 1e-3, .range = 10.0});
  for (const double length : {1.0, 2.0}) {
    RegressionOptions options{.windows = {.length = length, .shift = 0.25, .warm_start = false}};
    const AccelerationRegression projected = regress_acceleration(duffing(), record, options);
    EXPECT_EQ(projected.failed, 0);
    EXPECT_LT(std::abs(percent(projected.parameters(2), kC)), 0.1);
    options.fit.method = RegressionMethod::FixedPoint;
    const AccelerationRegression fixed = regress_acceleration(duffing(), record, options);
    EXPECT_FALSE(fixed.ok());
    EXPECT_GT(2 * fixed.failed, static_cast<Index>(fixed.windows.size()));
    EXPECT_THAT(fixed.message, HasSubstr("windows failed"));
  }
}

TEST(IdentifyAcceleration, FixedPointAgreesWhereItConverges) {
  const AccelerationRecord record =
      recorded(duffing_motion(0.1, 100.0, 6.0), 0.01, {.noise = 1e-3});
  const AccelerationRegression fixed = regress_acceleration(
      duffing(), record,
      {.fit = {.method = RegressionMethod::FixedPoint, .offset = Choice::Always}});
  const AccelerationRegression projected = regress_acceleration(duffing(), record);
  EXPECT_EQ(fixed.failed, 0);
  // The two weigh the noise differently: they differ by a part of the standard deviation.
  for (Index j = 0; j < 3; ++j) {
    EXPECT_LT(std::abs(fixed.parameters(j) - projected.parameters(j)), projected.deviations(j));
  }
  EXPECT_GT(fixed.windows.front().iterations, projected.windows.front().iterations);
}

// Oracle: the estimate as a function of every sample, by differences: Σ (∂p/∂A_k)² σ² is its
// variance. 5 % for curvature and for the trapezoidal sums in place of spline integrals.
TEST(IdentifyAcceleration, DeviationsAreThoseOfThePerturbedEstimate) {
  const AccelerationRecord record =
      recorded(duffing_motion(0.1, 40.0, 4.5), 0.025, {.noise = 2e-3});
  const RegressionOptions plain{.windows = {.shift = 0.5}};
  RegressionOptions smoothed = plain;
  smoothed.reconstruction = {
      .smoothing = Choice::Always, .lambda = 1e-6, .every = 2, .cycle = kCycle};
  for (RegressionOptions options : {plain, smoothed}) {
    options.reconstruction.cycle = kCycle;
    const AccelerationRegression result = regress_acceleration(duffing(), record, options);
    ASSERT_TRUE(result.ok());
    VectorXd variance = VectorXd::Zero(4);
    constexpr double kChange = 1e-4;
    for (Index k = 0; k < record.samples(); ++k) {
      AccelerationRecord changed = record;
      changed.acceleration(k) += kChange;
      const AccelerationRegression moved = regress_acceleration(duffing(), changed, options);
      for (Index j = 0; j < 3; ++j) {
        variance(j) += std::pow((moved.parameters(j) - result.parameters(j)) / kChange, 2);
      }
      variance(3) += std::pow((moved.offset - result.offset) / kChange, 2);
    }
    for (Index j = 0; j < 3; ++j) {
      EXPECT_NEAR(result.deviations(j) / (result.noise * std::sqrt(variance(j))), 1.0, 0.05) << j;
    }
    EXPECT_NEAR(result.offset_deviation / (result.noise * std::sqrt(variance(3))), 1.0, 0.05);
  }
}

// Statistics: errors over reported deviations of 40 records; Σ z² is χ² with 40 degrees of freedom,
// inside (18, 76) with probability 0.999.
TEST(IdentifyAcceleration, DeviationsCoverTheErrors) {
  const VectorXd A = duffing_motion(0.1, 100.0, 5.0 * kCycle);
  VectorXd sum = VectorXd::Zero(3);
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const AccelerationRegression result =
        regress_acceleration(duffing(), recorded(A, 0.01, {.noise = 0.02, .seed = seed}));
    const VectorXd error = result.parameters - vector({kA, kB, kC});
    sum += error.cwiseQuotient(result.deviations).cwiseAbs2();
  }
  for (const double value : sum) {
    EXPECT_GT(value, 18.0);
    EXPECT_LT(value, 76.0);
  }
}

TEST(IdentifyAcceleration, UsesMeasuredChannelsForcingDriftAndNonlinearParameters) {
  const double step = 0.01;
  const Index samples = 400;
  Eigen::MatrixXd force(samples, 1);
  for (Index k = 0; k < samples; ++k)
    force(k, 0) = 2.0 * std::sin(3.0 * step * static_cast<double>(k));
  const EquationOfMotion equation =
      read_equation_of_motion("x'' + a*x' + g*sin(k*x)/k + e*abs(x')*x' = F",
                              {.parameters = {"a", "g", "k", "e"}, .inputs = {"F"}});
  EXPECT_FALSE(equation.linear[2]);
  const std::vector<double> truth{0.1, 30.0, 3.0, 0.2};
  const SimulatedMotion motion =
      simulate_motion(equation, vector(truth), 0.3, 0.0, step, samples, force);
  AccelerationRecord record = recorded(motion.acceleration, step);
  record.forcing = force;
  WindowFitOptions fit{.parameters = {{.name = "k", .guess = 1.5, .lower = 0.1, .upper = 10.0}}};
  for (const int measured : {0, 1, 2, 3}) {
    record.velocity = (measured & 1) != 0 ? motion.velocity : VectorXd();
    record.displacement = (measured & 2) != 0 ? motion.displacement : VectorXd();
    const AccelerationRegression result =
        regress_acceleration(equation, record, {.fit = fit, .windows = {.length = 0.0}});
    ASSERT_TRUE(result.ok()) << result.message;
    // Truncation of the spline at 110 samples per cycle, about 1e-6.
    for (std::size_t j = 0; j < truth.size(); ++j) {
      EXPECT_NEAR(result.parameters(static_cast<Index>(j)) / truth[j], 1.0, 2e-3) << measured << j;
    }
  }
  record.velocity = record.displacement = {};
  for (Index k = 0; k < samples; ++k) {
    record.acceleration(k) += 0.1 + 0.05 * step * static_cast<double>(k);
  }
  fit.drift = true;
  const AccelerationRegression drifted =
      regress_acceleration(equation, record, {.fit = fit, .windows = {.length = 0.0}});
  EXPECT_NEAR(drifted.windows.front().drift, 0.05, 1e-4);
  EXPECT_NEAR(drifted.windows.front().offset, 0.1, 1e-4);
  EXPECT_NEAR(drifted.parameters(1), 30.0, 0.1);
}

// Equivalent stiffness of a cubic spring over a cycle of amplitude X: b + 3/4 c X² for the harmonic
// motion; the mean over the motion as it is differs by the third harmonic, some percent of the part
// in c. Damping: a.
TEST(IdentifyAcceleration, ShowsTrendsWithAmplitude) {
  const EquationOfMotion equation = read_equation_of_motion("x'' + a*x' + b*x + c*x^3 = 0");
  const SimulatedMotion motion =
      simulate_motion(equation, vector({0.2, 36.78, -444.7}), 0.12, 0.0, 0.005, 2400);
  const AccelerationRegression result =
      regress_acceleration(equation, recorded(motion.acceleration, 0.005));
  ASSERT_GE(result.windows.size(), 10U);
  EXPECT_LT(result.windows.back().amplitude, 0.7 * result.windows.front().amplitude);
  for (const WindowFit& window : result.windows) {
    const double X = window.amplitude;
    EXPECT_NEAR(window.equivalent_stiffness, 36.78 - 0.75 * 444.7 * X * X,
                0.15 * 0.75 * 444.7 * X * X);
    EXPECT_NEAR(window.equivalent_damping, 0.2, 0.01);
  }
  EXPECT_LT(result.stiffness_trend.slope, 0.0);
  EXPECT_NEAR(result.trends[1].slope, 0.0, 1.0);  // b itself does not depend on the amplitude
}

TEST(IdentifyAcceleration, WindowsShiftAndWarmStartDoNotMatter) {
  const AccelerationRecord record =
      recorded(duffing_motion(0.1, 200.0, 8.0), 0.005, {.noise = 1e-3});
  const AccelerationRegression warm = regress_acceleration(duffing(), record);
  const AccelerationRegression cold =
      regress_acceleration(duffing(), record, {.windows = {.warm_start = false}});
  ASSERT_EQ(warm.windows.size(), cold.windows.size());
  for (std::size_t k = 0; k < warm.windows.size(); ++k) {
    // The same minimum, to the tolerance of the iteration.
    EXPECT_NEAR(warm.windows[k].parameters(2) / cold.windows[k].parameters(2), 1.0, 1e-6);
    EXPECT_LE(warm.windows[k].evaluations, cold.windows[k].evaluations);
  }
  EXPECT_EQ(warm.windows[1].first, std::lround(0.5 * warm.signals.cycle / 0.005));
}

// Property: with lengths in mm and times in ms the parameters change by their units, and nothing
// else.
TEST(IdentifyAcceleration, UnitsDoNotMatter) {
  const AccelerationRecord record =
      recorded(duffing_motion(0.1, 100.0, 6.0), 0.01, {.noise = 1e-3});
  AccelerationRecord other = record;
  other.step *= 1e3;
  other.acceleration *= 1e3 * 1e-6;
  const AccelerationRegression first = regress_acceleration(duffing(), record);
  const AccelerationRegression second = regress_acceleration(duffing(), other);
  const VectorXd factor = vector({1e-3, 1e-6, 1e-12});
  for (Index j = 0; j < 3; ++j) {
    // The iteration ends at other last digits.
    EXPECT_NEAR(second.parameters(j) / (factor(j) * first.parameters(j)), 1.0, 1e-6);
    EXPECT_NEAR(second.deviations(j) / (factor(j) * first.deviations(j)), 1.0, 1e-6);
  }
}

TEST(IdentifyAcceleration, NamesBadInput) {
  const VectorXd A = duffing_motion(0.1, 100.0, 3.0);
  const AccelerationRecord record = recorded(A, 0.01);
  const auto message = [](const auto& call) { return test::message_of(call); };
  AccelerationRecord bad = record;
  bad.acceleration(3) = std::nan("");
  EXPECT_THAT(message([&] { static_cast<void>(integrate_record(bad)); }),
              HasSubstr("acceleration"));
  bad = record;
  bad.velocity = VectorXd::Zero(3);
  EXPECT_THAT(message([&] { static_cast<void>(integrate_record(bad)); }), HasSubstr("velocity"));
  bad = record;
  bad.step = 0.0;
  EXPECT_THAT(message([&] { static_cast<void>(integrate_record(bad)); }), HasSubstr("step"));
  EXPECT_THAT(message([&] {
                static_cast<void>(regress_acceleration(
                    read_equation_of_motion("x'' + b*x + c*abs(x)^n = 0"), record));
              }),
              HasSubstr("guess for n"));
  EXPECT_THAT(
      message([&] {
        static_cast<void>(regress_acceleration(read_equation_of_motion("x'' + c*x^3 = 0"), record,
                                               {.fit = {.method = RegressionMethod::FixedPoint}}));
      }),
      HasSubstr("b*x"));
  EXPECT_THAT(message([&] {
                static_cast<void>(regress_acceleration(duffing(), record,
                                                       {.fit = {.parameters = {{.name = "z"}}}}));
              }),
              HasSubstr("got z"));
  // Less than one cycle, and terms that cannot be told apart, are results.
  AccelerationRecord brief = record;
  brief.acceleration = A.head(80);
  EXPECT_EQ(regress_acceleration(duffing(), brief).status, Status::NotIdentifiable);
  const AccelerationRegression twice =
      regress_acceleration(read_equation_of_motion("x'' + b*x + d*x = 0"), record);
  EXPECT_EQ(twice.status, Status::NotIdentifiable);
  EXPECT_THAT(twice.message, HasSubstr("linearly dependent"));
}

}  // namespace acceleration_test
}  // namespace alembert::identify
