#include "identify/output_error/window_problem.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "identify/output_error/equation_residuals.hpp"
#include "identify/output_error/window_search.hpp"
#include "identify/output_error/window_start.hpp"
#include "support/matrices_near.hpp"
#include "unit/identify/output_error/equation_texts.hpp"

namespace alembert::identify {
namespace window_problem_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using namespace test_texts;

const Truth kOscillator{"q'' = u - c*q' - k*q^3\nd = r*q",
                        {"u"},
                        {"q", "d"},
                        {{"c", 0.5}, {"k", 4.0}, {"r", 1.5}, {"q0", 0.3}},
                        {{"q", "q0"}}};

struct Case {
  Experiments data;
  std::vector<optimize::Parameter> parameters;
  SimulationOptions simulation;
  model::CompiledEquations model = compiled(kOscillator);
  VectorXd weights = Eigen::Vector2d(2.0, 0.5);
};

Case make_case(signal::BetweenSamples between) {
  Case result;
  result.simulation = {.between = between, .substeps = 3};
  result.data = {measured(kOscillator, random_levels(41, 5, 3.0, 1), 0.1, 0.05, 2),
                 measured(kOscillator, random_levels(23, 5, 3.0, 3), 0.1, 0.05, 4)};
  result.data[0].output(7, 1) = std::nan("");
  result.parameters = off_by(kOscillator, {1.3, 0.8, 1.1, 0.7});
  result.parameters[0].logarithmic = true;
  result.parameters[2].prior = optimize::Prior{1.4, 0.2};
  return result;
}

// Central differences of the cost by every unknown.
TEST(WindowProblem, GradientAgreesWithDifferences) {
  for (const signal::BetweenSamples between :
       {signal::BetweenSamples::Held, signal::BetweenSamples::Linear,
        signal::BetweenSamples::Cubic}) {
    const Case one = make_case(between);
    const auto records = records_of(one.data, one.simulation);
    const optimize::Transformation map(one.parameters);
    WindowProblem problem(one.model, records, map, one.weights, StartState::Model);
    problem.set_windows(cut_records(records, 8));
    ASSERT_EQ(problem.windows().size(), 7U);
    problem.set_continuity(Eigen::Vector2d(3.0, 0.7));
    RandomStream random(5);
    WindowPoint point;
    map.to_parameters(map.start(), point.theta);
    point.states = MatrixXd(2, 7);
    for (Index w = 0; w < 7; ++w) point.states.col(w) = 0.5 * random.normal_vector(2);
    WindowEquations equations;
    ASSERT_TRUE(problem.linearise(point, equations));
    const double at_point = point.cost;
    ASSERT_TRUE(problem.evaluate(point));
    EXPECT_NEAR(point.cost, at_point, 1e-12 * at_point);
    // Truncation h² and rounding ε/h of central differences.
    const double h = 1e-5;
    const auto cost_at = [&](const WindowPoint& moved) {
      WindowPoint trial = moved;
      EXPECT_TRUE(problem.evaluate(trial));
      return trial.cost;
    };
    for (Index j = 0; j < map.free_size(); ++j) {
      double costs[2];
      for (const int side : {0, 1}) {
        WindowPoint trial = point;
        VectorXd x = map.start();
        x(j) += side == 0 ? h : -h;
        map.to_parameters(x, trial.theta);
        costs[side] = cost_at(trial);
      }
      EXPECT_NEAR(2.0 * equations.g(j), (costs[0] - costs[1]) / (2.0 * h), 1e-6 * at_point) << j;
    }
    for (Index w = 0; w < 7; ++w) {
      for (Index j = 0; j < 2; ++j) {
        WindowPoint up = point;
        WindowPoint down = point;
        up.states(j, w) += h;
        down.states(j, w) -= h;
        EXPECT_NEAR(2.0 * equations.blocks[static_cast<std::size_t>(w)].g(j),
                    (cost_at(up) - cost_at(down)) / (2.0 * h), 1e-6 * at_point)
            << w << " " << j;
      }
    }
  }
}

// All residuals of this model are linear in parameters and states, so that the matrix times a step
// is the change of the gradient.
TEST(WindowProblem, MatrixOfALinearModelIsExact) {
  const Truth linear{"x' = y - x + b*u\ny' = -x",
                     {"u"},
                     {"x", "y"},
                     {{"b", 2.0}, {"x0", 0.5}, {"twice", 1.0}},
                     {{"x", "x0"}, {"y", "twice"}}};
  const Experiments data = {measured(linear, random_levels(30, 3, 1.0, 7), 0.1, 0.1, 8),
                            measured(linear, random_levels(20, 3, 1.0, 9), 0.1, 0.1, 10)};
  auto parameters = off_by(linear, {1.0, 1.0, 1.0});
  parameters[2].tie = optimize::Tie{"x0", 2.0};
  const model::CompiledEquations model = compiled(linear);
  const auto records = records_of(data, {});
  const optimize::Transformation map(parameters);
  const VectorXd weights = Eigen::Vector2d(1.0, 3.0);
  WindowProblem problem(model, records, map, weights, StartState::Model);
  problem.set_windows(cut_records(records, 6));
  problem.set_continuity(Eigen::Vector2d(3.0, 0.7));
  const auto count = static_cast<Index>(problem.windows().size());
  RandomStream random(11);
  WindowPoint point;
  map.to_parameters(map.start(), point.theta);
  point.states = MatrixXd::Zero(2, count);
  const VectorXd step = random.normal_vector(2);
  MatrixXd moves(2, count);
  for (Index w = 0; w < count; ++w) moves.col(w) = random.normal_vector(2);
  WindowPoint moved = point;
  map.to_parameters(map.start() + step, moved.theta);
  moved.states += moves;
  WindowEquations before, after;
  ASSERT_TRUE(problem.linearise(point, before));
  ASSERT_TRUE(problem.linearise(moved, after));
  VectorXd change = before.C * step;
  for (Index w = 0; w < count; ++w) {
    const WindowEquations::Block& block = before.blocks[static_cast<std::size_t>(w)];
    change += block.B.transpose() * moves.col(w);
    VectorXd here = block.A * moves.col(w) + block.B * step;
    if (w + 1 < count) here += block.O * moves.col(w + 1);
    if (w > 0) {
      here += before.blocks[static_cast<std::size_t>(w) - 1].O.transpose() * moves.col(w - 1);
    }
    // Rounding of some hundred products of size up to 100.
    EXPECT_TRUE(test::matrices_near(after.blocks[static_cast<std::size_t>(w)].g, block.g + here,
                                    {.abs = 1e-9}))
        << w;
  }
  EXPECT_TRUE(test::matrices_near(after.g, before.g + change, {.abs = 1e-9}));
}

// The elimination against the whole matrix at once.
TEST(WindowProblem, EliminationSolvesTheWholeSystem) {
  RandomStream random(6);
  for (const Index n : {1, 2, 4}) {
    for (const Index windows : {1, 2, 9}) {
      const Index q = 3;
      const Index size = n * windows + q;
      WindowEquations equations;
      MatrixXd whole = MatrixXd::Zero(size, size);
      VectorXd right(size);
      // JᵀJ of random residuals that each see one window, its successor and the parameters.
      for (Index w = 0; w < windows; ++w) {
        for (Index r = 0; r < 2 * n + q; ++r) {
          VectorXd row = VectorXd::Zero(size);
          row.segment(n * w, n) = random.normal_vector(n);
          if (w + 1 < windows) row.segment(n * (w + 1), n) = random.normal_vector(n);
          row.tail(q) = random.normal_vector(q);
          whole += row * row.transpose();
        }
      }
      right = random.normal_vector(size);
      for (Index w = 0; w < windows; ++w) {
        WindowEquations::Block block{whole.block(n * w, n * w, n, n), MatrixXd::Zero(n, n),
                                     whole.block(n * w, n * windows, n, q), right.segment(n * w, n),
                                     MatrixXd::Zero(n, n)};
        if (w + 1 < windows) block.O = whole.block(n * w, n * (w + 1), n, n);
        equations.blocks.push_back(block);
      }
      equations.C = whole.bottomRightCorner(q, q);
      equations.g = right.tail(q);
      const double damping = 0.3;
      const VectorXd sizes = VectorXd::LinSpaced(n, 0.5, 1.5);
      for (Index w = 0; w < windows; ++w) {
        for (Index j = 0; j < n; ++j) whole(n * w + j, n * w + j) += damping * sizes(j) * sizes(j);
      }
      const VectorXd expected = -whole.partialPivLu().solve(right);
      std::vector<MatrixXd> solutions;
      const CondensedEquations condensed = condense(equations, damping, sizes, solutions);
      ASSERT_TRUE(condensed.definite);
      const VectorXd step = -condensed.matrix.partialPivLu().solve(condensed.gradient);
      const MatrixXd moves = back_substitute(solutions, step);
      // Rounding times the condition of such small random systems.
      EXPECT_TRUE(test::matrices_near(step, expected.tail(q), {.rel = 1e-9}));
      EXPECT_TRUE(test::matrices_near(moves.reshaped(), expected.head(n * windows), {.rel = 1e-9}));
    }
  }
}

// With gaps that cost much the windows are one record: the optimum is that of whole records.
TEST(WindowProblem, JoinedWindowsAreWholeRecords) {
  const Case one = make_case(signal::BetweenSamples::Held);
  const auto records = records_of(one.data, one.simulation);
  const optimize::Transformation map(one.parameters);
  WindowProblem problem(one.model, records, map, one.weights, StartState::Model);
  problem.set_windows(cut_records(records, 8));
  WindowPoint point;
  map.to_parameters(map.start(), point.theta);
  point.states = MatrixXd::Zero(2, 7);
  for (const double kappa : {1.0, 30.0, 1e3, 3e4}) {
    problem.set_continuity(VectorXd::Constant(2, kappa));
    ASSERT_EQ(search_windows(problem, point, {.max_steps = 100, .cost_tolerance = 1e-12}),
              WindowSearchEnd::Settled);
  }
  const auto residuals =
      std::make_shared<EquationResiduals>(one.model, records, StartState::Model, one.weights);
  const optimize::Minimum whole =
      optimize::minimise({one.parameters, objective_of(residuals)},
                         {.solver = optimize::Solver::LevenbergMarquardt, .cost_tolerance = 1e-12});
  // The gaps that are left are of the order of residuals/κ² = 1e-9; both searches end within the
  // root of their tolerance.
  EXPECT_TRUE(test::matrices_near(point.theta, whole.parameters, {.rel = 1e-5}));
  EXPECT_NEAR(point.cost, whole.cost, 1e-6 * whole.cost);
}

TEST(WindowProblem, WindowsCoverEverySampleOnce) {
  const Case one = make_case(signal::BetweenSamples::Held);
  const auto records = records_of(one.data, one.simulation);
  for (const std::size_t length : {1U, 5U, 8U, 30U, 1000U}) {
    std::size_t next = 0;
    std::size_t record = 0;
    for (const RecordWindow& window : cut_records(records, length)) {
      EXPECT_EQ(window.record, record);
      EXPECT_EQ(window.first, next);
      next += window.samples;
      if (!window.last) continue;
      EXPECT_EQ(next, record == 0 ? 41U : 23U);
      next = 0;
      ++record;
    }
    EXPECT_EQ(record, 2U);
  }
}

// The position is measured, the velocity is its derivative, and the third state is not seen.
TEST(StateReader, ReadsPositionsAndVelocities) {
  const Truth truth{
      "q'' = -a*q + z\nz' = -z + q\ny = 2*q + 1", {}, {"y"}, {{"a", 1.0}}, {{"q", "1"}}};
  Experiment experiment{.input = MatrixXd(200, 0), .output = MatrixXd(200, 1), .step = 0.05};
  for (Index k = 0; k < 200; ++k) {
    experiment.output(k, 0) = 2.0 * std::sin(0.05 * static_cast<double>(k)) + 1.0;
  }
  const SmoothOutputs smooth = smooth_outputs(experiment);
  const StateReader reader(compiled(truth), VectorXd::Ones(1));
  EXPECT_FALSE(reader.complete());
  Eigen::Vector3d x(5.0, -5.0, 0.7);
  reader.correct(smooth, 100, x.data());
  // Exact data: the spline errs by less than h⁴.
  EXPECT_NEAR(x(0), std::sin(5.0), 1e-5);
  EXPECT_NEAR(x(1), std::cos(5.0), 1e-4);
  EXPECT_NEAR(x(2), 0.7, 1e-12);
  const Truth alone{"q'' = -a*q", {}, {"q"}, {{"a", 1.0}}};
  const StateReader complete(compiled(alone), VectorXd::Ones(1));
  EXPECT_TRUE(complete.complete());
  experiment.output = ((experiment.output.array() - 1.0) / 2.0).matrix();
  const VectorXd slopes = complete.slopes(smooth_outputs(experiment), 100);
  EXPECT_NEAR(slopes(0), std::cos(5.0), 1e-4);
  EXPECT_NEAR(slopes(1), -std::sin(5.0), 1e-2);
  // An output that depends on a parameter says nothing without it.
  const Truth gauged{"q'' = -a*q\ny = a*q", {}, {"y"}, {{"a", 1.0}}};
  Eigen::Vector2d kept(3.0, 4.0);
  StateReader(compiled(gauged), VectorXd::Ones(1)).correct(smooth, 100, kept.data());
  EXPECT_EQ(kept, Eigen::Vector2d(3.0, 4.0));
}

}  // namespace window_problem_test
}  // namespace alembert::identify
