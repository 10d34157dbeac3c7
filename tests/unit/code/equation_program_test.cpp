// Programs of equations: the same numbers as the library's simulation (which interprets the graph
// and prints nothing), the closed form of a decay, and strict compilers without a warning.

#include "alembert/code/equation_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "alembert/integrate/equation_simulator.hpp"
#include "code_support.hpp"
#include "support/equation_support.hpp"

namespace alembert::equation_program_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::HasSubstr;

constexpr const char* kTight =
    "1e-12";  // the same operations in the same order, but for fused ones

/// A model, its parameters and inputs; what the library makes of it.
struct Trial {
  model::EquationModel model;
  VectorXd parameters;
  MatrixXd inputs;
  code::EquationProgramOptions options = {};

  [[nodiscard]] code::Program program() const {
    return code::equation_program(model, parameters, options);
  }
  [[nodiscard]] code::Replay replay() const {
    const model::CompiledEquations compiled(model, {.kind = model::EngineKind::Interpreter});
    integrate::EquationSimulator simulator(compiled);
    simulator.set_parameters({parameters.data(), static_cast<std::size_t>(parameters.size())});
    const MatrixXd rows = inputs.transpose();
    const auto samples = static_cast<std::size_t>(inputs.rows());
    std::vector<double> x0(model.states().size());
    simulator.start(x0, {rows.data(), static_cast<std::size_t>(rows.rows())});
    std::vector<double> y(samples * model.outputs().size());
    EXPECT_EQ(simulator.simulate({.samples = samples,
                                  .start_time = options.start_time,
                                  .step = options.step,
                                  .substeps = static_cast<std::size_t>(options.substeps),
                                  .between = options.between,
                                  .inputs = {rows.data(), static_cast<std::size_t>(rows.size())}},
                                 x0, y),
              samples);
    const auto outputs = static_cast<Eigen::Index>(model.outputs().size());
    return {.inputs = code::input_rows(inputs, options.between),
            .outputs = Eigen::Map<MatrixXd>(y.data(), outputs, inputs.rows()).transpose()};
  }
};

Trial rich_run(signal::BetweenSamples between) {
  Trial run{.model = test::rich_model(),
            .parameters = VectorXd{{0.7, 0.4, 0.9, 1.3}},
            .inputs = MatrixXd(400, 2)};
  RandomStream random(11);
  for (Eigen::Index k = 0; k < run.inputs.size(); ++k) run.inputs.data()[k] = random.normal();
  run.options.name = "rich";
  run.options.step = 0.02;
  run.options.substeps = 3;
  run.options.start_time = 1.5;
  run.options.between = between;
  return run;
}

class Strict : public testing::TestWithParam<std::tuple<const char*, signal::BetweenSamples>> {};

TEST_P(Strict, EveryOperationGivesTheLibrarysNumbers) {
  const auto [compiler, between] = GetParam();
  ALEMBERT_REQUIRE_PROGRAM(compiler);
  const Trial run = rich_run(between);
  const test::Ran ran = test::replayed(run.program(), run.replay(), compiler, kTight);
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("400 samples"));
}

TEST_P(Strict, FloatsLoseDigitsAlone) {
  const auto [compiler, between] = GetParam();
  ALEMBERT_REQUIRE_PROGRAM(compiler);
  // Without jumps of states, at which a rounding error decides.
  Trial run = rich_run(between);
  run.model = test::rich_model(test::Jumps::OfInputsOnly);
  run.options.number = model::CNumber::Float;
  // 24 bits of a number, 1200 steps of some 100 operations: an error of 1e-7 grows to 1e-4 at most.
  const test::Ran ran = test::replayed(run.program(), run.replay(), compiler, "1e-4");
  EXPECT_EQ(ran.code, 0) << ran.text;
}

INSTANTIATE_TEST_SUITE_P(EquationProgram, Strict,
                         testing::Combine(testing::Values("gcc", "clang"),
                                          testing::Values(signal::BetweenSamples::Held,
                                                          signal::BetweenSamples::Linear)));

Trial decay() {
  model::EquationSetup setup;
  setup.outputs = {{"x", ""}};
  setup.parameters = {{"a", ""}};
  setup.starts = {{"x", "2"}};
  Trial run{.model = model::parse_equations("x' = -a*x", setup),
            .parameters = VectorXd{{3.0}},
            .inputs = MatrixXd(50, 0)};
  run.options.name = "decay";
  run.options.step = 0.05;
  run.options.substeps = 10;
  return run;
}

