#include "alembert/identify/acceleration_refine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/core/chi_square.hpp"
#include "identify/acceleration/nested_equations.hpp"
#include "support/message_of.hpp"
#include "unit/identify/acceleration/motion_cases.hpp"

namespace alembert::identify {
namespace acceleration_refine_test {

using namespace motion_cases;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const EquationRefineOptions kInterpreted{.engine = model::EngineKind::Interpreter};

// Oracle: elliptic functions; tolerance of the integrator 1e-11 per step over some 100 steps.
TEST(SimulateMotion, AgreesWithTheClosedForm) {
  const ClosedMotion hard = hardening(0.3, 40.0, 700.0, 0.01, 400);
  const SimulatedMotion motion =
      simulate_motion(duffing(), vector({0.0, 40.0, 700.0}), 0.3, 0.0, 0.01, 400);
  ASSERT_TRUE(motion.ok());
  EXPECT_LT((motion.displacement - hard.x).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LT((motion.velocity - hard.v).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_LT((motion.acceleration - hard.A).cwiseAbs().maxCoeff(), 1e-6);
}

// Dry friction: arcs of cosines about ±d/b, the amplitude falls by 2d/b in each half cycle.
TEST(SimulateMotion, LocatesTheTurnsOfFriction) {
  const EquationOfMotion equation = read_equation_of_motion("x'' + b*x + d*sign(x') = 0");
  const double b = 25.0, d = 0.05, x0 = 0.1;
  const double half = std::numbers::pi / 5.0;
  const SimulatedMotion motion =
      simulate_motion(equation, vector({b, d}), x0, 0.0, half / 50.0, 401);
  ASSERT_TRUE(motion.ok());
  for (Index n = 0; n <= 8; ++n) {
    const double expected = (x0 - 2.0 * d / b * static_cast<double>(n)) * (n % 2 == 0 ? 1.0 : -1.0);
    EXPECT_NEAR(motion.displacement(50 * n), expected, 1e-9) << n;
  }
}

// The specification: c within 0.05 % at 1 kHz and 12 bit; deviations near a 2.7e-6, b 4e-4, c 0.06.
TEST(RefineMotion, RemovesTheBiasAtOneKilohertz) {
  const VectorXd A = duffing_motion(0.1, 1000.0, 10.0 * kCycle);
  const AccelerationRecord record =
      recorded(A, 1e-3, {.noise = 1e-3, .range = 5.0, .offset = 0.02});
  const AccelerationRegression regression = regress_acceleration(duffing(), record);
  const RefinedEquation refined = refine_equation(duffing(), record, regression, kInterpreted);
  ASSERT_TRUE(refined.ok()) << refined.message;
  EXPECT_LT(std::abs(percent(refined.parameters(2), kC)), 0.05);
  const VectorXd truth = vector({kA, kB, kC});
  for (Index j = 0; j < 3; ++j) {
    EXPECT_LT(std::abs(refined.parameters(j) - truth(j)), 4.0 * refined.deviations(j)) << j;
  }
  // 12 bit and noise give σ = 1.22e-3 m/s²; the specification's deviations to a factor 1.5.
  EXPECT_NEAR(std::log(refined.deviations(0) / 2.7e-6), 0.0, std::log(1.5));
  EXPECT_NEAR(std::log(refined.deviations(1) / 4e-4), 0.0, std::log(3.0));
  EXPECT_NEAR(std::log(refined.deviations(2) / 0.06), 0.0, std::log(3.0));
  EXPECT_NEAR(refined.offset, 0.02, 4.0 * refined.offset_deviation);
  EXPECT_NEAR(refined.x0, 0.1, 4.0 * refined.x0_deviation);
  EXPECT_NEAR(refined.residual, 1.22e-3, 0.05e-3);
  // Half of the record carries less.
  EquationRefineOptions half = kInterpreted;
  half.part = 0.5;
  EXPECT_GT(refine_equation(duffing(), record, regression, half).deviations(0),
            2.0 * refined.deviations(0));
}

TEST(RefineMotion, RecoversFrictionWithoutSmoothingIt) {
  const EquationOfMotion equation = read_equation_of_motion("x'' + a*x' + b*x + d*sign(x') = 0");
  const VectorXd truth = vector({0.05, 36.78, 0.05});
  const SimulatedMotion motion = simulate_motion(equation, truth, 0.1, 0.0, 0.002, 2500);
  const double noise = 0.01 * std::sqrt(motion.acceleration.squaredNorm() / 2500.0);  // 40 dB
  VectorXd sum = VectorXd::Zero(3);
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const AccelerationRecord record =
        recorded(motion.acceleration, 0.002, {.noise = noise, .seed = seed});
    const RefinedEquation refined =
        refine_equation(equation, record, regress_acceleration(equation, record), kInterpreted);
    ASSERT_TRUE(refined.ok()) << refined.message;
    sum += (refined.parameters - truth).cwiseQuotient(refined.deviations).cwiseAbs2();
    EXPECT_LT(refined.samples, 2500);  // those beside a jump are left out
    EXPECT_GT(refined.samples, 2400);
  }
  // χ² with 6 degrees of freedom is inside (0.3, 24) with probability 0.999.
  for (const double value : sum) {
    EXPECT_GT(value, 0.3);
    EXPECT_LT(value, 24.0);
  }
}

// A motion that dies out: late windows are left out, and the search starts where it can.
TEST(RefineMotion, FollowsAMotionThatDiesOut) {
  const VectorXd truth = vector({1.0, kB, kC});
  const SimulatedMotion motion = simulate_motion(duffing(), truth, 0.2, 0.0, 0.01, 1200);
  const AccelerationRecord record = recorded(motion.acceleration, 0.01, {.noise = 0.01});
  const AccelerationRegression regression = regress_acceleration(duffing(), record);
  ASSERT_TRUE(regression.ok()) << regression.message;
  EXPECT_LT(regression.windows.size(), 12U);  // 20 without a limit
  EXPECT_GT(
      regress_acceleration(duffing(), record, {.windows = {.least_amplitude = 0.0}}).deviations(2),
      10.0 * regression.deviations(2));
  const RefinedEquation refined = refine_equation(duffing(), record, regression, kInterpreted);
  ASSERT_TRUE(refined.ok()) << refined.message;
  for (Index j = 0; j < 3; ++j) {
    EXPECT_LT(std::abs(refined.parameters(j) - truth(j)), 4.0 * refined.deviations(j)) << j;
  }
}

TEST(SimulateMotion, SaysWhereFrictionStopsTheMotion) {
  const EquationOfMotion equation = read_equation_of_motion("x'' + b*x + d*sign(x') = 0");
  const SimulatedMotion motion =
      simulate_motion(equation, vector({25.0, 1.0}), 0.1, 0.0, 0.01, 500);
  EXPECT_EQ(motion.status, Status::NotFinite);
  EXPECT_THAT(motion.message, HasSubstr("at rest"));
  EXPECT_GT(motion.time.size(), 60);  // it turns once, after 0.63 s
}

TEST(RefineMotion, HoldsFixedParametersAndChecksNames) {
  const AccelerationRecord record =
      recorded(duffing_motion(0.1, 100.0, 4.0), 0.01, {.noise = 1e-3});
  RegressionOptions options;
  options.fit.parameters = {{.name = "a", .guess = kA, .fixed = true}};
  const AccelerationRegression regression = regress_acceleration(duffing(), record, options);
  EXPECT_EQ(regression.parameters(0), kA);
  EXPECT_EQ(regression.deviations(0), 0.0);
  EquationRefineOptions refine = kInterpreted;
  refine.parameters = options.fit.parameters;
  const RefinedEquation refined = refine_equation(duffing(), record, regression, refine);
  EXPECT_EQ(refined.parameters(0), kA);
  EXPECT_EQ(refined.unknowns, 5);  // b, c, x0, v0, offset
  refine.parameters[0].name = "q";
  EXPECT_THAT(test::message_of([&] {
                static_cast<void>(refine_equation(duffing(), record, regression, refine));
              }),
              HasSubstr("got q"));
}

// An equation that contains another one equals it with the further parameters at 0.
TEST(NestedEquations, ContainWhatTheyEqualWithTermsLeftOut) {
  const EquationOfMotion linear = read_equation_of_motion("x'' + a*x' + b*x = 0");
  const AccelerationRecord record = recorded(duffing_motion(0.1, 100.0, 4.0), 0.01, {});
  RefinedEquation optimum;
  optimum.parameters = vector({0.1, 36.0});
  optimum.x0 = 0.1;
  const std::optional<VectorXd> found = as_smaller(duffing(), {}, linear, optimum, record);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(*found, vector({0.1, 36.0, 0.0}));
  // The same names in other terms, too few names, bounds that leave out 0.
  const EquationOfMotion cubic = read_equation_of_motion("x'' + a*x' + b*x^3 = 0");
  EXPECT_FALSE(as_smaller(duffing(), {}, cubic, optimum, record).has_value());
  const EquationOfMotion other = read_equation_of_motion("x'' + q*x' + b*x = 0");
  EXPECT_FALSE(as_smaller(duffing(), {}, other, optimum, record).has_value());
  EXPECT_FALSE(
      as_smaller(duffing(), {{.name = "c", .upper = -1.0}}, linear, optimum, record).has_value());
  optimum.parameters = vector({0.1, 36.0, 0.0});
  EXPECT_FALSE(as_smaller(linear, {}, duffing(), optimum, record).has_value());
}

// A fit that was left in a bad place is found again from the smaller equation's optimum.
TEST(NestedEquations, ALargerOneNeverFitsWorse) {
  const std::vector<EquationCandidate> candidates{
      {"linear", read_equation_of_motion("x'' + a*x' + b*x = 0")}, {"duffing", duffing()}};
  const AccelerationRecord record =
      recorded(duffing_motion(0.1, 100.0, 4.0), 0.01, {.noise = 2e-3, .seed = 5});
  const EquationComparison found = compare_equations(candidates, record, {.refine = kInterpreted});
  const double best = found.scores[1].refined.residual;
  std::vector<EquationScore> scores = found.scores;
  scores[1].refined.parameters *= 2.0;
  scores[1].refined.residual = 10.0 * scores[0].refined.residual;
  const std::vector<NestedPair> pairs =
      keep_nested_order(candidates, record, {kInterpreted}, scores);
  // The same optimum, by a search with relative steps of 1e-8.
  EXPECT_NEAR(scores[1].refined.residual, best, 1e-6 * best);
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs.front().larger, 1U);
  EXPECT_EQ(pairs.front().smaller, 0U);
  EXPECT_NEAR(pairs.front().ratio, best / scores[0].refined.residual, 1e-6);
  EXPECT_THAT(nesting_warnings(candidates, pairs), IsEmpty());
  EXPECT_THAT(nesting_warnings(candidates, {{.larger = 1, .smaller = 0, .ratio = 1.5}}),
              ElementsAre(HasSubstr("'duffing' contains 'linear'")));
}

TEST(CompareMotions, PrefersTheEquationThatMadeTheRecord) {
  const std::vector<EquationCandidate> candidates{
      {"linear", read_equation_of_motion("x'' + a*x' + b*x = 0")},
      {"duffing", duffing()},
      {"friction", read_equation_of_motion("x'' + a*x' + b*x + c*x^3 + d*sign(x') = 0")}};
  const AccelerationRecord record =
      recorded(duffing_motion(0.1, 100.0, 10.0), 0.01, {.noise = 2e-3, .seed = 3});
  const EquationComparison result = compare_equations(candidates, record, {.refine = kInterpreted});
  ASSERT_TRUE(result.ok());
  EXPECT_THAT(result.by_bic, ElementsAre(1, 2, 0));
  EXPECT_EQ(result.scores[1].bic_difference, 0.0);
  EXPECT_EQ(result.by_prediction.back(), 0);
  // The wrong one is out of phase in the second half, the right one predicts to the noise.
  EXPECT_GT(result.scores[0].relative_prediction_error, 0.05);
  EXPECT_NEAR(result.scores[1].prediction_error, 2e-3, 0.3e-3);
  // N ln(rss/N) + n ln N by hand, N the effective samples by the fit that leaves least.
  const RefinedEquation& best = result.scores[1].refined;
  const RefinedEquation& least =
      result.scores[2].refined.residual < best.residual ? result.scores[2].refined : best;
  const double share = least.search.coloured.effective_samples / least.search.coloured.samples;
  // White noise: all of them, as far as 1001 samples can tell.
  EXPECT_NEAR(share, 1.0, 0.05);
  const double n = 1001.0 * share;
  EXPECT_NEAR(best.bic, n * std::log(best.residual * best.residual) + 6.0 * std::log(n), 1e-6);
  EXPECT_NEAR(best.aic, n * std::log(best.residual * best.residual) + 12.0, 1e-6);
  // One parameter more than needed costs ln N, less what it gains by chance. Friction leaves
  // samples out, some 4 % of them: the residual of the others differs by 1 % at most, N ln(s²)
  // by 20.
  EXPECT_LT(result.scores[2].bic_difference, std::log(n) + 20.0);
  double weights = 0.0;
  for (const EquationScore& score : result.scores) weights += score.weight;
  EXPECT_NEAR(weights, 1.0, 1e-12);
}

TEST(Repeatability, FollowsItsFormulas) {
  MatrixXd values(3, 2), deviations(3, 2);
  values << 10.0, 1.0, 12.0, 1.1, 11.0, 0.9;
  deviations << 1.0, 0.01, 2.0, 0.01, 1.0, 0.01;
  const std::vector<RepeatedParameter> result = repeatability({"b", "c"}, values, deviations);
  EXPECT_DOUBLE_EQ(result[0].mean, 11.0);
  EXPECT_DOUBLE_EQ(result[0].spread, 1.0);
  // Weights 1, 1/4, 1: (10 + 3 + 11)/2.25.
  EXPECT_DOUBLE_EQ(result[0].weighted_mean, 24.0 / 2.25);
  EXPECT_DOUBLE_EQ(result[0].weighted_deviation, 1.0 / 1.5);
  const double m = 24.0 / 2.25;
  const double chi = std::pow(10.0 - m, 2) + std::pow((12.0 - m) / 2.0, 2) + std::pow(11.0 - m, 2);
  EXPECT_NEAR(result[0].chi_square, chi, 1e-14);
  EXPECT_NEAR(result[0].probability, std::exp(-0.5 * chi), 1e-12);  // two degrees of freedom
  EXPECT_TRUE(result[0].consistent);
  EXPECT_FALSE(result[1].consistent);  // ±10 σ
  EXPECT_NEAR(result[1].relative_spread, 0.1, 1e-12);
  EXPECT_THAT(test::message_of([&] {
                deviations(1, 1) = 0.0;
                static_cast<void>(repeatability({"b", "c"}, values, deviations));
              }),
              HasSubstr("deviation of c"));
}

}  // namespace acceleration_refine_test
}  // namespace alembert::identify
