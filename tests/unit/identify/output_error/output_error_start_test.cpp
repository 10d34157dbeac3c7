#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "alembert/identify/output_error.hpp"
#include "unit/identify/output_error/equation_texts.hpp"

namespace alembert::identify {
namespace output_error_start_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::HasSubstr;
using namespace test_texts;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

const Truth kDuffing{"q'' = (u - c*q' - k*q - k3*q^3)/m",
                     {"u"},
                     {"q"},
                     {{"m", 1.0}, {"c", 0.4}, {"k", 40.0}, {"k3", 300.0}}};

const Truth kDrive{R"(
  phi' = w1 - w2
  torque = k*phi + d*(w1 - w2)
  w1' = (u - torque - b*w1)/j1
  w2' = (torque - b*w2)/j2
)",
                   {"u"},
                   {"w1"},
                   {{"j1", 0.02}, {"j2", 0.05}, {"k", 30.0}, {"d", 0.02}, {"b", 0.05}}};

const Truth kVanDerPol{"x'' = mu*(1 - a*x^2)*x' - w*x",
                       {},
                       {"x"},
                       {{"mu", 1.5}, {"a", 1.0}, {"w", 4.0}, {"x0", 1.0}, {"v0", 0.5}},
                       {{"x", "x0"}, {"x'", "v0"}}};

const Truth kLorenz{"x' = s*(y - x)\ny' = x*(r - z) - y\nz' = x*y - b*z",
                    {},
                    {"x"},
                    {{"s", 10.0}, {"r", 28.0}, {"b", 8.0 / 3.0}}};

// Errors over standard deviations.
VectorXd in_deviations(const Truth& truth, const OutputErrorResult& found) {
  return (found.parameters - values_of(truth)).cwiseQuotient(found.statistics.deviations);
}

void expect_plain_fails_and_default_finds(const Truth& truth, const Experiments& data,
                                          const std::vector<double>& factors) {
  const model::CompiledEquations model = compiled(truth);
  std::vector<optimize::Parameter> parameters = off_by(truth, factors);
  for (optimize::Parameter& parameter : parameters) parameter.lower = 0.0;
  const OutputErrorResult plain =
      output_error(model, parameters, data, {.strategy = StartStrategy::Plain});
  const OutputErrorResult found = output_error(model, parameters, data);
  EXPECT_GT(plain.cost, 10.0 * found.cost) << factors[0];
  EXPECT_TRUE(found.ok()) << found.message;
  ASSERT_EQ(found.statistics.deviations.size(), found.parameters.size());
  // Statistics: six deviations of each parameter.
  EXPECT_LE(in_deviations(truth, found).cwiseAbs().maxCoeff(), 6.0);
  ASSERT_GE(found.trials.size(), 2U);
  EXPECT_EQ(found.trials[0].cost, plain.cost);
  EXPECT_NE(found.strategy, StartStrategy::Plain);
}

TEST(OutputErrorStart, OscillatorFromGuessesOffByThreeToTen) {
  const Experiments data = {measured(kDuffing, random_levels(800, 10, 20.0, 1), 0.02, 0.01, 2)};
  expect_plain_fails_and_default_finds(kDuffing, data, {4.0, 0.2, 0.3, 7.0});
  expect_plain_fails_and_default_finds(kDuffing, data, {6.0, 0.3, 8.0, 0.2});
}

TEST(OutputErrorStart, LimitCycleFromGuessesOffByThreeToTen) {
  const Experiments data = {measured(kVanDerPol, MatrixXd(700, 0), 0.04, 0.02, 3)};
  expect_plain_fails_and_default_finds(kVanDerPol, data, {5.0, 0.2, 0.3, 1.2, 0.8});
}

// Angle and speed of the load are not measured.
TEST(OutputErrorStart, UnmeasuredStates) {
  const Experiments data = {measured(kDrive, random_levels(700, 20, 1.0, 4), 0.004, 0.01, 5)};
  expect_plain_fails_and_default_finds(kDrive, data, {0.2, 0.3, 8.0, 0.2, 5.0});
  expect_plain_fails_and_default_finds(kDrive, data, {5.0, 8.0, 0.15, 4.0, 0.2});
}

