#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/identify/equation_fit.hpp"
#include "unit/identify/output_error/equation_texts.hpp"

namespace alembert::identify {
namespace equation_sets_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using signal::BetweenSamples;
using testing::HasSubstr;
using namespace test_texts;

constexpr double kNoise = 0.01;

const Truth kDamped{
    "q'' = -a*q - d*q' - c*q^3 + u", {"u"}, {"q"}, {{"a", 9.0}, {"d", 0.5}, {"c", 4.0}}};

Experiment record(const Truth& truth, Index samples, std::uint64_t seed,
                  const SimulationOptions& options = {}) {
  Experiment data{.input = random_levels(samples, 7, 8.0, seed),
                  .output = MatrixXd::Zero(samples, 1),
                  .step = 0.05};
  RandomStream random(seed + 1000);
  const EquationPrediction exact =
      simulate_equations(compiled(truth), values_of(truth), {data}, options);
  data.output = exact.outputs.front() + kNoise * random.normal_vector(samples);
  return data;
}

model::EquationSetup setup_with_input() {
  model::EquationSetup setup;
  setup.inputs = {{"u", ""}};
  setup.outputs = {{"q", ""}};
  return setup;
}

EquationFit fit_damped(const Experiments& data, EquationFitOptions options) {
  options.engine = model::EngineKind::Interpreter;
  return fit_equations(kDamped.equations, setup_with_input(), off_by(kDamped, {0.8, 1.3, 0.7}),
                       data, options);
}

TEST(CompareSets, TheTrueEquationsAreTheBest) {
  EquationFitOptions options;
  options.held_back = {record(kDamped, 300, 2)};
  options.compare = {{.name = "linear",
                      .equations = "q'' = -a*q - d*q' + u",
                      .parameters = {{.name = "a", .guess = 8.0}, {.name = "d", .guess = 0.4}}},
                     {.name = "more",
                      .equations = "q'' = -a*q - d*q' - c*q^3 - e*q^2 + u",
                      .parameters = {{.name = "a", .guess = 8.0},
                                     {.name = "d", .guess = 0.4},
                                     {.name = "c", .guess = 3.0},
                                     {.name = "e", .guess = 0.1}}}};
  const EquationFit fit = fit_damped({record(kDamped, 500, 1)}, options);
  ASSERT_EQ(fit.comparison.size(), 3U);
  const EquationSetScore &model = fit.comparison[0], &linear = fit.comparison[1],
                         &more = fit.comparison[2];
  EXPECT_EQ(model.name, "model");
  EXPECT_EQ(model.unknowns, 3);
  EXPECT_EQ(linear.unknowns, 2);
  EXPECT_EQ(model.bic_difference, 0.0);
  // Anything above 10 is decisive; the linear model misses the cubic force altogether.
  EXPECT_GT(linear.aic_difference, 100.0);
  EXPECT_GT(linear.held_back, 3.0 * model.held_back);
  // A term that the data have not costs ln n and gains a χ² of one degree of freedom at most.
  const double gain = 1000.0 * std::log(model.residual / more.residual);
  EXPECT_GE(gain, -1e-6);
  EXPECT_GT(more.bic_difference, 0.0);
  EXPECT_LT(more.bic_difference, std::log(500.0));
  EXPECT_EQ(more.parameter_names, (std::vector<std::string>{"a", "d", "c", "e"}));
  EXPECT_NEAR(model.held_back, kNoise, 4.0 * kNoise / std::sqrt(600.0));
}

// The fit is that of the linear model, and the true one stands beside it.
TEST(CompareSets, BetterEquationsAreAReasonForCaution) {
  EquationFitOptions options;
  options.engine = model::EngineKind::Interpreter;
  options.compare = {{.name = "cubic",
                      .equations = kDamped.equations,
                      .parameters = off_by(kDamped, {0.9, 0.9, 0.9})}};
  const EquationFit found =
      fit_equations("q'' = u - d*q' - a*q", setup_with_input(),
                    {{.name = "a", .guess = 2.0}, {.name = "d", .guess = 0.3}},
                    {record(kDamped, 500, 1)}, options);
  EXPECT_THAT(found.verdict.reasons,
              testing::Contains(testing::HasSubstr("'cubic' explain the data better")));
  EXPECT_NE(found.verdict.level, TrustLevel::Good);
}

TEST(CompareSets, StartsOfStatesThatBothHaveAreKept) {
  model::EquationSetup given = setup_with_input();
  given.starts = {{"q", "0.5"}, {"z", "2"}};
  const EquationSet set{
      .name = "other", .equations = "q' = -k*q + u", .parameters = {{.name = "k", .guess = 1.0}}};
  const model::EquationSetup setup = setup_of(set, given);
  ASSERT_EQ(setup.starts.size(), 1U);
  EXPECT_EQ(setup.starts.front().state, "q");
  EXPECT_EQ(setup.parameters.front().name, "k");
}

TEST(GivenParameters, AreScoredWithoutASearch) {
  const Experiment data = record(kDamped, 400, 3);
  std::vector<optimize::Parameter> parameters = off_by(kDamped, {1.0, 1.0, 1.0});
  for (optimize::Parameter& one : parameters) one.fixed = true;
  EquationFitOptions options;
  options.engine = model::EngineKind::Interpreter;
  const EquationFit fit =
      fit_equations(kDamped.equations, setup_with_input(), parameters, {data}, options);
  ASSERT_TRUE(fit.ok()) << fit.message;
  EXPECT_EQ(fit.estimate.parameters, values_of(kDamped));
  const EquationPrediction exact =
      simulate_equations(compiled(kDamped), values_of(kDamped), {data});
  EXPECT_DOUBLE_EQ(fit.estimate.prediction.rms(0), exact.rms(0));
  EXPECT_NEAR(fit.estimate.cost, exact.rms(0) * exact.rms(0) * 400.0, 1e-12);
  EXPECT_EQ(fit.verdict.level, TrustLevel::Good) << testing::PrintToString(fit.warnings);
  EXPECT_EQ(fit.parameter("a").role, ParameterVerdict::Role::Fixed);
}

TEST(GivenParameters, AreScoredFromFreeStarts) {
  SimulationOptions from;
  from.start_values = Eigen::Vector2d(0.8, -1.0);
  const Experiment data = record(kDamped, 400, 4, from);
  std::vector<optimize::Parameter> parameters = off_by(kDamped, {1.0, 1.0, 1.0});
  for (optimize::Parameter& one : parameters) one.fixed = true;
  OutputErrorOptions options;
  options.simulation.start = StartState::Free;
  const OutputErrorResult found = output_error(compiled(kDamped), parameters, {data}, options);
  ASSERT_TRUE(found.ok()) << found.message;
  EXPECT_NEAR(found.prediction.rms(0), kNoise, 4.0 * kNoise / std::sqrt(800.0));
  // Half a hundred samples before the start is forgotten.
  EXPECT_NEAR(found.prediction.starts(0, 0), 0.8, kNoise);
}

// A smooth input tells the holds apart: held ones come half a sample late.
Experiment smooth_record(BetweenSamples between) {
  Experiment data{.input = MatrixXd(400, 1), .output = MatrixXd::Zero(400, 1), .step = 0.05};
  for (Index k = 0; k < 400; ++k) {
    const double t = 0.05 * double(k);
    data.input(k, 0) = 6.0 * std::sin(2.7 * t) + 4.0 * std::sin(7.3 * t + 1.0);
  }
  SimulationOptions options;
  options.between = between;
  const EquationPrediction exact =
      simulate_equations(compiled(kDamped), values_of(kDamped), {data}, options);
  data.output = exact.outputs.front() + kNoise * RandomStream(5).normal_vector(400);
  return data;
}

TEST(CompareHolds, FindsWhatTheInputsDo) {
  for (const BetweenSamples truth : {BetweenSamples::Held, BetweenSamples::Cubic}) {
    EquationFitOptions options;
    options.compare_holds = true;
    const EquationFit fit = fit_damped({smooth_record(truth)}, options);
    ASSERT_TRUE(fit.ok()) << fit.message;
    ASSERT_EQ(fit.holds.size(), 3U);
    EXPECT_EQ(fit.simulation.between, truth);
    EXPECT_TRUE(fit.holds.front().used);
    EXPECT_LE(fit.holds.front().residual, fit.holds.back().residual);
    EXPECT_EQ(fit.remarks.empty(), truth == BetweenSamples::Held);
    for (std::size_t i = 0; i < 3; ++i) {
      const ParameterVerdict verdict = parameter_verdict(fit, i);
      EXPECT_NEAR(verdict.value, kDamped.parameters[i].second, 4.0 * verdict.deviation);
    }
  }
  // As it was without being asked.
  EXPECT_TRUE(fit_damped({smooth_record(BetweenSamples::Cubic)}, {}).holds.empty());
}

// x' = 0: a window starts from its mean, and the next one is predicted by that.
TEST(ValidationInWindows, IsTheMeanOfEachOrOfTheOneBefore) {
  const Truth still{"x' = k*u", {"u"}, {"x"}, {{"k", 1.0}}};
  Experiment data{.input = MatrixXd::Ones(20, 1), .output = MatrixXd::Zero(20, 1), .step = 0.1};
  for (Index n = 0; n < 20; ++n) data.output(n, 0) = 0.1 * double(n);
  Experiment held{.input = MatrixXd::Zero(12, 1), .output = MatrixXd(12, 1), .step = 0.1};
  held.output << 1, 2, 3, 2, 5, 6, 7, 6, 4, 4, 5, 3;
  model::EquationSetup setup;
  setup.inputs = {{"u", ""}};
  setup.outputs = {{"x", ""}};
  EquationFitOptions options;
  options.engine = model::EngineKind::Interpreter;
  options.held_back = {held};
  options.validation.window = 0.4;
  const auto validation = [&] {
    return fit_equations(still.equations, setup, {{.name = "k", .guess = 0.9}}, {data}, options)
        .validation.value();
  };
  const EquationValidation scored = validation();
  const MatrixXd own = scored.prediction.outputs.front();
  // By hand: residuals of squares 2 in each window, and three means that were fitted.
  EXPECT_NEAR(scored.outputs.front().rms, std::sqrt(6.0 / 9.0), 1e-5);
  EXPECT_THAT(scored.warnings, testing::Contains(testing::HasSubstr("12 samples for 3 start")));
  // The fit of a start ends when it gains less than 1e-12 of the cost: 1e-6 of the residual.
  EXPECT_NEAR(own(0, 0), 2.0, 1e-5);
  EXPECT_NEAR(own(5, 0), 6.0, 1e-5);
  EXPECT_NEAR(own(11, 0), 4.0, 1e-5);
  options.validation.ahead = true;
  const EquationValidation ahead = validation();
  EXPECT_TRUE(std::isnan(ahead.prediction.outputs.front()(3, 0)));
  EXPECT_NEAR(ahead.prediction.outputs.front()(4, 0), 2.0, 1e-5);
  EXPECT_NEAR(ahead.prediction.outputs.front()(11, 0), 6.0, 1e-5);
}

// An unstable plant with a little noise of its own: whole records are hopeless, windows are not.
TEST(ValidationInWindows, SuitsUnstablePlants) {
  const Truth unstable{"x' = a*x + u", {"u"}, {"x"}, {{"a", 2.0}}};
  const auto simulated = [&](std::uint64_t seed) {
    Experiment data{.input = MatrixXd(300, 1), .output = MatrixXd(300, 1), .step = 0.02};
    RandomStream random(seed);
    double x = 0.1;
    for (Index k = 0; k < 300; ++k) {
      data.output(k, 0) = x + 0.001 * random.normal();
      const double u = -5.0 * data.output(k, 0) + 0.5 * random.normal();
      data.input(k, 0) = u;
      // Held inputs: the exact step, and a push that nobody measures.
      const double e = std::exp(2.0 * 0.02);
      x = e * x + (e - 1.0) / 2.0 * u + 0.0005 * random.normal();
    }
    return data;
  };
  model::EquationSetup setup;
  setup.inputs = {{"u", ""}};
  setup.outputs = {{"x", ""}};
  EquationFitOptions options;
  options.engine = model::EngineKind::Interpreter;
  options.output_error.window = 0.2;
  options.held_back = {simulated(8)};
  const auto fit = [&] {
    return fit_equations(unstable.equations, setup, {{.name = "a", .guess = 1.0}}, {simulated(7)},
                         options);
  };
  EXPECT_LT(fit().validation->outputs.front().fit, 0.0);
  options.validation.window = 0.2;
  const EquationFit found = fit();
  EXPECT_NEAR(found.parameter("a").value, 2.0, 0.1);
  EXPECT_GT(found.validation->outputs.front().fit, 80.0);
  options.validation.ahead = true;
  const EquationFit ahead = fit();
  EXPECT_GT(ahead.validation->outputs.front().fit, 50.0);
  EXPECT_GT(ahead.validation->outputs.front().rms, found.validation->outputs.front().rms);
}

TEST(WindowLength, IsThatOfTheRecordWhereTheModelIsRight) {
  OutputErrorOptions options;
  options.find_window = true;
  const Experiment data = record(kDamped, 640, 9);
  const OutputErrorResult found =
      output_error(compiled(kDamped), off_by(kDamped, {0.9, 1.1, 0.9}), {data}, options);
  ASSERT_TRUE(found.ok()) << found.message;
  ASSERT_GE(found.window_lengths.size(), 3U);
  for (const WindowLength& one : found.window_lengths) {
    // s² of n residuals less the states: within 5 deviations, s²√(2/n).
    EXPECT_NEAR(one.variance / (kNoise * kNoise), 1.0, 5.0 * std::sqrt(2.0 / 400.0));
  }
  EXPECT_LE(found.windows, 2);
}

// A slow push that the model does not know adds up in long windows.
TEST(WindowLength, IsShortWhereFaultsAddUp) {
  const Truth cart{"q'' = b*u", {"u"}, {"q"}, {{"b", 2.0}}};
  Experiment data = record(cart, 800, 10);
  double push = 0.0, speed = 0.0, way = 0.0;
  RandomStream random(11);
  for (Index k = 0; k < 800; ++k) {
    data.output(k, 0) += way;
    push = 0.99 * push + 0.05 * random.normal();
    speed += 0.05 * push;
    way += 0.05 * speed;
  }
  OutputErrorOptions options;
  options.find_window = true;
  const OutputErrorResult found =
      output_error(compiled(cart), off_by(cart, {0.8}), {data}, options);
  ASSERT_TRUE(found.ok()) << found.message;
  EXPECT_GT(found.windows, 4);
  EXPECT_NEAR(found.parameters(0), 2.0, 4.0 * found.trusted().deviations(0));
  EXPECT_GT(found.window_lengths.back().variance, 4.0 * found.window_lengths.front().variance);
}

}  // namespace equation_sets_test
}  // namespace alembert::identify
