#include "alembert/identify/output_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <numbers>

#include "alembert/core/random.hpp"
#include "alembert/io/csv.hpp"
#include "support/data.hpp"
#include "support/message_of.hpp"

namespace alembert::identify {
namespace output_error_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::Contains;
using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Text {
  std::string equations;
  std::vector<std::string> inputs, outputs, parameters;
  std::vector<model::EquationStart> starts = {};
};

model::CompiledEquations compiled(const Text& text) {
  model::EquationSetup setup;
  for (const std::string& name : text.inputs) setup.inputs.push_back({name, ""});
  for (const std::string& name : text.outputs) setup.outputs.push_back({name, ""});
  for (const std::string& name : text.parameters) setup.parameters.push_back({name, ""});
  setup.starts = text.starts;
  return model::CompiledEquations(model::parse_equations(text.equations, setup),
                                  {.kind = model::EngineKind::Interpreter});
}

std::vector<optimize::Parameter> guesses(
    const std::vector<std::pair<std::string, double>>& values) {
  std::vector<optimize::Parameter> parameters;
  for (const auto& [name, guess] : values) parameters.push_back({.name = name, .guess = guess});
  return parameters;
}

MatrixXd white(Index samples, Index channels, double sigma, std::uint64_t seed) {
  RandomStream random(seed);
  MatrixXd values(samples, channels);
  for (Index c = 0; c < channels; ++c) values.col(c) = sigma * random.normal_vector(samples);
  return values;
}

// x' = -a x + b u under a held input: x₊ = φ x + (1 - φ) b/a u,  φ = exp(-a h).
Experiment lag(double a, double b, double x0, Index samples, double sigma, std::uint64_t seed) {
  Experiment experiment{.input = white(samples, 1, 1.0, seed), .output = {}, .step = 0.1};
  experiment.output = white(samples, 1, sigma, seed + 1000);
  const double phi = std::exp(-a * experiment.step);
  double x = x0;
  for (Index k = 0; k < samples; ++k) {
    experiment.output(k, 0) += x;
    x = phi * x + (1.0 - phi) * b / a * experiment.input(k, 0);
  }
  return experiment;
}

const Text kLag{"x' = -a*x + b*u", {"u"}, {"x"}, {"a", "b", "x0"}, {{"x", "x0"}}};

TEST(OutputError, SimulationAgreesWithTheClosedForm) {
  const Experiments data = {lag(0.8, 2.0, 0.5, 100, 0.0, 1), lag(0.8, 2.0, 0.5, 70, 0.0, 2)};
  const EquationPrediction found =
      simulate_equations(compiled(kLag), Eigen::Vector3d(0.8, 2.0, 0.5), data, {.substeps = 4});
  ASSERT_TRUE(found.ok());
  // Truncation of order 4: (a h/4)⁵/120 = 3e-11 a step, of which the last 4/(a h) = 50 are
  // remembered; the states are of size 1.
  EXPECT_LE(found.residuals[0].cwiseAbs().maxCoeff(), 2e-9);
  EXPECT_LE(found.rms(0), 2e-9);
}

TEST(OutputError, EverySolverFindsTheParametersOfALag) {
  const Experiments data = {lag(0.8, 2.0, 0.5, 200, 0.01, 3)};
  for (const optimize::Solver solver :
       {optimize::Solver::LevenbergMarquardt, optimize::Solver::NelderMead,
        optimize::Solver::Bobyqa, optimize::Solver::Mads}) {
    const OutputErrorResult found =
        output_error(compiled(kLag), guesses({{"a", 2.0}, {"b", 1.0}, {"x0", 0.1}}), data,
                     {.search = {.solver = solver}});
    ASSERT_TRUE(found.ok()) << found.message;
    const VectorXd error = found.parameters - Eigen::Vector3d(0.8, 2.0, 0.5);
    // Five standard deviations of each.
    EXPECT_LE((error.cwiseQuotient(found.statistics.deviations)).cwiseAbs().maxCoeff(), 5.0)
        << optimize::to_string(solver);
    // The rms of 200 samples scatters by 1/√400 of it: 4 standard deviations.
    EXPECT_NEAR(found.prediction.rms(0), 0.01, 0.002);
    EXPECT_LE(found.step_error, 1e-6);
  }
}

// Over many records: the errors divided by their deviations have a mean square of 1 ± 4 √(2/600),
// and 95 % of them are below 1.96 (± 4 √(0.95·0.05/600)). The robust deviations need more samples
// than the start value has: a and b only, whose correlated scores over about 10 samples leave 30
// independent ones, hence a spread of the variance by √(2/30).
TEST(OutputError, DeviationsAreHonest) {
  const model::CompiledEquations model = compiled(kLag);
  double squares = 0.0;
  double robust_squares = 0.0;
  int inside = 0;
  constexpr int kRecords = 200;
  for (int r = 0; r < kRecords; ++r) {
    const Experiments data = {lag(0.8, 2.0, 0.5, 300, 0.05, 100 + static_cast<std::uint64_t>(r))};
    const OutputErrorResult found =
        output_error(model, guesses({{"a", 0.8}, {"b", 2.0}, {"x0", 0.5}}), data);
    ASSERT_TRUE(found.ok()) << found.message;
    const VectorXd error = found.parameters - Eigen::Vector3d(0.8, 2.0, 0.5);
    const VectorXd ratio = error.cwiseQuotient(found.statistics.deviations);
    squares += ratio.squaredNorm();
    inside += static_cast<int>((ratio.array().abs() < 1.96).count());
    ASSERT_EQ(found.robust.deviations.size(), 3);
    robust_squares += error.cwiseQuotient(found.robust.deviations).head(2).squaredNorm();
  }
  const double count = 3.0 * kRecords;
  EXPECT_NEAR(squares / count, 1.0, 4.0 * std::sqrt(2.0 / count));
  EXPECT_NEAR(inside / count, 0.95, 4.0 * std::sqrt(0.95 * 0.05 / count));
  EXPECT_NEAR(robust_squares / (2.0 * kRecords), 1.0, 0.3);
}

TEST(OutputError, MissingSamplesAreLeftOut) {
  Experiment experiment = lag(0.8, 2.0, 0.5, 200, 0.01, 5);
  experiment.output.middleRows(50, 100).setConstant(kNaN);
  const OutputErrorResult found =
      output_error(compiled(kLag), guesses({{"a", 2.0}, {"b", 1.0}, {"x0", 0.1}}), {experiment});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found.statistics.freedom, 97);
  EXPECT_NEAR(found.parameters(0), 0.8, 5.0 * found.statistics.deviations(0));
}

