#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "alembert/core/random.hpp"
#include "alembert/identify/equation_fit.hpp"
#include "identify/verdict/unsure.hpp"

// What must not pass as good in a fit of equations, each found for its own reason.
namespace alembert::identify::equation_evidence_test {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using testing::Contains;
using testing::HasSubstr;

constexpr double kStep = 0.1;
constexpr double kFast = 2.0, kSlow = 0.7, kGain = 3.0;
constexpr double kFastNoise = 0.03, kSlowNoise = 0.03;

// x' = -a x + b u, y' = c (x - y) under held inputs of three samples each, in closed form:
//   x = x̂ + X exp(-a t), x̂ = b u/a,  y = x̂ + c X/(c - a) exp(-a t) + Y exp(-c t)
Experiment lags(Index samples, std::uint64_t seed, double first = 0.0) {
  RandomStream random(seed);
  Experiment one{
      .input = Eigen::MatrixXd(samples, 1), .output = Eigen::MatrixXd(samples, 2), .step = kStep};
  double x = first, y = first, level = 0.0;
  for (Index k = 0; k < samples; ++k) {
    if (k % 3 == 0) level = random.normal();
    one.input(k, 0) = level;
    one.output(k, 0) = x + kFastNoise * random.normal();
    one.output(k, 1) = y + kSlowNoise * random.normal();
    const double rest = kGain * level / kFast, X = x - rest;
    const double share = kSlow / (kSlow - kFast) * X, Y = y - rest - share;
    x = rest + X * std::exp(-kFast * kStep);
    y = rest + share * std::exp(-kFast * kStep) + Y * std::exp(-kSlow * kStep);
  }
  return one;
}

EquationFit fit(const Experiments& data, const EquationFitOptions& given = {},
                const std::string& gain = "b") {
  EquationFitOptions options = given;
  options.engine = model::EngineKind::Interpreter;
  model::EquationSetup setup;
  setup.inputs = {{"u", ""}};
  setup.outputs = {{"x", ""}, {"y", ""}};
  std::vector<optimize::Parameter> guesses = {{.name = "a", .guess = 1.5, .lower = 0.0},
                                              {.name = "c", .guess = 1.0, .lower = 0.0}};
  if (gain == "b") guesses.push_back({.name = "b", .guess = 2.0, .lower = 0.0});
  return fit_equations("x' = -a*x + " + gain + "*u\ny' = c*(x - y)", setup, guesses, data, options);
}

std::string words(const EquationFit& found) {
  return testing::PrintToString(found.verdict.reasons);
}

TEST(EquationEvidence, SoundRecordsAreGood) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const EquationFit found = fit({lags(500, seed), lags(400, 10 + seed)});
    EXPECT_EQ(found.verdict.level, TrustLevel::Good) << words(found);
    EXPECT_TRUE(found.alternatives.empty());
  }
}

// A repeat that is five times as noisy contradicts nothing: what is wrong is its weight.
TEST(EquationEvidence, ARepeatThatIsOnlyNoisierIsNoReasonToLeaveItOut) {
  RandomStream random(78);
  Experiments data = {lags(400, 1), lags(400, 2), lags(400, 3)};
  for (Index k = 0; k < 400; ++k) {
    for (Index i = 0; i < 2; ++i) {
      data[2].output(k, i) += std::sqrt(24.0) * kFastNoise * random.normal();
    }
  }
  const EquationFit found = fit(data);
  EXPECT_EQ(found.verdict.level, TrustLevel::Caution) << words(found);
  EXPECT_THAT(found.verdict.reasons, Contains(HasSubstr("experiment 3")));
  EXPECT_THAT(found.verdict.advice, Contains(HasSubstr("less weight")));
  for (const Alternative& one : found.alternatives) {
    EXPECT_THAT(one.words, testing::Not(HasSubstr("leaving experiment"))) << one.gain;
  }
}

// One whose sign is wrong makes the fit of the others bad.
TEST(EquationEvidence, AnExperimentThatContradictsTheOthersIsNamed) {
  Experiments data = {lags(400, 1), lags(400, 2), lags(400, 3)};
  data[2].output *= -1.0;
  const EquationFit found = fit(data);
  EXPECT_EQ(found.verdict.level, TrustLevel::Bad) << words(found);
  bool named = false;
  for (const Alternative& one : found.alternatives) {
    named = named || one.words == "leaving experiment 3 out";
  }
  EXPECT_TRUE(named);
}

