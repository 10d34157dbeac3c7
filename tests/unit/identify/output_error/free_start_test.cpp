#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "alembert/core/error.hpp"
#include "alembert/identify/equation_fit.hpp"
#include "alembert/identify/output_error.hpp"
#include "unit/identify/output_error/equation_texts.hpp"

namespace alembert::identify {
namespace free_start_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::HasSubstr;
using namespace test_texts;

constexpr double kNoise = 0.01;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Angle 0 hangs; sizes of the measured pendulum.
const Truth kPendulum{"q'' = -a*sin(q) - b*q'", {}, {"q", "q'"}, {{"a", 64.0}, {"b", 0.07}}};

const Truth kPendulumWithStart{"q'' = -a*sin(q) - b*q'",
                               {},
                               {"q", "q'"},
                               {{"a", 64.0}, {"b", 0.07}, {"q0", 1.0}, {"v0", 2.0}},
                               {{"q", "q0"}, {"q'", "v0"}}};

// Swings from different starts, one column each, with noise of deviation kNoise.
Experiments swings(const Truth& truth, const MatrixXd& starts, Index samples, std::uint64_t seed) {
  const auto outputs = static_cast<Index>(truth.outputs.size());
  Experiments data(static_cast<std::size_t>(starts.cols()));
  for (Experiment& one : data) {
    one.input.resize(samples, 0);
    one.output = MatrixXd::Zero(samples, outputs);
    one.step = 0.01;
  }
  const EquationPrediction exact =
      simulate_equations(compiled(truth), values_of(truth), data, {.start_values = starts});
  for (std::size_t e = 0; e < data.size(); ++e) {
    RandomStream random(seed, e);
    for (Index i = 0; i < outputs; ++i) {
      data[e].output.col(i) = exact.outputs[e].col(i) + kNoise * random.normal_vector(samples);
    }
  }
  return data;
}

model::EquationSetup pendulum_setup() {
  model::EquationSetup setup;
  setup.outputs = {{"q", ""}, {"q'", ""}};
  return setup;
}

MatrixXd four_starts() {
  MatrixXd starts(2, 4);
  starts << -1.6, 0.1, -0.9, 2.2,  //
      1.8, 9.2, -2.8, 0.0;
  return starts;
}

const OutputErrorOptions kFree{.simulation = {.start = StartState::Free},
                               .weights = VectorXd::Ones(2)};

TEST(FreeStart, OfOneRecordIsThatOfParametersOfTheStart) {
  const Experiments data = swings(kPendulum, Eigen::Vector2d(1.0, 2.0), 300, 1);
  const OutputErrorResult free =
      output_error(compiled(kPendulum), off_by(kPendulum, {1.02, 0.5}), data, kFree);
  const OutputErrorResult named =
      output_error(compiled(kPendulumWithStart), off_by(kPendulumWithStart, {1.02, 0.5, 0.9, 1.2}),
                   data, {.weights = VectorXd::Ones(2)});
  ASSERT_TRUE(free.ok()) << free.message;
  ASSERT_TRUE(named.ok()) << named.message;
  // Searches end where a step gains less than 1e-8 of the cost: 1e-4 of a deviation per root of
  // 600 residuals, and ten times that for the two of them.
  const double part = 10.0 * 1e-4 * std::sqrt(600.0);
  const VectorXd& white = named.statistics.deviations;
  ASSERT_EQ(white.size(), 4);
  for (Index j = 0; j < 2; ++j) {
    EXPECT_NEAR(free.parameters(j), named.parameters(j), part * white(j));
    EXPECT_NEAR(free.prediction.starts(j, 0), named.parameters(2 + j), part * white(2 + j));
    // The same Jacobian at nearly the same point.
    EXPECT_NEAR(free.statistics.deviations(j), white(j), 1e-3 * white(j));
    EXPECT_NEAR(free.robust.deviations(j), named.robust.deviations(j),
                1e-3 * named.robust.deviations(j));
    EXPECT_NEAR(free.start_deviations(j, 0), named.robust.deviations(2 + j),
                1e-3 * named.robust.deviations(2 + j));
  }
  EXPECT_NEAR(free.cost, named.cost, 1e-7 * named.cost);
  EXPECT_EQ(free.statistics.freedom, named.statistics.freedom);
}

TEST(FreeStart, SwingsFromDifferentStartsGiveTheTruth) {
  const MatrixXd starts = four_starts();
  const Experiments data = swings(kPendulum, starts, 400, 2);
  // With the start of the model, which is rest, nothing is found; so it was before.
  const OutputErrorResult rest =
      output_error(compiled(kPendulum), off_by(kPendulum, {0.8, 2.0}), data,
                   {.weights = VectorXd::Ones(2), .strategy = StartStrategy::Plain});
  const OutputErrorResult found =
      output_error(compiled(kPendulum), off_by(kPendulum, {0.8, 2.0}), data, kFree);
  ASSERT_TRUE(found.ok()) << found.message;
  EXPECT_GT(rest.cost, 100.0 * found.cost);
  // Statistics: 5 deviations of each of ten numbers.
  for (Index j = 0; j < 2; ++j) {
    EXPECT_NEAR(found.parameters(j), values_of(kPendulum)(j), 5.0 * found.robust.deviations(j));
    for (Index e = 0; e < 4; ++e) {
      EXPECT_NEAR(found.prediction.starts(j, e), starts(j, e), 5.0 * found.start_deviations(j, e));
      EXPECT_LT(found.start_deviations(j, e), 2.0 * kNoise);
    }
  }
  // 3200 residuals less ten unknowns: 4 deviations of the noise found.
  EXPECT_EQ(found.statistics.freedom, 3200 - 10);
  EXPECT_NEAR(std::sqrt(found.statistics.noise_variance), kNoise,
              4.0 * kNoise / std::sqrt(2.0 * 3190.0));
}

// Errors over deviations, 20 records and 2 states each from 6 draws: the mean square of 240 has a
// deviation of √(2/240). The deviations of the parameters are those of the noise.
TEST(FreeStart, DeviationsOfManyRecordsAreThoseOfTheErrors) {
  MatrixXd starts(2, 20);
  RandomStream random(31);
  for (double& value : starts.reshaped()) value = random.uniform(-1.5, 1.5);
  double squares = 0.0, of_parameters = 0.0;
  for (const std::uint64_t draw : {40U, 41U, 42U, 43U, 44U, 45U}) {
    const Experiments data = swings(kPendulum, starts, 100, draw);
    const OutputErrorResult found =
        output_error(compiled(kPendulum), off_by(kPendulum, {0.95, 1.5}), data, kFree);
    ASSERT_TRUE(found.ok()) << found.message;
    ASSERT_EQ(found.start_deviations.cols(), 20);
    EXPECT_EQ(found.coloured.knowledge, optimize::Knowledge::Known);
    squares +=
        (found.prediction.starts - starts).cwiseQuotient(found.start_deviations).squaredNorm();
    of_parameters += (found.parameters - values_of(kPendulum))
                         .cwiseQuotient(found.robust.deviations)
                         .squaredNorm();
  }
  EXPECT_NEAR(squares / 240.0, 1.0, 4.0 * std::sqrt(2.0 / 240.0));
  // χ² of 12: below 32.9 in 999 of 1000 draws.
  EXPECT_LT(of_parameters, 32.9);
}

TEST(FreeStart, TheGradientIsThatOfTheCostWithTheBestStarts) {
  const Experiments data = swings(kPendulum, four_starts(), 200, 3);
  const optimize::Objective objective = output_error_objective(
      compiled(kPendulum), data, {.start = StartState::Free}, VectorXd::Ones(2));
  const VectorXd theta = Eigen::Vector2d(63.0, 0.2);
  optimize::NormalEquations sums;
  sums.reset(2);
  objective.sums(theta, sums);
  for (Index j = 0; j < 2; ++j) {
    const double h = 1e-4 * theta(j);
    VectorXd up = theta, down = theta;
    up(j) += h;
    down(j) -= h;
    const double slope = (objective.cost(up) - objective.cost(down)) / (2.0 * h);
    // Truncation of order h²; starts are fitted until a step gains 1e-12 of the cost.
    EXPECT_NEAR(2.0 * sums.gradient(j), slope, 1e-4 * std::abs(slope)) << j;
  }
}

TEST(FreeStart, IntervalsCoverAsTheySay) {
  Index covered = 0;
  constexpr int kRuns = 100;
  const MatrixXd starts = four_starts();
  for (int run = 0; run < kRuns; ++run) {
    const Experiments data = swings(kPendulum, starts, 80, 100 + static_cast<std::uint64_t>(run));
    const EquationFit fit = fit_equations(
        kPendulum.equations, pendulum_setup(), off_by(kPendulum, {1.0, 1.0}), data,
        {.output_error = kFree, .engine = model::EngineKind::Interpreter, .alternatives = false});
    ASSERT_TRUE(fit.ok()) << fit.message;
    for (std::size_t j = 0; j < 2; ++j) {
      const ParameterVerdict verdict = parameter_verdict(fit, j);
      const double error = verdict.value - kPendulum.parameters[j].second;
      covered += std::abs(error) <= verdict.margin ? 1 : 0;
    }
  }
  // 95 % of 200, within four deviations of a binomial count.
  EXPECT_NEAR(static_cast<double>(covered), 190.0, 4.0 * std::sqrt(200.0 * 0.95 * 0.05));
}

TEST(FreeStart, MethodsWithoutDerivativesFindTheSame) {
  const Experiments data = swings(kPendulum, four_starts(), 100, 4);
  OutputErrorOptions options = kFree;
  const OutputErrorResult steps =
      output_error(compiled(kPendulum), off_by(kPendulum, {1.02, 1.2}), data, options);
  options.search.solver = optimize::Solver::NelderMead;
  const OutputErrorResult simplex =
      output_error(compiled(kPendulum), off_by(kPendulum, {1.02, 1.2}), data, options);
  ASSERT_TRUE(simplex.ok()) << simplex.message;
  // A simplex ends when what it gains is a tenth of a deviation.
  for (Index j = 0; j < 2; ++j) {
    EXPECT_NEAR(simplex.parameters(j), steps.parameters(j), 0.15 * steps.statistics.deviations(j));
  }
}

TEST(FreeStart, AStateThatNothingShowsStaysAndIsSaid) {
  // z acts on nothing.
  const Truth hidden{"q'' = -a*q - b*q'\nz' = -z", {}, {"q"}, {{"a", 9.0}, {"b", 0.1}}};
  MatrixXd starts(3, 1);
  starts << 1.0, 0.0, 0.7;
  const Experiments data = swings(hidden, starts, 200, 5);
  const OutputErrorResult found = output_error(compiled(hidden), off_by(hidden, {1.1, 1.0}), data,
                                               {.simulation = {.start = StartState::Free}});
  ASSERT_TRUE(found.ok()) << found.message;
  EXPECT_FALSE(found.prediction.starts_seen);
  EXPECT_EQ(found.prediction.starts(2, 0), 0.0);
  EXPECT_NEAR(found.parameters(0), 9.0, 5.0 * found.statistics.deviations(0));
}

TEST(FreeStart, MissingSamplesAndGuessesDoNoHarm) {
  const MatrixXd starts = four_starts();
  Experiments data = swings(kPendulum, starts, 400, 6);
  for (Experiment& one : data) one.output.topRows(20).setConstant(kNaN);
  OutputErrorOptions options = kFree;
  options.simulation.start_values = starts * 1.05;
  const OutputErrorResult found =
      output_error(compiled(kPendulum), off_by(kPendulum, {1.02, 1.0}), data, options);
  ASSERT_TRUE(found.ok()) << found.message;
  EXPECT_LT(((found.prediction.starts - starts).cwiseQuotient(found.start_deviations))
                .cwiseAbs()
                .maxCoeff(),
            5.0);
}

TEST(StartFromData, IsTheFirstSampleOfOutputsThatAreStates) {
  const MatrixXd starts = four_starts();
  Experiments data = swings(kPendulum, starts, 100, 7);
  data[2].output(0, 0) = kNaN;
  const EquationPrediction found = simulate_equations(compiled(kPendulum), values_of(kPendulum),
                                                      data, {.start = StartState::Data});
  for (Index e = 0; e < 4; ++e) {
    const VectorXd first = data[static_cast<std::size_t>(e)].output.row(0);
    EXPECT_EQ(found.starts(1, e), first(1));
    EXPECT_EQ(found.starts(0, e), e == 2 ? 0.0 : first(0));  // missing: as in the model
  }
}

TEST(GivenStarts, MustFitStatesAndExperiments) {
  const Experiments data = swings(kPendulum, four_starts(), 100, 8);
  try {
    (void)simulate_equations(compiled(kPendulum), values_of(kPendulum), data,
                             {.start_values = MatrixXd::Zero(2, 3)});
    FAIL() << "two states and three experiments for four";
  } catch (const InvalidInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("start_values"));
  }
}

