// Programs of linear systems: against the library's simulation for every hold and method, the
// closed form of an oscillator, and an innovation filter by hand.

#include "alembert/code/linear_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "alembert/integrate/linear_simulation.hpp"
#include "code_support.hpp"

namespace alembert::linear_program_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Sums of some ten terms of size one, and of 300 steps of a damped system.
constexpr const char* kRounding = "1e-12";

model::SecondOrder two_masses() {
  return {.M = MatrixXd{{2.0, 0.1}, {0.1, 1.0}},
          .D = MatrixXd{{0.5, -0.1}, {-0.1, 0.3}},
          .K = MatrixXd{{300.0, -100.0}, {-100.0, 100.0}},
          .L = MatrixXd{{1.0}, {0.5}}};
}

MatrixXd noise(Eigen::Index rows, Eigen::Index columns) {
  RandomStream random(5);
  MatrixXd values(rows, columns);
  for (Eigen::Index k = 0; k < values.size(); ++k) values.data()[k] = random.normal();
  return values;
}

using Case = std::tuple<integrate::Method, signal::BetweenSamples>;
class AnyMethod : public testing::TestWithParam<Case> {};

TEST_P(AnyMethod, GivesTheLibrarysNumbers) {
  ALEMBERT_REQUIRE_PROGRAM("gcc");
  const model::SecondOrder system = two_masses();
  integrate::LinearSimulationOptions options;
  options.method = std::get<0>(GetParam());
  options.hold = std::get<1>(GetParam());
  const integrate::OneStepMap map = integrate::one_step_map(system, 0.01, options);
  const model::OutputMap outputs = model::output_map(2, {{model::Motion::Displacement, 0},
                                                         {model::Motion::Velocity, 1},
                                                         {model::Motion::Acceleration, 1}});
  const MatrixXd input = noise(300, 1);
  const VectorXd q0{{0.1, -0.2}};
  const VectorXd v0{{1.0, 0.5}};
  code::LinearSteps steps = code::linear_steps(system, map, outputs);
  steps.start << q0, v0;
  steps.inputs = {{"u", "N"}};
  steps.states = {{"q1"}, {"q2"}, {"q1'"}, {"q2'"}};
  steps.outputs = {{"y1"}, {"y2"}, {"y3"}};
  const code::Program program = code::linear_program(steps, {.name = "masses"});
  const code::Replay replay{
      .inputs = code::input_rows(steps, input),
      .outputs = integrate::apply(outputs, integrate::simulate(system, map, input, q0, v0))};
  for (const char* compiler : {"gcc", "clang"}) {
    if (!test::has_program(compiler)) continue;
    const test::Ran ran = test::replayed(program, replay, compiler, kRounding);
    EXPECT_EQ(ran.code, 0) << ran.text;
  }
}

INSTANTIATE_TEST_SUITE_P(
    LinearProgram, AnyMethod,
    testing::Values(Case{integrate::Method::Exact, signal::BetweenSamples::Held},
                    Case{integrate::Method::Exact, signal::BetweenSamples::Linear},
                    Case{integrate::Method::Exact, signal::BetweenSamples::Cubic},
                    Case{integrate::Method::Variational, signal::BetweenSamples::Linear},
                    Case{integrate::Method::Newmark, signal::BetweenSamples::Linear},
                    Case{integrate::Method::Gauss, signal::BetweenSamples::Held}));