// Noise that the weights announce is no outlier, no bad experiment and no wrong beginning.
TEST(EquationEvidence, NoiseThatWeightsAnnounceIsNoReasonForDoubt) {
  RandomStream random(77);
  Experiment burst = lags(500, 1);
  burst.weight = Eigen::MatrixXd::Ones(500, 2);
  burst.weight.topRows(30).setConstant(0.05);
  for (Index k = 0; k < 30; ++k) {
    for (Index i = 0; i < 2; ++i) burst.output(k, i) += 20.0 * kFastNoise * random.normal();
  }
  const EquationFit one = fit({burst});
  EXPECT_EQ(one.verdict.level, TrustLevel::Good) << words(one);

  Experiments several = {lags(400, 2), lags(400, 3), lags(400, 4)};
  for (double& value : several[1].output.reshaped()) value += 5.0 * kFastNoise * random.normal();
  EquationFitOptions options;
  EXPECT_NE(fit(several, options).verdict.level, TrustLevel::Good);
  options.output_error.experiment_weights = Eigen::Vector3d(1.0, 0.2, 1.0);
  const EquationFit found = fit(several, options);
  EXPECT_EQ(found.verdict.level, TrustLevel::Good) << words(found);
  // A weight does not hide an experiment that contradicts the others.
  several[1] = lags(400, 3);
  several[1].output.col(1) *= -1.0;
  EXPECT_EQ(fit(several, options).verdict.level, TrustLevel::Bad);
}

TEST(EquationEvidence, AWrongSignIsBadAndNamed) {
  Experiment data = lags(500, 1);
  data.output.col(1) *= -1.0;
  const EquationFit found = fit({data});
  EXPECT_EQ(found.verdict.level, TrustLevel::Bad);
  ASSERT_FALSE(found.alternatives.empty());
  EXPECT_EQ(found.alternatives.front().words, "y with the opposite sign");
  EXPECT_THAT(found.verdict.advice, Contains(HasSubstr("y with the opposite sign")));
}

TEST(EquationEvidence, SwappedOutputsAreBadAndNamed) {
  Experiment data = lags(500, 1);
  data.output.col(0).swap(data.output.col(1));
  const EquationFit found = fit({data});
  EXPECT_EQ(found.verdict.level, TrustLevel::Bad) << words(found);
  ASSERT_FALSE(found.alternatives.empty());
  EXPECT_EQ(found.alternatives.front().words, "x and y exchanged");
}

TEST(EquationEvidence, InputsAndOutputsSwappedAreBadAndNamed) {
  const Experiment both = lags(500, 1);
  const Experiment data{.input = both.output.leftCols(1), .output = both.input, .step = both.step};
  model::EquationSetup setup;
  setup.inputs = {{"u", ""}};
  setup.outputs = {{"x", ""}};
  const EquationFit found = fit_equations(
      "x' = -a*x + b*u", setup, {{.name = "a", .guess = 1.5}, {.name = "b", .guess = 2.0}}, {data},
      {.engine = model::EngineKind::Interpreter});
  EXPECT_EQ(found.verdict.level, TrustLevel::Bad) << words(found);
  ASSERT_FALSE(found.alternatives.empty());
  EXPECT_EQ(found.alternatives.front().words, "inputs and outputs exchanged");
}

// Two samples are a fifth of a second, which the time constant of 1/2 s takes up in part.
TEST(EquationEvidence, ADelayOfTwoSamplesIsFoundAndSaid) {
  const Experiment whole = lags(502, 1);
  const Experiment data{
      .input = whole.input.bottomRows(500), .output = whole.output.topRows(500), .step = kStep};
  const EquationFit found = fit({data});
  EXPECT_NE(found.verdict.level, TrustLevel::Good);
  ASSERT_FALSE(found.alternatives.empty()) << words(found);
  EXPECT_EQ(found.alternatives.front().words, "all outputs 2 samples late");
}

TEST(EquationEvidence, ADelayOfOneSampleOfOneOutputIsEstimated) {
  Experiment data = lags(800, 1);
  data.output.col(0).tail(799) = VectorXd(data.output.col(0).head(799));
  const EquationFit found = fit({data});
  EXPECT_THAT(found.verdict.reasons, Contains(HasSubstr("looks like a delay")));
  ASSERT_EQ(found.estimate.delays.outputs.size(), 2U);
  EXPECT_TRUE(found.estimate.delays.outputs[0].beyond_chance(1e-3));
  EXPECT_GT(found.estimate.delays.outputs[0].samples, 0.0);
}

TEST(EquationEvidence, AGainThatChangesInTheMiddleIsBadAndNamed) {
  Experiment data = lags(800, 1);
  data.output.col(1).tail(400) *= 0.5;
  const EquationFit found = fit({data});
  EXPECT_EQ(found.verdict.level, TrustLevel::Bad) << words(found);
  EXPECT_THAT(found.verdict.reasons,
              Contains(testing::AllOf(testing::StartsWith("y looks"),
                                      HasSubstr("smaller in the second half of the record"))));
}