// A spring that begins at rest under the first force, another one in each record.
TEST(StartByInputs, EquilibriumUnderTheFirstForce) {
  const Truth spring{
      "q'' = u - c*q' - k*q", {"u"}, {"q"}, {{"c", 0.4}, {"k", 25.0}}, {{"q", "u/k"}}};
  Experiments data;
  for (const double load : {5.0, -2.0}) {
    MatrixXd u = MatrixXd::Constant(300, 1, load);
    u.bottomRows(200).setConstant(-load);
    data.push_back(measured(spring, u, 0.02, 0.01, 9));
  }
  const OutputErrorResult found = output_error(compiled(spring), off_by(spring, {1.5, 1.3}), data);
  ASSERT_TRUE(found.ok()) << found.message;
  EXPECT_NEAR(found.prediction.starts(0, 0), 5.0 / found.parameters(1), 1e-12);
  EXPECT_NEAR(found.prediction.starts(0, 1), -2.0 / found.parameters(1), 1e-12);
  EXPECT_NEAR(found.parameters(1), 25.0, 5.0 * found.statistics.deviations(1));
  EXPECT_NEAR(found.parameters(0), 0.4, 5.0 * found.statistics.deviations(0));
}

TEST(HeldBackStart, FreeIsFittedToTheWholeExperiment) {
  const MatrixXd starts = four_starts();
  const Experiments data = swings(kPendulum, starts, 300, 10);
  const auto validated = [&](ValidationStart start) {
    return fit_equations(kPendulum.equations, pendulum_setup(), off_by(kPendulum, {1.05, 1.0}),
                         {data[0], data[1]},
                         {.output_error = kFree,
                          .held_back = {data[2], data[3]},
                          .validation = {.start = start},
                          .engine = model::EngineKind::Interpreter});
  };
  const EquationFit whole = validated(ValidationStart::Free);
  const EquationFit first = validated(ValidationStart::Estimate);
  ASSERT_TRUE(whole.validation && first.validation);
  ASSERT_EQ(whole.validation->starts.size(), 2U);
  for (Index i = 0; i < 2; ++i) {
    // The best start for all samples, and 600 samples of noise: 4 deviations of their rms.
    EXPECT_LE(whole.validation->prediction.rms(i), first.validation->prediction.rms(i));
    EXPECT_NEAR(whole.validation->prediction.rms(i), kNoise, 4.0 * kNoise / std::sqrt(1200.0));
    EXPECT_NEAR(whole.validation->starts[0](i), starts(i, 2), 4.0 * kNoise);
  }
}

}  // namespace free_start_test
}  // namespace alembert::identify