TEST(OutputError, FixedTiedAndBoundedParameters) {
  const Experiments data = {lag(0.8, 2.0, 0.5, 200, 0.001, 6)};
  std::vector<optimize::Parameter> parameters = guesses({{"a", 0.8}, {"b", 1.0}, {"x0", 0.1}});
  parameters[0].fixed = true;
  parameters[1].upper = 1.9;
  const OutputErrorResult found = output_error(compiled(kLag), parameters, data);
  EXPECT_EQ(found.parameters(0), 0.8);
  EXPECT_EQ(found.parameters(1), 1.9);
  EXPECT_THAT(found.at_bound, Contains("b"));
}

// Only the product of two factors acts: the data cannot tell them apart, and it is said how.
TEST(OutputError, NamesWhatTheDataCannotTell) {
  const Text text{"x' = -a*x + b*c*u", {"u"}, {"x"}, {"a", "b", "c"}};
  const OutputErrorResult found =
      output_error(compiled(text), guesses({{"a", 0.5}, {"b", 1.0}, {"c", 1.5}}),
                   {lag(0.8, 2.0, 0.0, 200, 0.01, 7)});
  EXPECT_EQ(found.statistics.status, Status::NotIdentifiable);
  ASSERT_EQ(found.statistics.null_directions.size(), 1U);
  EXPECT_THAT(found.statistics.null_directions[0].words, HasSubstr("b up, c down"));
  EXPECT_NEAR(found.parameters(1) * found.parameters(2), 2.0, 0.05);
}