TEST(LinearProgram, AnOscillatorIsItsCosine) {
  ALEMBERT_REQUIRE_PROGRAM("gcc");
  const model::SecondOrder system{.M = MatrixXd::Identity(1, 1),
                                  .D = MatrixXd::Zero(1, 1),
                                  .K = MatrixXd::Constant(1, 1, 4.0),
                                  .L = MatrixXd::Identity(1, 1)};
  const integrate::OneStepMap map = integrate::one_step_map(system, 0.1, {});
  code::LinearSteps steps =
      code::linear_steps(system, map, model::output_map(1, {{model::Motion::Displacement, 0}}));
  steps.start << 1.0, 0.0;
  steps.inputs = {{"u"}};
  steps.states = {{"q"}, {"q'"}};
  steps.outputs = {{"q"}};
  code::Replay replay{.inputs = code::input_rows(steps, MatrixXd::Zero(200, 1)),
                      .outputs = MatrixXd(200, 1)};
  for (Eigen::Index k = 0; k < 200; ++k) {
    replay.outputs(k, 0) = std::cos(0.2 * static_cast<double>(k));
  }
  const test::Ran ran =
      test::replayed(code::linear_program(steps, {.name = "one"}), replay, "gcc", kRounding);
  EXPECT_EQ(ran.code, 0) << ran.text;
}

code::LinearSteps filter() {
  code::LinearSteps steps;
  steps.F = MatrixXd{{0.9, 0.2}, {-0.1, 0.8}};
  steps.G = MatrixXd{{0.1}, {0.3}};
  steps.C = MatrixXd{{1.0, 0.5}};
  steps.E = MatrixXd{{0.2}};
  steps.K = MatrixXd{{0.4}, {-0.1}};
  steps.step = 0.1;
  steps.start = VectorXd{{0.3, -0.7}};
  steps.inputs = {{"u"}};
  steps.states = {{"x1"}, {"x2"}};
  steps.outputs = {{"y"}};
  return steps;
}

TEST(LinearProgram, AnObserverCorrectsByItsInnovations) {
  ALEMBERT_REQUIRE_PROGRAM("gcc");
  const code::LinearSteps steps = filter();
  const MatrixXd input = noise(300, 2);
  code::Replay replay{
      .inputs = input.leftCols(1), .measured = input.rightCols(1), .outputs = MatrixXd(300, 1)};
  double a = 0.3;
  double b = -0.7;
  for (Eigen::Index k = 0; k < 300; ++k) {
    const double u = input(k, 0);
    const double y = a + 0.5 * b + 0.2 * u;
    const double e = input(k, 1) - y;
    replay.outputs(k, 0) = y;
    const double next = 0.9 * a + 0.2 * b + 0.1 * u + 0.4 * e;
    b = -0.1 * a + 0.8 * b + 0.3 * u - 0.1 * e;
    a = next;
  }
  for (const char* compiler : {"gcc", "clang"}) {
    if (!test::has_program(compiler)) continue;
    const test::Ran ran = test::replayed(code::linear_program(steps, {.name = "filter"}), replay,
                                         compiler, kRounding);
    EXPECT_EQ(ran.code, 0) << ran.text;
  }
}

TEST(LinearProgram, FloatsAreCleanToo) {
  ALEMBERT_REQUIRE_PROGRAM("gcc");
  const code::LinearSteps steps = filter();
  const MatrixXd input = noise(300, 2);
  // What doubles give, by the program itself, is compared above.
  code::Replay replay{
      .inputs = input.leftCols(1), .measured = input.rightCols(1), .outputs = MatrixXd(300, 1)};
  VectorXd x = steps.start;
  for (Eigen::Index k = 0; k < 300; ++k) {
    const VectorXd u = input.row(k).head(1).transpose();
    const VectorXd y = steps.C * x + steps.E * u;
    replay.outputs(k, 0) = y(0);
    x = (steps.F * x + steps.G * u + steps.K * (input.row(k).tail(1).transpose() - y)).eval();
  }
  // A filter forgets: errors of 6e-8 a step stay of that order.
  const test::Ran ran = test::replayed(
      code::linear_program(steps, {.name = "filter", .number = model::CNumber::Float}), replay,
      "gcc", "1e-5");
  EXPECT_EQ(ran.code, 0) << ran.text;
}

TEST(LinearProgram, SizesThatDisagreeAreRefused) {
  code::LinearSteps steps = filter();
  steps.K = MatrixXd::Zero(2, 2);
  EXPECT_THROW((void)code::linear_program(steps, {.name = "filter"}), InvalidInput);
}

}  // namespace
}  // namespace alembert::linear_program_test
