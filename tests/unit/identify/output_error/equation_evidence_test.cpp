#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "alembert/core/random.hpp"
#include "alembert/identify/equation_fit.hpp"

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

}  // namespace
}  // namespace alembert::identify::equation_evidence_test