// q'' + 2 ζ ω q' + ω² q = u under Σ cos(2π k t/T): amplitude and phase of each line are those of
// 1/(ω² - Ω² + 2i ζ ω Ω).
TEST(OutputError, PeriodicStartIsTheSteadyState) {
  constexpr Index kSamples = 64;
  constexpr double kPeriod = 2.0;
  const double omega = 9.0;
  const double zeta = 0.02;
  Experiment experiment{.input = MatrixXd::Zero(kSamples, 1),
                        .output = MatrixXd::Zero(kSamples, 1),
                        .step = kPeriod / kSamples};
  for (const int line : {1, 3, 5}) {
    const double w = 2.0 * std::numbers::pi * line / kPeriod;
    const std::complex<double> response =
        1.0 / (omega * omega - w * w + std::complex<double>(0.0, 2.0 * zeta * omega * w));
    for (Index k = 0; k < kSamples; ++k) {
      const std::complex<double> wave =
          std::polar(1.0, w * static_cast<double>(k) * experiment.step + line);
      experiment.input(k, 0) += wave.real();
      experiment.output(k, 0) += (response * wave).real();
    }
  }
  const Text text{"q'' = u - 2*zeta*w*q' - w^2*q", {"u"}, {"q"}, {"zeta", "w"}};
  const SimulationOptions options{.between = signal::BetweenSamples::BandLimited,
                                  .start = StartState::Periodic,
                                  .substeps = 16};
  const EquationPrediction found =
      simulate_equations(compiled(text), Eigen::Vector2d(zeta, omega), {experiment}, options);
  ASSERT_TRUE(found.ok()) << found.message;
  const double size = experiment.output.cwiseAbs().maxCoeff();
  // Runge-Kutta of order 4 with ω h/16 = 0.018: (0.018)⁴/(2ζ) relative, near the resonance.
  EXPECT_LE(found.residuals[0].cwiseAbs().maxCoeff(), 1e-5 * size);

  const OutputErrorResult fit = output_error(compiled(text), guesses({{"zeta", 0.1}, {"w", 8.0}}),
                                             {experiment}, {.simulation = options});
  ASSERT_TRUE(fit.ok()) << fit.message;
  EXPECT_NEAR(fit.parameters(0), zeta, 1e-4 * zeta);
  EXPECT_NEAR(fit.parameters(1), omega, 1e-5 * omega);
}

TEST(OutputError, AModelThatExplodesIsInfeasible) {
  const Text text{"x' = a*x^2", {}, {"x"}, {"a"}, {{"x", "1"}}};
  Experiment experiment{.input = MatrixXd(50, 0), .output = MatrixXd::Ones(50, 1), .step = 0.1};
  const EquationPrediction found =
      simulate_equations(compiled(text), VectorXd::Constant(1, 5.0), {experiment});
  EXPECT_EQ(found.status, Status::NotFinite);
  EXPECT_THAT(found.message, HasSubstr("the model cannot be simulated"));
  // From a guess that works the search stays where the model can be simulated: x = 1 is a = 0.
  const OutputErrorResult fit = output_error(compiled(text), guesses({{"a", 0.15}}), {experiment});
  EXPECT_NEAR(fit.parameters(0), 0.0, 1e-6);
}

// Before there are residuals, outputs are weighed by their standard deviations, in which an offset
// does not count: the first search costs Σ N (σ/s)² of noise σ on outputs of size s.
TEST(OutputError, OutputsOfDifferentSizeBeginWithEqualWeight) {
  const Text text{"x' = -a*x + b*u\nbig = 5000 + 1000*x", {"u"}, {"x", "big"}, {"a", "b"}};
  Experiment experiment = lag(0.8, 2.0, 0.0, 400, 0.0, 8);
  const VectorXd x = experiment.output.col(0);
  const double size = std::sqrt((x.array() - x.mean()).square().mean());
  experiment.output.resize(400, 2);
  experiment.output.col(0) = x + white(400, 1, 0.10 * size, 9);
  experiment.output.col(1) = 5000.0 + 1000.0 * x.array() + white(400, 1, 200.0 * size, 10).array();
  const OutputErrorResult found = output_error(compiled(text), guesses({{"a", 0.5}, {"b", 1.0}}),
                                               {experiment}, {.strategy = StartStrategy::Plain});
  ASSERT_TRUE(found.ok());
  ASSERT_FALSE(found.trials.empty());
  // Of 400 (0.1² + 0.2²) = 20, less what two parameters take up; noise adds 1 and 4 % to the sizes.
  // Four standard deviations of the sums are 4 √2 √400 √(0.1⁴ + 0.2⁴) = 4.7.
  EXPECT_NEAR(found.trials.front().cost, 400.0 * (0.01 / 1.01 + 0.04 / 1.04), 4.7);
  // Numbers a thousand times as large change nothing.
  Experiment scaled = experiment;
  scaled.output.col(1) *= 1e3;
  const Text larger{"x' = -a*x + b*u\nbig = 5e6 + 1e6*x", {"u"}, {"x", "big"}, {"a", "b"}};
  const OutputErrorResult same = output_error(compiled(larger), guesses({{"a", 0.5}, {"b", 1.0}}),
                                              {scaled}, {.strategy = StartStrategy::Plain});
  EXPECT_NEAR(same.trials.front().cost / found.trials.front().cost, 1.0, 1e-6);
  EXPECT_NEAR(same.parameters(0) / found.parameters(0), 1.0, 1e-6);
}

