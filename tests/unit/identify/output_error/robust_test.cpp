#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/core/error.hpp"
#include "alembert/identify/equation_fit.hpp"
#include "alembert/identify/output_error.hpp"
#include "core/algebra/decompositions.hpp"
#include "unit/identify/output_error/equation_texts.hpp"

namespace alembert::identify {
namespace robust_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::HasSubstr;
using namespace test_texts;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kNoise = 0.1;

// Without states the estimate is a regression, whose closed form is known.
const Truth kLine{"y = a + b*u", {"u"}, {"y"}, {{"a", 1.0}, {"b", 2.0}}};

Experiment line_record(Index samples, std::uint64_t seed) {
  RandomStream random(seed);
  Experiment data{.input = random.normal_vector(samples), .output = {}, .step = 0.1};
  data.output = (1.0 + 2.0 * data.input.array()).matrix() + kNoise * random.normal_vector(samples);
  return data;
}

// Every tenth sample lies far above.
Experiment with_outliers(Experiment data) {
  for (Index k = 3; k < data.samples(); k += 10) data.output(k, 0) += 3.0 + 0.1 * double(k % 7);
  return data;
}

OutputErrorResult fit(const Truth& truth, const Experiments& data,
                      const OutputErrorOptions& options = {}) {
  return output_error(compiled(truth), off_by(truth, std::vector<double>(2, 0.9)), data, options);
}

VectorXd weighted_regression(const Experiment& data, const VectorXd& weight) {
  MatrixXd X(data.samples(), 2);
  X << VectorXd::Ones(data.samples()), data.input;
  return (weight.asDiagonal() * X).colPivHouseholderQr().solve(weight.asDiagonal() * data.output);
}

// LM ends when the cost changes by less than 1e-8 of it: 1e-4 standard deviations at most, of
// which a parameter of size 1 has 0.01.
constexpr double kSearchEnd = 1e-5;

TEST(SampleWeights, AreThoseOfWeightedRegression) {
  Experiment data = line_record(200, 1);
  RandomStream random(2);
  data.weight = random.normal_vector(200).cwiseAbs();
  const OutputErrorResult found = fit(kLine, {data});
  ASSERT_TRUE(found.ok()) << found.message;
  const VectorXd expected = weighted_regression(data, data.weight);
  EXPECT_NEAR(found.parameters(0), expected(0), kSearchEnd);
  EXPECT_NEAR(found.parameters(1), expected(1), kSearchEnd);
}

TEST(SampleWeights, ZeroLeavesASampleOut) {
  Experiment weighed = line_record(200, 3);
  Experiment missing = weighed;
  weighed.weight = MatrixXd::Ones(200, 1);
  for (Index k = 10; k < 30; ++k) {
    weighed.output(k, 0) = 50.0 * double(k);
    weighed.weight(k, 0) = 0.0;
    missing.output(k, 0) = kNaN;
  }
  const OutputErrorResult one = fit(kLine, {weighed});
  const OutputErrorResult other = fit(kLine, {missing});
  EXPECT_EQ(one.parameters, other.parameters);
  EXPECT_EQ(one.statistics.deviations, other.statistics.deviations);
}

TEST(SampleWeights, OfAnExperimentAreThoseOfItsSamples) {
  const Experiment a = line_record(100, 4), b = line_record(150, 5);
  OutputErrorOptions options;
  options.experiment_weights = Eigen::Vector2d(0.5, 2.0);
  Experiment c = a, d = b;
  c.weight = MatrixXd::Constant(100, 1, 0.5);
  d.weight = MatrixXd::Constant(150, 1, 2.0);
  const OutputErrorResult one = fit(kLine, {a, b}, options);
  const OutputErrorResult other = fit(kLine, {c, d});
  EXPECT_EQ(one.parameters, other.parameters);
  EXPECT_EQ(one.cost, other.cost);
}

// Half of the samples count a fifth, though their noise is that of the others. Deviations against
// the spread of 200 draws, whose ratio has itself a deviation of 5 %.
TEST(SampleWeights, DeviationsHoldWhereWeightsAreWrong) {
  VectorXd slopes(200), reported(200);
  for (Index draw = 0; draw < 200; ++draw) {
    Experiment data = line_record(200, 500 + std::uint64_t(draw));
    data.weight = MatrixXd::Ones(200, 1);
    data.weight.bottomRows(100).setConstant(0.2);
    const OutputErrorResult found = fit(kLine, {data});
    slopes(draw) = found.parameters(1);
    reported(draw) = found.trusted().deviations(1);
  }
  const double mean = slopes.mean();
  const double spread = std::sqrt((slopes.array() - mean).square().sum() / 199.0);
  EXPECT_NEAR(reported.mean() / spread, 1.0, 0.2);
}

TEST(SampleWeights, FitTheSamples) {
  Experiment data = line_record(50, 6);
  data.weight = MatrixXd::Ones(49, 1);
  EXPECT_THROW((void)fit(kLine, {data}), InvalidInput);
  data.weight = MatrixXd::Constant(50, 1, -1.0);
  EXPECT_THROW((void)fit(kLine, {data}), InvalidInput);
  data.weight = MatrixXd::Zero(50, 1);
  EXPECT_THROW((void)fit(kLine, {data}), InvalidInput);
  data.weight.resize(0, 0);
  OutputErrorOptions options;
  options.experiment_weights = Eigen::Vector2d(1.0, 1.0);
  EXPECT_THROW((void)fit(kLine, {data}, options), InvalidInput);
  options.experiment_weights = VectorXd::Zero(1);
  EXPECT_THROW((void)fit(kLine, {data}, options), InvalidInput);
}

// Huber's estimate solves Σ ψ(r/s) (1, u) = 0, s by the median. Weights are renewed until none
// changes by a hundredth, which moves an estimate by less than a hundredth of its deviation.
TEST(Loss, HuberSolvesItsEquations) {
  const Experiment data = with_outliers(line_record(400, 7));
  OutputErrorOptions options;
  options.loss = Loss::Huber;
  const OutputErrorResult found = fit(kLine, {data}, options);
  ASSERT_TRUE(found.ok()) << found.message;
  const VectorXd r = data.output - found.prediction.outputs.front();
  std::vector<double> sizes;
  for (const double value : r) sizes.push_back(std::abs(value));
  std::nth_element(sizes.begin(), sizes.begin() + 199, sizes.end());
  const double s = sizes[199] / 0.6745;
  const VectorXd psi = (r / s).cwiseMax(-1.345).cwiseMin(1.345);
  EXPECT_NEAR(psi.sum() / 400.0, 0.0, 0.01);
  EXPECT_NEAR(psi.dot(data.input.col(0)) / 400.0, 0.0, 0.01);
}

TEST(Loss, KeepsOutliersFromDeciding) {
  const Experiment clean = line_record(400, 8);
  const Experiment data = with_outliers(clean);
  const VectorXd expected = weighted_regression(clean, VectorXd::Ones(400));
  const double deviation = kNoise / std::sqrt(400.0);
  EXPECT_GT(std::abs(fit(kLine, {data}).parameters(0) - expected(0)), 20.0 * deviation);
  OutputErrorOptions options;
  options.loss = Loss::Huber;
  const OutputErrorResult huber = fit(kLine, {data}, options);
  // A tenth of all samples pull with 1.345 s each: 0.1 1.345 s/0.9, some 3 deviations of the mean.
  EXPECT_NEAR(huber.parameters(0), expected(0), 6.0 * deviation);
  EXPECT_EQ(huber.outliers.size(), 40U);
  EXPECT_EQ(huber.outliers.front().sample % 10, 3);
  options.loss = Loss::Bisquare;
  const OutputErrorResult bisquare = fit(kLine, {data}, options);
  // They have no part in it: 95 % efficiency leaves a difference of a quarter of a deviation.
  EXPECT_NEAR(bisquare.parameters(0), expected(0), deviation);
  EXPECT_NEAR(bisquare.parameters(1), expected(1), deviation);
  EXPECT_TRUE(std::isnan(bisquare.prediction.residuals.front()(3, 0)));
  EXPECT_NEAR(bisquare.prediction.rms(0), kNoise, 4.0 * kNoise / std::sqrt(800.0));
}

// Deviations against the spread of 200 draws, with 10 % outliers: the ratio of two standard
// deviations from 200 draws has itself a deviation of 5 %.
TEST(Loss, DeviationsAreThoseOfRepeatedDraws) {
  for (const Loss loss : {Loss::Huber, Loss::Bisquare}) {
    OutputErrorOptions options;
    options.loss = loss;
    VectorXd slopes(200), reported(200);
    for (Index draw = 0; draw < 200; ++draw) {
      const Experiment data = with_outliers(line_record(120, 100 + std::uint64_t(draw)));
      const OutputErrorResult found = fit(kLine, {data}, options);
      slopes(draw) = found.parameters(1);
      reported(draw) = found.statistics.deviations(1);
    }
    const double mean = slopes.mean();
    const double spread = std::sqrt((slopes.array() - mean).square().sum() / 199.0);
    EXPECT_NEAR(reported.mean() / spread, 1.0, 0.2) << name_of(loss);
    EXPECT_NEAR(mean, 2.0, 4.0 * spread / std::sqrt(200.0)) << name_of(loss);
  }
}

TEST(Loss, GivesTheSameWithoutOutliersButForItsEfficiency) {
  const Experiment data = line_record(1000, 9);
  const OutputErrorResult squares = fit(kLine, {data});
  OutputErrorOptions options;
  options.loss = Loss::Huber;
  const OutputErrorResult huber = fit(kLine, {data}, options);
  const double deviation = squares.statistics.deviations(1);
  // The difference of an efficient estimate and one with 95 % of its efficiency has the variance
  // 1/0.95 - 1 of its own.
  EXPECT_NEAR(huber.parameters(1), squares.parameters(1), 4.0 * std::sqrt(0.053) * deviation);
  EXPECT_NEAR(huber.statistics.deviations(1) / deviation, std::sqrt(1.0 / 0.95), 0.1);
  EXPECT_TRUE(huber.outliers.empty());
}

const Truth kPendulum{"q'' = -a*sin(q) - b*q' + u", {"u"}, {"q"}, {{"a", 9.0}, {"b", 0.4}}};

Experiment pendulum_record(Index samples, std::uint64_t seed) {
  Experiment data{.input = random_levels(samples, 20, 8.0, seed),
                  .output = MatrixXd::Zero(samples, 1),
                  .step = 0.02};
  const EquationPrediction exact =
      simulate_equations(compiled(kPendulum), values_of(kPendulum), {data});
  RandomStream random(seed + 1);
  data.output = exact.outputs.front() + 0.01 * random.normal_vector(samples);
  return data;
}

EquationFit fit_pendulum(const Experiments& data, const EquationFitOptions& options = {}) {
  model::EquationSetup setup;
  setup.inputs = {{"u", ""}};
  setup.outputs = {{"q", ""}};
  EquationFitOptions used = options;
  used.engine = model::EngineKind::Interpreter;
  return fit_equations(kPendulum.equations, setup, off_by(kPendulum, {0.7, 1.5}), data, used);
}

TEST(Outliers, OneSampleOf999IsLeftOutAndNamed) {
  Experiment data = pendulum_record(600, 10);
  const EquationFit clean = fit_pendulum({data});
  data.output(400, 0) = 999.0;
  const EquationFit found = fit_pendulum({data});
  ASSERT_TRUE(found.ok()) << found.message;
  const VectorXd difference = found.estimate.parameters - clean.estimate.parameters;
  // One sample of 600 less moves an estimate by some 1/√600 of its deviation.
  EXPECT_LT(difference.cwiseQuotient(clean.estimate.statistics.deviations).cwiseAbs().maxCoeff(),
            0.5);
  ASSERT_EQ(found.estimate.outliers.size(), 1U);
  EXPECT_EQ(found.estimate.outliers.front().sample, 400);
  EXPECT_EQ(found.estimate.outliers.front().value, 999.0);
  EXPECT_EQ(found.verdict.level, TrustLevel::Caution);
  EXPECT_THAT(outlier_words(found, {data}), HasSubstr("1 outlier: 1 of q"));
  EXPECT_THAT(testing::PrintToString(found.warnings), HasSubstr("999 at 8 s"));
}

TEST(Outliers, OfHeldBackDataAreNotScored) {
  Experiment held = pendulum_record(300, 12);
  held.output(100, 0) = -999.0;
  EquationFitOptions options;
  options.held_back = {held};
  const EquationFit found = fit_pendulum({pendulum_record(600, 13)}, options);
  ASSERT_TRUE(found.validation);
  EXPECT_GT(found.validation->outputs.front().fit, 90.0);
  EXPECT_THAT(testing::PrintToString(found.validation->warnings), HasSubstr("not scored"));
}

// A tap is as far from the rest as a slip, but the model follows it.
TEST(Outliers, SamplesThatTheModelFollowsStay) {
  Experiment data{.input = MatrixXd::Zero(1000, 1), .output = {}, .step = 0.02};
  data.input.topRows(3).setConstant(400.0);
  const Truth decay{"x' = -a*x + b*u", {"u"}, {"x"}, {{"a", 9.0}, {"b", 1.0}}};
  data.output = MatrixXd::Zero(1000, 1);
  const EquationPrediction exact = simulate_equations(compiled(decay), values_of(decay), {data});
  RandomStream random(14);
  data.output = exact.outputs.front() + 0.01 * random.normal_vector(1000);
  const OutputErrorResult found = fit(decay, {data});
  ASSERT_TRUE(found.ok()) << found.message;
  EXPECT_TRUE(found.outliers.empty());
  EXPECT_NEAR(found.parameters(0), 9.0, 4.0 * found.statistics.deviations(0));
  EXPECT_NEAR(found.parameters(1), 1.0, 4.0 * found.statistics.deviations(1));
}

TEST(Loss, WorksWithFreeStartsAndWindows) {
  Experiments data = {pendulum_record(400, 15), pendulum_record(400, 16)};
  for (Experiment& one : data) {
    for (Index k = 7; k < 400; k += 20) one.output(k, 0) += 1.5;
  }
  for (const double window : {0.0, 2.0}) {
    EquationFitOptions options;
    options.output_error.simulation.start = StartState::Free;
    options.output_error.loss = Loss::Bisquare;
    options.output_error.window = window;
    const EquationFit found = fit_pendulum(data, options);
    ASSERT_TRUE(found.ok()) << found.message;
    EXPECT_EQ(found.estimate.outliers.size(), 40U);
    for (const std::size_t i : {0U, 1U}) {
      const ParameterVerdict verdict = parameter_verdict(found, i);
      EXPECT_NEAR(verdict.value, kPendulum.parameters[i].second, 4.0 * verdict.deviation);
    }
  }
}

}  // namespace robust_test
}  // namespace alembert::identify
