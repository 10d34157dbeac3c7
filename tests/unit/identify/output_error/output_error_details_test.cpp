#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/random.hpp"
#include "alembert/identify/output_error.hpp"

namespace alembert::identify {
namespace output_error_details_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

model::CompiledEquations compiled(const std::string& text, const std::vector<std::string>& outputs,
                                  const std::vector<std::string>& parameters) {
  model::EquationSetup setup;
  setup.inputs = {{"u", ""}};
  for (const std::string& name : outputs) setup.outputs.push_back({name, ""});
  for (const std::string& name : parameters) setup.parameters.push_back({name, ""});
  return model::CompiledEquations(model::parse_equations(text, setup),
                                  {.kind = model::EngineKind::Interpreter});
}

Experiment sampled(Index samples, double step, const std::function<double(double)>& input) {
  Experiment experiment{
      .input = MatrixXd(samples, 1), .output = MatrixXd(samples, 1), .step = step};
  experiment.output.setZero();
  for (Index k = 0; k < samples; ++k) {
    experiment.input(k, 0) = input(step * static_cast<double>(k));
  }
  return experiment;
}

// x' = u integrates the input: t²/2 of a ramp by lines, t⁴/4 of a cubic by the spline, which is the
// cubic itself. Runge-Kutta is exact for both.
TEST(OutputErrorInputs, LinesAndSplinesAreExactForTheirPolynomials) {
  const model::CompiledEquations model = compiled("x' = u + 0*p", {"x"}, {"p"});
  const VectorXd p = VectorXd::Zero(1);
  const Experiment ramp = sampled(21, 0.1, [](double t) { return t; });
  const Experiment cubic = sampled(21, 0.1, [](double t) { return t * t * t; });
  const EquationPrediction lines = simulate_equations(
      model, p, {ramp}, {.between = signal::BetweenSamples::Linear, .substeps = 3});
  const EquationPrediction spline = simulate_equations(
      model, p, {cubic}, {.between = signal::BetweenSamples::Cubic, .substeps = 3});
  for (Index k = 0; k < 21; ++k) {
    const double t = 0.1 * static_cast<double>(k);
    // Roundings of 60 steps of numbers up to 4.
    EXPECT_NEAR(lines.outputs[0](k, 0), 0.5 * t * t, 1e-13);
    EXPECT_NEAR(spline.outputs[0](k, 0), 0.25 * t * t * t * t, 1e-12);
  }
}

// x' = t from the first sample at 100 s: x = ((100 + s)² - 100²)/2.
TEST(OutputErrorInputs, TimeIsThatOfTheRecord) {
  const model::CompiledEquations model = compiled("x' = t + 0*u + 0*p", {"x"}, {"p"});
  Experiment record = sampled(11, 0.5, [](double) { return 0.0; });
  record.start_time = 100.0;
  const EquationPrediction found = simulate_equations(model, VectorXd::Zero(1), {record});
  const double t = 105.0;
  // Roundings of 40 steps of numbers up to 512.
  EXPECT_NEAR(found.outputs[0](10, 0), 0.5 * (t * t - 1e4), 1e-10);
}

// x' = -a x + b sin(t/2) + c u from a record that begins at 103 s. The regression of a record
// without noise is off by the smoothing of its outputs alone.
TEST(OutputErrorInputs, RegressionTakesTheTimeOfTheRecord) {
  const model::CompiledEquations model =
      compiled("x' = -a*x + b*sin(0.5*t) + c*u", {"x"}, {"a", "b", "c"});
  Experiment record = sampled(600, 0.05, [](double t) { return std::sin(1.3 * t); });
  record.start_time = 103.0;
  const VectorXd truth = Eigen::Vector3d(1.0, 2.0, 1.0);
  record.output = simulate_equations(model, truth, {record}).outputs[0];
  const OutputErrorResult found = output_error(
      model,
      {{.name = "a", .guess = 0.3}, {.name = "b", .guess = 0.5}, {.name = "c", .guess = 3.0}},
      {record}, {.search = {.max_evaluations = 1}, .strategy = StartStrategy::EquationError});
  for (Index i = 0; i < 3; ++i) EXPECT_NEAR(found.parameters(i), truth(i), 0.1 * truth(i));
}

// An oscillation at 40 rad/s, 2 steps a sample: too coarse by the same measure whether or not an
// output in other units, a million times as large, stands beside it.
TEST(OutputErrorSteps, StepErrorDoesNotDependOnUnits) {
  const std::string text = "x'' = u - w^2*x - 2*z*w*x'\nF = 1e6*x";
  RandomStream random(4);
  Experiment record = sampled(300, 0.02, [&](double) { return random.normal(); });
  const VectorXd truth = Eigen::Vector2d(40.0, 0.05);
  const auto made = [&](const std::vector<std::string>& outputs) {
    const model::CompiledEquations model = compiled(text, outputs, {"w", "z"});
    record.output = MatrixXd::Zero(300, static_cast<Index>(outputs.size()));
    record.output = simulate_equations(model, truth, {record}, {.substeps = 40}).outputs[0];
    for (Index i = 0; i < record.output.cols(); ++i) {
      RandomStream noise(5, static_cast<std::uint64_t>(i));
      record.output.col(i) +=
          1e-3 * record.output.col(i).norm() / std::sqrt(300.0) * noise.normal_vector(300);
    }
    return output_error(model, {{.name = "w", .guess = 39.0}, {.name = "z", .guess = 0.06}},
                        {record}, {.simulation = {.substeps = 2}});
  };
  const double alone = made({"x"}).step_error;
  const double together = made({"x", "F"}).step_error;
  EXPECT_GT(alone, 0.1);
  // Both outputs have the same residuals but for their noise.
  EXPECT_NEAR(together / alone, 1.0, 0.2);
}

// y = p + noise with σ = 1 (weights 1): a prior of deviation d adds 1/d² to the information, so
// that the deviation is 1/√(N + 1/d²) by both ways; without the prior in the scores the robust one
// would be √N/(N + 1/d²), four times smaller here. A tie p2 = 2 p makes it 1/√(5 N) by both.
TEST(OutputErrorStatistics, RobustDeviationsKnowPriorsAndTies) {
  constexpr Index kSamples = 400;
  Experiment record = sampled(kSamples, 1.0, [](double) { return 0.0; });
  RandomStream random(6);
  record.output.col(0) = random.normal_vector(kSamples);
  const model::CompiledEquations one = compiled("x' = 0*u\ny = x + p", {"y"}, {"p"});
  OutputErrorOptions options{.weights = VectorXd::Ones(1)};
  const double d = 1.0 / std::sqrt(15.0 * kSamples);
  const OutputErrorResult prior = output_error(
      one, {{.name = "p", .guess = 0.1, .prior = optimize::Prior{0.0, d}}}, {record}, options);
  const double expected = 1.0 / std::sqrt(16.0 * kSamples);
  // The estimated noise and the estimated covariance of the scores scatter by some per cent.
  EXPECT_NEAR(prior.statistics.deviations(0) / expected, 1.0, 0.15);
  EXPECT_NEAR(prior.robust.deviations(0) / expected, 1.0, 0.15);

  const model::CompiledEquations two =
      compiled("x' = 0*u\ny = x + p\nz = x + q", {"y", "z"}, {"p", "q"});
  record.output.conservativeResize(kSamples, 2);
  options.weights = VectorXd::Ones(2);
  // A mean rests on the lowest bin alone, of which the fit took all. What is given back leans to
  // the safe side (docs/theory/deviations.md); without the tie the variance would be five times as
  // large.
  double variance = 0.0;
  constexpr int kRecords = 60;
  for (int r = 0; r < kRecords; ++r) {
    record.output.col(0) = random.normal_vector(kSamples);
    record.output.col(1) = random.normal_vector(kSamples);
    const OutputErrorResult tied = output_error(
        two, {{.name = "p", .guess = 0.1}, {.name = "q", .tie = optimize::Tie{"p", 2.0}}}, {record},
        options);
    ASSERT_EQ(tied.robust.deviations.size(), 1);
    variance += std::pow(tied.robust.deviations(0), 2) * 5.0 * kSamples / kRecords;
  }
  EXPECT_GE(variance, 0.8);
  EXPECT_LE(variance, 1.5);
}

// One output without noise must not push the other out.
TEST(OutputErrorWeights, AnOutputWithoutNoiseLeavesTheOthers) {
  Experiment record = sampled(200, 0.1, [](double t) { return std::sin(3.0 * t); });
  const model::CompiledEquations model = compiled("x' = u - a*x\ny = b*x", {"x", "y"}, {"a", "b"});
  record.output = MatrixXd::Zero(200, 2);
  record.output = simulate_equations(model, Eigen::Vector2d(0.8, 2.0), {record}).outputs[0];
  RandomStream random(8);
  record.output.col(1) += 0.01 * random.normal_vector(200);
  const OutputErrorResult found =
      output_error(model, {{.name = "a", .guess = 1.0}, {.name = "b", .guess = 1.0}}, {record});
  ASSERT_TRUE(found.ok()) << found.message;
  EXPECT_LT(found.weights.maxCoeff() / found.weights.minCoeff(), 1e6);
  EXPECT_NEAR(found.parameters(1), 2.0, 5.0 * found.statistics.deviations(1));
}

}  // namespace output_error_details_test
}  // namespace alembert::identify