// Several outputs of very different size and noise are weighed by their residuals.
TEST(OutputError, OutputsAreWeighedByTheirNoise) {
  const Text text{"x' = -a*x + b*u\nbig = 1000*x", {"u"}, {"x", "big"}, {"a", "b"}};
  Experiment experiment = lag(0.8, 2.0, 0.0, 400, 0.0, 8);
  const VectorXd x = experiment.output.col(0);
  experiment.output.resize(400, 2);
  experiment.output.col(0) = x + white(400, 1, 0.001, 9);
  experiment.output.col(1) = 1000.0 * x + white(400, 1, 100.0, 10);
  const OutputErrorResult found =
      output_error(compiled(text), guesses({{"a", 0.5}, {"b", 1.0}}), {experiment});
  ASSERT_TRUE(found.ok());
  // 4 standard deviations of the rms of 400 samples.
  const double scatter = 4.0 / std::sqrt(2.0 * 400.0);
  EXPECT_NEAR(found.weights(0), 1.0 / 0.001, scatter / 0.001);
  EXPECT_NEAR(found.weights(1), 1.0 / 100.0, scatter / 100.0);
  EXPECT_NEAR(found.parameters(0), 0.8, 5.0 * found.statistics.deviations(0));
}

// The cascaded tanks [Brunot2017]: the upper one spills into the lower one above 10 V.
const Text kTanks{R"(
  v1  = min(x1, 10)
  ov  = max(x1 - 10, 0)
  out = p1*sqrt(2*9.81)*sqrt(max(v1, 0))
  x1' = -out + p1*p2*(u - bu) - kover*ov
  d2  = out - p1*sqrt(2*9.81)*sqrt(max(x2, 0)) + kover*ov
  x2' = if(x2 >= 10 and d2 > 0, 0, d2)
)",
                  {"u"},
                  {"x2"},
                  {"p1", "p2", "v10", "v20", "bu", "kover"},
                  {{"x1", "v10"}, {"x2", "v20"}}};

// Estimation and validation record.
std::pair<Experiments, Experiments> tanks_data(const std::filesystem::path& file) {
  const signal::Record record =
      io::read_csv(file, {.step = 4.0, .channels = {"uEst", "yEst", "uVal", "yVal"}});
  const MatrixXd& samples = record.samples();
  return {{{.input = samples.col(0), .output = samples.col(1), .step = 4.0}},
          {{.input = samples.col(2), .output = samples.col(3), .step = 4.0}}};
}

TEST(OutputError, TanksWithThePublishedParameters) {
  ALEMBERT_REQUIRE_DATA(file, "cascaded_tanks/dataBenchmark.csv");
  const auto [estimation, validation] = tanks_data(file);
  const model::CompiledEquations model = compiled(kTanks);
  const SimulationOptions fine{.substeps = 80};
  VectorXd nelder_mead(6);
  nelder_mead << 0.0094, 4.87, 4.89, 5.16, 0.675, 0.909;
  VectorXd nomad(6);
  nomad << 0.0094, 4.85, 4.96, 5.16, 0.663, 14.1;
  EXPECT_NEAR(simulate_equations(model, nelder_mead, estimation, fine).rms(0), 0.2777, 1e-4);
  EXPECT_NEAR(simulate_equations(model, nelder_mead, validation, fine).rms(0), 0.3775, 1e-4);
  EXPECT_NEAR(simulate_equations(model, nomad, estimation, fine).rms(0), 0.2781, 1e-4);
  EXPECT_NEAR(simulate_equations(model, nomad, validation, fine).rms(0), 0.3756, 1e-4);
}