TEST(EquationProgram, ADecayIsTheExponential) {
  ALEMBERT_REQUIRE_PROGRAM("gcc");
  const Trial run = decay();
  code::Replay replay{.inputs = run.inputs, .outputs = MatrixXd(50, 1)};
  for (Eigen::Index k = 0; k < 50; ++k) {
    replay.outputs(k, 0) = 2.0 * std::exp(-3.0 * 0.05 * static_cast<double>(k));
  }
  // RK4: (a h)^5/120 a step, over 490 steps of a h = 0.015: 3e-9.
  const test::Ran ran = test::replayed(run.program(), replay, "gcc", "1e-8");
  EXPECT_EQ(ran.code, 0) << ran.text;
}

TEST(EquationProgram, TheReplayNoticesWrongNumbers) {
  ALEMBERT_REQUIRE_PROGRAM("gcc");
  Trial run = decay();
  const code::Replay replay = run.replay();
  run.parameters(0) = 3.0 + 3e-8;
  const test::Ran ran = test::replayed(run.program(), replay, "gcc");
  EXPECT_NE(ran.code, 0);
  EXPECT_THAT(ran.text, HasSubstr("differs by more than 1e-09"));
}

TEST(EquationProgram, AGivenStartTakesThePlaceOfThatOfTheModel) {
  ALEMBERT_REQUIRE_PROGRAM("gcc");
  Trial run = decay();
  code::Replay replay = run.replay();
  replay.outputs *= 0.5;  // linear
  run.options.start = VectorXd{{1.0}};
  const test::Ran ran = test::replayed(run.program(), replay, "gcc", kTight);
  EXPECT_EQ(ran.code, 0) << ran.text;
}

TEST(EquationProgram, NamesOfAnyKindBecomeIdentifiers) {
  EXPECT_EQ(code::c_name("x'"), "x_dot");
  EXPECT_EQ(code::c_name("3 masses, coupled!"), "n3_masses_coupled");
  EXPECT_EQ(code::c_name("\xC3\xA4"), "model");
}

TEST(EquationProgram, TheUndefinedBehaviourSanitizerIsSilent) {
  ALEMBERT_REQUIRE_PROGRAM("clang");
  const Trial run = rich_run(signal::BetweenSamples::Linear);
  const test::Ran ran =
      test::replayed(run.program(), run.replay(), "clang", kTight,
                     "-std=c99 -O1 -fsanitize=undefined,address -fno-sanitize-recover=all");
  EXPECT_EQ(ran.code, 0) << ran.text;
}

TEST(EquationProgram, CppcheckIsSilent) {
  ALEMBERT_REQUIRE_PROGRAM("cppcheck");
  const test::TemporaryFolder folder;
  const code::Program program = rich_run(signal::BetweenSamples::Linear).program();
  folder.write("rich.h", program.header);
  folder.write("rich.c", program.source);
  const test::Ran ran =
      test::run_command("cd " + folder.path().string() +
                        " && cppcheck --quiet --std=c99 --enable=warning,performance,portability "
                        "--error-exitcode=1 rich.c");
  EXPECT_EQ(ran.code, 0) << ran.text;
}

TEST(EquationProgram, TheStackIsWithinWhatTheCostSays) {
  ALEMBERT_REQUIRE_PROGRAM("gcc");
  const test::TemporaryFolder folder;
  const code::Program program = rich_run(signal::BetweenSamples::Linear).program();
  folder.write("rich.h", program.header);
  folder.write("rich.c", program.source);
  const std::string at = "cd " + folder.path().string() + " && ";
  const test::Ran ran =
      test::run_command(at +
                        "gcc -std=c99 -O2 -fstack-usage -c rich.c && awk '{ s += $2 } END "
                        "{ print s }' rich.su");
  ASSERT_EQ(ran.code, 0) << ran.text;
  // All functions together, as if each called the next; some bytes for calls come on top.
  constexpr double kCalls = 64.0 * 16.0;
  EXPECT_LT(std::stod(ran.text), static_cast<double>(program.cost.stack_bytes) + kCalls);
}

TEST(EquationProgram, CountsOfAKnownModel) {
  const code::ProgramCost cost = decay().program().cost;
  // -a x: one sign (prepared or not) and one product in each of 40 evaluations.
  EXPECT_GE(cost.step.products, 40U);
  EXPECT_EQ(cost.step.functions, 0U);
  EXPECT_EQ(cost.step.lookups, 0U);
  const code::ProgramCost rich = rich_run(signal::BetweenSamples::Held).program().cost;
  EXPECT_GT(rich.step.functions, 0U);
  EXPECT_EQ(rich.step.lookups % 12, 0U);  // 3 substeps of 4 stages
}

TEST(EquationProgram, InputsOfTheFutureAreRefused) {
  Trial run = rich_run(signal::BetweenSamples::Cubic);
  EXPECT_THROW((void)run.program(), InvalidInput);
}

}  // namespace
}  // namespace alembert::equation_program_test