TEST(OutputErrorStart, AGoodGuessIsLeftToThePlainSearch) {
  const Experiments data = {measured(kDuffing, random_levels(400, 10, 20.0, 6), 0.02, 0.02, 7)};
  const model::CompiledEquations model = compiled(kDuffing);
  const auto parameters = off_by(kDuffing, {1.05, 0.9, 1.05, 0.95});
  const OutputErrorResult plain =
      output_error(model, parameters, data, {.strategy = StartStrategy::Plain});
  const OutputErrorResult found = output_error(model, parameters, data);
  EXPECT_EQ(found.strategy, StartStrategy::Plain);
  EXPECT_EQ(found.trials.size(), 1U);
  EXPECT_EQ(found.parameters, plain.parameters);
  EXPECT_EQ(found.evaluations, plain.evaluations);
}

// Windows of a record that whole simulations follow begin where these end: few steps are left, to
// the optimum that windows find from the truth.
TEST(OutputErrorStart, WindowsBeginAtTheFitOfWholeRecords) {
  const Experiments data = {measured(kDuffing, random_levels(400, 10, 20.0, 6), 0.02, 0.02, 7)};
  const model::CompiledEquations model = compiled(kDuffing);
  OutputErrorOptions options;
  const OutputErrorResult whole =
      output_error(model, off_by(kDuffing, {1.3, 0.7, 1.2, 0.8}), data, options);
  options.window = 0.8;
  const OutputErrorResult found =
      output_error(model, off_by(kDuffing, {1.3, 0.7, 1.2, 0.8}), data, options);
  const OutputErrorResult from_truth =
      output_error(model, off_by(kDuffing, {1.0, 1.0, 1.0, 1.0}), data, options);
  ASSERT_TRUE(found.ok()) << found.message;
  EXPECT_EQ(found.windows, 10);
  // Gauss-Newton from within some deviations of the optimum gains ten digits of cost in five steps.
  EXPECT_LE(found.evaluations, whole.evaluations + 8);
  // Both stop where a step gains less than 1e-8 of the cost, 4e-6 of a variance: 2e-3 deviations.
  EXPECT_LE((found.parameters - from_truth.parameters)
                .cwiseQuotient(found.statistics.deviations)
                .cwiseAbs()
                .maxCoeff(),
            0.02);
}

// The friction is not there: the logarithm of its coefficient runs away until the coefficient
// underflows, and the search with new weights of the outputs begins where the first one ended.
TEST(OutputErrorStart, ALogarithmicParameterThatVanishesEndsNothing) {
  const Truth truth{"q'' = u - d*q' - k*q - f*q'*abs(q')\nw = q'",
                    {"u"},
                    {"q", "w"},
                    {{"d", 0.4}, {"k", 9.0}, {"f", 0.0}}};
  auto parameters = off_by(truth, {0.5, 0.6, 1.0});
  parameters[2].guess = 0.5;
  for (optimize::Parameter& one : parameters) one.logarithmic = true;
  const model::CompiledEquations model = compiled(truth);
  double least = 1.0;
  for (const std::uint64_t seed : {15U, 25U, 35U, 45U}) {
    const Experiments data = {measured(truth, random_levels(400, 20, 3.0, seed), 0.02, 0.02, seed)};
    const OutputErrorResult found =
        output_error(model, parameters, data, {.loss = Loss::Huber, .starts = 2});
    ASSERT_TRUE(found.prediction.ok()) << found.prediction.message;
    EXPECT_NEAR(found.parameters(1), 9.0, 5.0 * found.statistics.deviations(1));
    least = std::min(least, found.parameters(2));
  }
  EXPECT_LT(least, 1e-290);  // the smallest number is 2e-308: it happened
}

// From any guess, of any model: the default costs no more than the plain search.
TEST(OutputErrorStart, NeverWorseThanPlainAndTheSameForAnyThreads) {
  const Experiments data = {measured(kDuffing, random_levels(200, 10, 20.0, 8), 0.02, 0.05, 9)};
  const Truth linear{
      "q'' = (u - c*q' - k*q)/m", {"u"}, {"q"}, {{"m", 1.0}, {"c", 1.0}, {"k", 1.0}}};
  const model::CompiledEquations model = compiled(linear);
  RandomStream random(10);
  for (int trial = 0; trial < 6; ++trial) {
    std::vector<double> factors;
    for (int k = 0; k < 3; ++k) factors.push_back(std::exp(random.uniform(-3.0, 5.0)));
    const auto parameters = off_by(linear, factors);
    const OutputErrorResult plain =
        output_error(model, parameters, data, {.strategy = StartStrategy::Plain});
    const OutputErrorResult one = output_error(model, parameters, data, {.threads = 1});
    const OutputErrorResult two = output_error(model, parameters, data, {.threads = 2});
    EXPECT_LE(one.cost, plain.cost) << trial;
    EXPECT_EQ(one.parameters, two.parameters) << trial;
  }
}