TEST(OutputError, TanksFromThePublishedGuess) {
  ALEMBERT_REQUIRE_DATA(file, "cascaded_tanks/dataBenchmark.csv");
  const auto [estimation, validation] = tanks_data(file);
  const model::CompiledEquations model = compiled(kTanks);
  std::vector<optimize::Parameter> parameters = guesses(
      {{"p1", 0.07}, {"p2", 2.25}, {"v10", 5.0}, {"v20", 5.21}, {"bu", 0.0}, {"kover", 0.16}});
  for (const std::size_t positive : {0U, 1U, 5U}) parameters[positive].logarithmic = true;
  const OutputErrorResult found = output_error(
      model, parameters, estimation, {.search = {.solver = optimize::Solver::NelderMead}});
  EXPECT_LE(found.prediction.rms(0), 0.2780);
  // Where the search ends in the noise moves it by some 1e-4, coarse steps by up to 1e-3.
  EXPECT_NEAR(simulate_equations(model, found.parameters, validation).rms(0), 0.3786, 0.002);
  // Relative deviations of all but the overflow, which the data hardly see, by an independent study
  // to two digits: half of the last one, and as much for where the search ends in the noise.
  const double expected[] = {0.0054, 0.0056, 0.030, 0.020, 0.019};
  for (Index i = 0; i < 5; ++i) {
    EXPECT_NEAR(found.statistics.relative_deviations(i), expected[i], 0.05 * expected[i]) << i;
  }
  EXPECT_GT(found.statistics.relative_deviations(5), 0.2);
}

TEST(OutputError, BoundsAreReportedForAnyNumberOfStarts) {
  const Experiments data = {lag(0.8, 2.0, 0.5, 200, 0.01, 3)};
  const model::CompiledEquations model = compiled(kLag);
  std::vector<optimize::Parameter> parameters = guesses({{"a", 1.0}, {"b", 1.5}, {"x0", 0.0}});
  parameters[1].upper = 1.9;  // the truth is 2
  for (const Index starts : {1, 3}) {
    const OutputErrorResult found = output_error(model, parameters, data, {.starts = starts});
    EXPECT_EQ(found.at_bound, std::vector<std::string>{"b"}) << starts;
    EXPECT_EQ(found.statistics.held, found.at_bound) << starts;
    EXPECT_EQ(found.statistics.names.size(), 2U) << starts;
  }
  // With nothing left to estimate there are no statistics, which is a status and no exception.
  parameters[0].fixed = parameters[2].fixed = true;
  const OutputErrorResult none = output_error(model, parameters, data);
  EXPECT_EQ(none.statistics.status, Status::NotIdentifiable);
  EXPECT_THAT(none.statistics.message, HasSubstr("ended at a bound"));
  EXPECT_TRUE(none.prediction.ok());
}

TEST(OutputError, BadInputIsNamed) {
  const Experiments data = {lag(0.8, 2.0, 0.5, 20, 0.0, 1)};
  const model::CompiledEquations model = compiled(kLag);
  EXPECT_THAT(test::message_of([&] {
                (void)output_error(model, guesses({{"a", 1.0}}), data);
              }),
              HasSubstr("parameters must be those of the model"));
  Experiments wide = data;
  wide[0].input.conservativeResize(20, 2);
  wide[0].input.col(1).setZero();
  EXPECT_THAT(test::message_of([&] {
                (void)output_error(model, guesses({{"a", 1.0}, {"b", 1.0}, {"x0", 0.0}}), wide);
              }),
              HasSubstr("1 inputs and 1 outputs of the model, got 2 and 1"));
  EXPECT_THAT(test::message_of([&] {
                (void)simulate_equations(model, Eigen::Vector3d(1, 1, 0), data,
                                         {.between = signal::BetweenSamples::BandLimited});
              }),
              HasSubstr("start must be Periodic"));
}

}  // namespace output_error_test
}  // namespace alembert::identify