// A pendulum on a spring of third order that swings freely from a start that is fitted too: only
// its rate against its angle can be late.
TEST(EquationEvidence, ARateThatIsLateAgainstItsAngleIsNamed) {
  EquationFitOptions options;
  options.engine = model::EngineKind::Interpreter;
  model::EquationSetup setup;
  setup.outputs = {{"q", ""}, {"w", ""}};
  setup.starts = {{"q", "q0"}, {"q'", "w0"}};
  const std::string equations = "q'' = -a*q - b*q^3 - d*q'\nw = q'";
  const std::vector<optimize::Parameter> guesses = {{.name = "a", .guess = 0.9},
                                                    {.name = "b", .guess = 0.4},
                                                    {.name = "d", .guess = 0.01},
                                                    {.name = "q0", .guess = 1.1},
                                                    {.name = "w0", .guess = 0.0}};
  // Runge-Kutta by hand, 20 steps a sample; a = 1, b = 0.5, d = 0.02.
  RandomStream random(21);
  constexpr Index kLong = 600;
  constexpr int kLate = 2;
  Experiment data{
      .input = Eigen::MatrixXd(kLong, 0), .output = Eigen::MatrixXd(kLong, 2), .step = kStep};
  const auto force = [](double x, double v) { return -x - 0.5 * x * x * x - 0.02 * v; };
  double x = 1.0, v = 0.0;
  VectorXd angle(kLong), rate(kLong);
  for (Index k = 0; k < kLong; ++k) {
    angle(k) = x;
    rate(k) = v;
    for (int i = 0; i < 20; ++i) {
      const double h = kStep / 20.0;
      const double a1 = force(x, v), v2 = v + 0.5 * h * a1, x2 = x + 0.5 * h * v;
      const double a2 = force(x2, v2), v3 = v + 0.5 * h * a2, x3 = x + 0.5 * h * v2;
      const double a3 = force(x3, v3), v4 = v + h * a3, x4 = x + h * v3;
      const double a4 = force(x4, v4);
      x += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
      v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
  }
  for (const int late : {0, kLate}) {
    for (Index k = 0; k < kLong; ++k) {
      data.output(k, 0) = angle(k) + 0.005 * random.normal();
      data.output(k, 1) = rate(std::max<Index>(k - late, 0)) + 0.005 * random.normal();
    }
    const EquationFit found = fit_equations(equations, setup, guesses, {data}, options);
    if (late == 0) {
      EXPECT_EQ(found.verdict.level, TrustLevel::Good) << words(found);
    } else {
      EXPECT_EQ(found.estimate.delays.reference, 0);
      EXPECT_THAT(found.verdict.reasons,
                  Contains(testing::AllOf(HasSubstr("w comes 2"), HasSubstr("later than q"))))
          << words(found);
    }
  }
}

TEST(EquationEvidence, AnInputInThousandsIsNamedWhereTheGainIsKnown) {
  Experiment data = lags(500, 1);
  data.input *= 1e-3;
  const EquationFit found = fit({data}, {}, "3.0");
  EXPECT_EQ(found.verdict.level, TrustLevel::Bad) << words(found);
  ASSERT_FALSE(found.alternatives.empty());
  EXPECT_EQ(found.alternatives.front().words, "u times 1000");
}

TEST(EquationEvidence, AnExperimentThatDiffersIsNamed) {
  Experiments data = {lags(400, 1), lags(400, 2), lags(400, 3)};
  data[1].output.col(0) *= -1.0;
  const EquationFit found = fit(data);
  EXPECT_EQ(found.verdict.level, TrustLevel::Bad);
  EXPECT_THAT(found.verdict.reasons, Contains(HasSubstr("experiment 2")));
}

TEST(EquationEvidence, ARecordThatBeginsElsewhereIsSaid) {
  const EquationFit found = fit({lags(800, 1, 5.0)});
  EXPECT_NE(found.verdict.level, TrustLevel::Good);
  EXPECT_THAT(found.verdict.reasons, Contains(HasSubstr("does not begin as the model assumes")));
}

TEST(EquationEvidence, HeldInputsTakenAsCubicAreSaid) {
  EquationFitOptions options;
  options.output_error.simulation.between = signal::BetweenSamples::Cubic;
  const EquationFit found = fit({lags(800, 1)}, options);
  EXPECT_NE(found.verdict.level, TrustLevel::Good);
  ASSERT_FALSE(found.alternatives.empty()) << words(found);
  EXPECT_EQ(found.alternatives.front().words, "inputs \"held\" between samples");
}

TEST(EquationEvidence, AnEstimateAtItsBoundIsSaid) {
  model::EquationSetup setup;
  setup.inputs = {{"u", ""}};
  setup.outputs = {{"x", ""}};
  Experiment data = lags(500, 1);
  data.output = Eigen::MatrixXd(data.output.leftCols(1));
  const EquationFit found = fit_equations(
      "x' = -a*x + b*u", setup,
      {{.name = "a", .guess = 1.0, .lower = 0.5, .upper = 1.9}, {.name = "b", .guess = 2.0}},
      {data}, {.engine = model::EngineKind::Interpreter});
  EXPECT_NE(found.verdict.level, TrustLevel::Good);
  EXPECT_THAT(found.verdict.reasons, Contains(HasSubstr("a ended at its bound")));
}

TEST(EquationEvidence, NothingIsTriedWhereItIsNotWanted) {
  Experiment data = lags(500, 1);
  data.output.col(1) *= -1.0;
  EquationFitOptions options;
  options.alternatives = false;
  const EquationFit found = fit({data}, options);
  EXPECT_TRUE(found.alternatives.empty());
  EXPECT_EQ(found.verdict.level, TrustLevel::Bad) << words(found);
}

// x'' = k (u - x) - c x' under held inputs, k = 100, c = 2, in closed form; one radian a sample.
Experiment oscillator(Index samples, std::uint64_t seed) {
  RandomStream random(seed);
  Experiment one{
      .input = Eigen::MatrixXd(samples, 1), .output = Eigen::MatrixXd(samples, 1), .step = kStep};
  const double w = std::sqrt(99.0), decay = std::exp(-kStep);
  const double cosine = std::cos(w * kStep), sine = std::sin(w * kStep);
  double x = 0.0, v = 0.0;
  for (Index k = 0; k < samples; ++k) {
    const double u = random.normal(), X = x - u, Y = (v + X) / w;
    one.input(k, 0) = u;
    one.output(k, 0) = x + 0.01 * random.normal();
    x = u + decay * (X * cosine + Y * sine);
    v = decay * ((w * Y - X) * cosine - (w * X + Y) * sine);
  }
  return one;
}

// One step of Runge-Kutta a sample misses the motion by about (ωh)⁵/120 = 0.8 % of it, as much as
// the noise; an eighth of the step by 4096 times less. The tool takes them itself.
TEST(EquationEvidence, StepsThatAreTooCoarseAreHalved) {
  EquationFitOptions options;
  options.engine = model::EngineKind::Interpreter;
  options.output_error.simulation.substeps = 1;
  model::EquationSetup setup;
  setup.inputs = {{"u", ""}};
  setup.outputs = {{"x", ""}};
  const EquationFit found = fit_equations(
      "x'' = k*(u - x) - c*x'", setup, {{.name = "k", .guess = 80.0}, {.name = "c", .guess = 3.0}},
      {oscillator(800, 5)}, options);
  EXPECT_EQ(found.verdict.level, TrustLevel::Good) << words(found);
  EXPECT_GE(found.simulation.substeps, 4);
  EXPECT_LE(found.simulation.substeps, 8);
  EXPECT_LE(found.estimate.step_error, 0.01);
  EXPECT_NEAR(found.parameter("k").value, 100.0, 4.0 * found.parameter("k").deviation);
  EXPECT_NEAR(found.parameter("c").value, 2.0, 4.0 * found.parameter("c").deviation);
}

// The square of one normal number exceeds 10.83 in 1 of 1000 cases, the sum of three 16.27.
TEST(EquationEvidence, WhatParametersLeaveOpenIsTheSumOfItsDirections) {
  EXPECT_NEAR(unsure_mean_square(VectorXd::Constant(1, 2.0)), 2.0 * 10.828, 1e-2);
  EXPECT_NEAR(unsure_mean_square(VectorXd::Constant(3, 1.0)), 16.266, 1e-2);
  EXPECT_EQ(unsure_mean_square(VectorXd::Zero(2)), 0.0);
  // What cannot be known excuses nothing.
  EXPECT_EQ(unsure_mean_square(VectorXd::Constant(2, HUGE_VAL)), 0.0);
  optimize::EstimateStatistics statistics;
  EXPECT_EQ(unsure_directions(statistics).size(), 0);
  statistics.covariance = Eigen::MatrixXd(2, 2);
  statistics.covariance << 4.0, 1e-3 * 1.2, 1e-3 * 1.2, 1e-6;
  const Eigen::MatrixXd A = unsure_directions(statistics);
  // Rounding of an eigenvalue problem of two rows.
  EXPECT_LT((A * A.transpose() - statistics.covariance).norm(), 1e-14);
}

}  // namespace
}  // namespace alembert::identify::equation_evidence_test