TEST(OutputErrorStart, GapsExperimentsOutputsFixedAndTied) {
  Truth truth = kDuffing;
  truth.equations = "q'' = (u - c*q' - k*q - k3*q^3)/m\nf = g*q'";
  truth.outputs = {"q", "f"};
  truth.parameters.push_back({"g", 2.0});
  Experiments data = {measured(truth, random_levels(500, 10, 20.0, 11), 0.02, 0.01, 12),
                      measured(truth, random_levels(300, 10, 20.0, 13), 0.02, 0.01, 14)};
  data[0].output.block(100, 0, 40, 2).setConstant(kNaN);
  data[1].output.col(1).segment(10, 200).setConstant(kNaN);
  auto parameters = off_by(truth, {1.0, 5.0, 0.3, 1.0, 0.2});
  parameters[0].fixed = true;
  parameters[2].logarithmic = true;
  parameters[3].tie = optimize::Tie{"k", 7.5};
  parameters[3].guess = 7.5 * parameters[2].guess;
  const OutputErrorResult found =
      output_error(compiled(truth), parameters, data, {.strategy = StartStrategy::Windows});
  EXPECT_TRUE(found.ok()) << found.message;
  EXPECT_EQ(found.strategy, StartStrategy::Windows);
  EXPECT_EQ(found.parameters(0), 1.0);
  // Rounding of one product.
  EXPECT_NEAR(found.parameters(3), 7.5 * found.parameters(2), 1e-12 * found.parameters(3));
  ASSERT_EQ(found.statistics.names.size(), 3U);
  const double truths[] = {0.4, 40.0, 2.0};
  for (Index j = 0; j < 3; ++j) {
    EXPECT_NEAR(found.statistics.parameters(j), truths[j], 6.0 * found.statistics.deviations(j));
  }
}

TEST(OutputErrorStart, PeriodicStart) {
  const SimulationOptions periodic{.between = signal::BetweenSamples::BandLimited,
                                   .start = StartState::Periodic};
  MatrixXd u(512, 1);
  RandomStream random(15);
  u.setZero();
  for (int line = 1; line <= 40; ++line) {
    const double phase = random.uniform(0.0, 6.283185307179586);
    for (Index k = 0; k < 512; ++k) {
      u(k, 0) += 2.0 * std::sin(6.283185307179586 * line * static_cast<double>(k) / 512.0 + phase);
    }
  }
  Truth truth = kDuffing;
  truth.parameters[1].second = 2.0;  // enough damping for one periodic motion
  const Experiments data = {measured(truth, u, 0.02, 0.01, 16, periodic)};
  auto parameters = off_by(truth, {3.0, 0.3, 0.3, 4.0});
  for (optimize::Parameter& parameter : parameters) parameter.lower = 0.0;
  const OutputErrorResult found =
      output_error(compiled(truth), parameters, data, {.simulation = periodic});
  EXPECT_TRUE(found.ok()) << found.message;
  EXPECT_LE(in_deviations(truth, found).cwiseAbs().maxCoeff(), 6.0);
}

