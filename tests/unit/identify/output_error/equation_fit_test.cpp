#include "alembert/identify/equation_fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "alembert/core/random.hpp"
#include "alembert/optimize/student.hpp"
#include "support/message_of.hpp"

namespace alembert::identify {
namespace equation_fit_test {

using Eigen::Index;
using Eigen::VectorXd;
using test::message_of;
using testing::Contains;
using testing::HasSubstr;

constexpr double kNoise = 0.02;
constexpr double kRate = 0.8, kGain = 2.0, kFirst = 0.5;

// x' = -a x + b u under a held input: x₊ = φ x + (1 - φ) b/a u,  φ = exp(-a h).
Experiment lag(double first, Index samples, std::uint64_t seed) {
  RandomStream random(seed);
  Experiment experiment{.input = random.normal_vector(samples),
                        .output = kNoise * random.normal_vector(samples),
                        .step = 0.1};
  const double phi = std::exp(-kRate * experiment.step);
  double x = first;
  for (Index k = 0; k < samples; ++k) {
    experiment.output(k, 0) += x;
    x = phi * x + (1.0 - phi) * kGain / kRate * experiment.input(k, 0);
  }
  return experiment;
}

Experiment part_of(const Experiment& whole, Index first, Index count) {
  return {.input = whole.input.middleRows(first, count),
          .output = whole.output.middleRows(first, count),
          .step = whole.step,
          .start_time = whole.start_time + static_cast<double>(first) * whole.step};
}

model::EquationSetup names_of(const std::string& input, const std::string& output) {
  model::EquationSetup setup;
  setup.inputs = {{input, ""}};
  setup.outputs = {{output, ""}};
  return setup;
}

const std::vector<optimize::Parameter> kGuesses = {
    {.name = "a", .guess = 0.3}, {.name = "b", .guess = 1.0}, {.name = "x0", .guess = 0.0}};

EquationFit fit_lag(const Experiments& data, EquationFitOptions options = {}) {
  options.engine = model::EngineKind::Interpreter;
  model::EquationSetup setup = names_of("u", "x");
  setup.starts = {{"x", "x0"}};
  return fit_equations("x' = -a*x + b*u", setup, kGuesses, data, options);
}

TEST(FitEquations, FindsTheParametersOfALag) {
  const EquationFit found = fit_lag({lag(kFirst, 400, 1)});
  ASSERT_TRUE(found.ok()) << found.message;
  const VectorXd truth = Eigen::Vector3d(kRate, kGain, kFirst);
  for (std::size_t i = 0; i < 3; ++i) {
    const ParameterVerdict verdict = parameter_verdict(found, i);
    EXPECT_EQ(verdict.role, ParameterVerdict::Role::Free);
    EXPECT_NEAR(verdict.value, truth(static_cast<Index>(i)), 4.0 * verdict.deviation);
  }
  EXPECT_EQ(found.parameter("b").value, found.estimate.parameters(1));
  EXPECT_EQ(found.engine, "interpreter");
  EXPECT_THAT(found.summary(), HasSubstr("converged"));
  EXPECT_THAT(found.summary(), HasSubstr("x0"));
}

// y = a u is linear in a, so that all is known in closed form: â = Σ u y/Σ u², its deviation
// s/√Σ u², and a profile that is a parabola with its ends at â ± t s/√Σ u².
TEST(FitEquations, AgreesWithLinearLeastSquares) {
  RandomStream random(7);
  const Index n = 50;
  const VectorXd u = random.normal_vector(n);
  const VectorXd y = 1.5 * u + 0.1 * random.normal_vector(n);
  const EquationFit found =
      fit_equations("z' = -z\ny = a*u", names_of("u", "y"), {{.name = "a", .guess = 1.0}},
                    {{.input = u, .output = y, .step = 0.1}},
                    {.profiles = {"a"}, .engine = model::EngineKind::Interpreter});
  ASSERT_TRUE(found.ok()) << found.message;
  const double size = u.squaredNorm();
  const double expected = u.dot(y) / size;
  const double noise = std::sqrt((y - expected * u).squaredNorm() / static_cast<double>(n - 1));
  const double deviation = noise / std::sqrt(size);
  const ParameterVerdict verdict = found.parameter("a");
  // The search ends when steps fall below 1e-8 of the parameter.
  EXPECT_NEAR(verdict.value, expected, 1e-7);
  EXPECT_NEAR(verdict.white, deviation, 1e-6 * deviation);
  // White noise: that for coloured residuals is near, and the profile has the ends of Student's
  // interval with it.
  EXPECT_NEAR(verdict.deviation, deviation, 0.2 * deviation);
  const double margin = optimize::student_quantile(0.975, verdict.freedom) * verdict.deviation;
  EXPECT_NEAR(verdict.margin, margin, 1e-12);
  ASSERT_EQ(found.profiles.size(), 1U);
  // Ends are found to 1e-3 of the half width.
  EXPECT_NEAR(found.profiles[0].interval.lower, expected - margin, 2e-3 * margin);
  EXPECT_NEAR(found.profiles[0].interval.upper, expected + margin, 2e-3 * margin);
}

// The residual of the right model on new data is the noise, whatever way the start is known.
TEST(FitEquations, HeldBackDataAreSimulatedFromEveryStart) {
  const Experiment whole = lag(kFirst, 600, 3);
  for (const ValidationStart start : {ValidationStart::Model, ValidationStart::Estimate,
                                      ValidationStart::Data, ValidationStart::Continue}) {
    EquationFitOptions options;
    options.validation = {.start = start, .skip = start == ValidationStart::Data ? 60 : 0};
    options.held_back = {start == ValidationStart::Model      ? lag(kFirst, 200, 4)
                         : start == ValidationStart::Continue ? part_of(whole, 400, 200)
                                                              : lag(-3.0, 200, 5)};
    const EquationFit found = fit_lag({part_of(whole, 0, 400)}, options);
    ASSERT_TRUE(found.validation) << name_of(start);
    ASSERT_TRUE(found.validation->prediction.ok()) << name_of(start);
    // rms/σ of 140 samples or more: 1 ± 4/√(2·140), and 3 % for the parameters and the start.
    EXPECT_NEAR(found.validation->outputs[0].rms / kNoise, 1.0, 0.24 + 0.03) << name_of(start);
    const bool own = start == ValidationStart::Estimate || start == ValidationStart::Data;
    EXPECT_EQ(found.validation->starts.size(), own ? 1U : 0U);
    // Within noise of the first sample, or of the mean of ten.
    if (own) {
      EXPECT_NEAR(found.validation->starts[0](0), -3.0, 5.0 * kNoise);
    }
  }
}

// The model has no feedthrough, the data have one.
TEST(FitEquations, SaysThatTheResidualsFollowTheInput) {
  Experiment data = lag(kFirst, 400, 6);
  data.output += 0.01 * data.input;
  const EquationFit found = fit_lag({data});
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found.inputs.size(), 1U);
  EXPECT_EQ(found.inputs[0].lag, 0);
  EXPECT_THAT(found.warnings, Contains(HasSubstr("the residuals of x follow the input u")));
  EXPECT_THAT(found.summary(), HasSubstr("warning: the residuals of x"));
}

TEST(FitEquations, AdviceNamesTheOptionsOfTheCaller) {
  EquationFitOptions options;
  options.output_error.search.max_evaluations = 2;
  options.output_error.strategy = StartStrategy::Plain;
  const EquationFit own = fit_lag({lag(kFirst, 100, 8)}, options);
  EXPECT_EQ(own.status, Status::NotConverged);
  EXPECT_THAT(own.message, HasSubstr("raise output_error.search.max_evaluations,"));
  options.names.max_evaluations = "evaluations=";
  EXPECT_THAT(fit_lag({lag(kFirst, 100, 8)}, options).message, HasSubstr("raise evaluations=,"));
}

TEST(FitEquations, SaysWhatIsWrongWithItsArguments) {
  const Experiments data = {lag(kFirst, 50, 9)};
  EXPECT_EQ(message_of([&] { (void)fit_lag(data, {.profiles = {"c"}}); }),
            "fit_equations: profiles must name free parameters, got \"c\"");
  EXPECT_EQ(
      message_of([&] { (void)fit_lag(data, {.held_back = data, .validation = {.skip = 49}}); }),
      "fit_equations: validation.skip must leave two samples or more of 50, got 49");
  EXPECT_EQ(message_of([&] {
              (void)fit_lag(data, {.held_back = {data[0], data[0]},
                                   .validation = {.start = ValidationStart::Continue}});
            }),
            "fit_equations: held_back must continue the experiments of the data, got 2 for 1");
  EXPECT_EQ(message_of([&] { (void)fit_lag(data).parameter("k"); }),
            "EquationFit::parameter: name must be one of a, b, x0, got \"k\"");
}

}  // namespace equation_fit_test
}  // namespace alembert::identify