// Bristles of LuGre friction [Canudas1995]: stick and slip leave a local optimum 11 % away in s0,
// where the plain search and windows stay. It leaves 1e-4 of the output, five times the noise.
TEST(OutputErrorStart, LeavesALocalOptimumNearTheRightOne) {
  const Truth truth{R"(
  v  = q'
  g  = (Fc + (Fs - Fc)*exp(-(v/0.001)^2))/s0
  zd = v - abs(v)*z/g
  q'' = u - s0*z - s1*zd - s2*v
  z' = zd
)",
                    {"u"},
                    {"q"},
                    {{"s0", 1e5}, {"s1", 316.2}, {"s2", 0.4}, {"Fc", 1.0}, {"Fs", 1.5}}};
  MatrixXd u(3000, 1);
  for (Index k = 0; k < u.rows(); ++k) {
    const double t = 6.283185307179586e-3 * static_cast<double>(k);
    u(k, 0) = 2.2 * std::sin(0.8 * t) + 0.8 * std::sin(2.1 * t + 1.0);
  }
  SimulationOptions steps{.substeps = 8, .integrator = Integrator::Newmark};
  const Experiments data = {measured(truth, u, 1e-3, 2e-5, 31, steps)};
  const auto parameters = off_by(truth, {0.89, 0.94, 0.995, 1.0005, 1.04});
  OutputErrorOptions options{.simulation = steps, .strategy = StartStrategy::Plain};
  const OutputErrorResult plain = output_error(compiled(truth), parameters, data, options);
  options.strategy = StartStrategy::Automatic;
  const OutputErrorResult found = output_error(compiled(truth), parameters, data, options);
  EXPECT_GT(plain.cost, 10.0 * found.cost);
  EXPECT_TRUE(found.ok()) << found.message;
  EXPECT_LE(in_deviations(truth, found).cwiseAbs().maxCoeff(), 6.0);
}

TEST(OutputErrorStart, WhatCannotBeTriedIsSaid) {
  const Experiments data = {measured(kDrive, random_levels(200, 20, 1.0, 4), 0.004, 0.01, 5)};
  const auto parameters = off_by(kDrive, {1.1, 0.9, 1.1, 1.1, 0.9});
  const OutputErrorResult found =
      output_error(compiled(kDrive), parameters, data, {.strategy = StartStrategy::EquationError});
  ASSERT_EQ(found.trials.size(), 2U);
  EXPECT_EQ(found.trials[0].strategy, StartStrategy::EquationError);
  EXPECT_EQ(found.trials[0].status, Status::NotIdentifiable);
  EXPECT_THAT(found.trials[0].message, HasSubstr("do not determine all states"));
  EXPECT_EQ(found.strategy, StartStrategy::Plain);
  EXPECT_TRUE(found.ok());
}

// 24 s of Lorenz' motion are 22 Lyapunov times: a change of the start grows by e²² (exponent
// 0.906).
TEST(OutputErrorStart, ChaoticRecord) {
  Truth truth = kLorenz;
  truth.starts = {{"x", "1"}, {"y", "2"}, {"z", "20"}};
  const model::CompiledEquations model = compiled(truth);
  double squares = 0.0;
  constexpr int kRecords = 4;
  for (int r = 0; r < kRecords; ++r) {
    const Experiments data = {
        measured(truth, MatrixXd(1200, 0), 0.02, 0.02, 20 + static_cast<std::uint64_t>(r))};
    // The plain search, which cannot succeed, takes the most time: once is enough.
    const StartStrategy strategy = r == 0 ? StartStrategy::Automatic : StartStrategy::Windows;
    const OutputErrorResult found =
        output_error(model, off_by(truth, {0.25, 3.0, 0.3}), data, {.strategy = strategy});
    ASSERT_TRUE(found.ok()) << found.message;
    EXPECT_GT(found.windows, 1);
    EXPECT_NEAR(found.growth, 22.0, 5.0);  // of one finite record
    EXPECT_THAT(found.note, HasSubstr("chaos"));
    EXPECT_EQ(found.statistics.freedom, 1200 - 3 * found.windows - 3);
    ASSERT_EQ(found.statistics.deviations.size(), 3);
    squares += in_deviations(truth, found).squaredNorm();
    // White noise of known size: standard deviation of its estimate 1/√(2·1100) = 2 %.
    const double noise = std::sqrt(found.statistics.noise_variance);
    const double size =
        0.02 * std::sqrt((data[0].output.array() - data[0].output.mean()).square().mean());
    EXPECT_NEAR(noise, size, 0.1 * size);
  }
  // Mean of 12 squares with expectation 1: above 1 + 4 √(2/12) once in some thousand.
  EXPECT_LE(squares / (3.0 * kRecords), 1.0 + 4.0 * std::sqrt(2.0 / 12.0));
}

}  // namespace output_error_start_test
}  // namespace alembert::identify
