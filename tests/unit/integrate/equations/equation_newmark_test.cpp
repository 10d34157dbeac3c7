#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "support/message_of.hpp"
#include "unit/integrate/equations/equation_runs.hpp"

namespace alembert::integrate {
namespace equation_newmark_test {

using namespace model;

using test::interpreted;
using test::native;
using test::run_equations;
using test::text_model;

constexpr double kTight = 1e-13;  // Newton's method to rounding

RecordTask newmark(std::size_t samples, double step, std::size_t substeps,
                   double tolerance = 1e-4) {
  return {.samples = samples,
          .step = step,
          .substeps = substeps,
          .method = Integrator::Newmark,
          .newton_tolerance = tolerance};
}

// Three coupled states of both orders with kinks, powers, inputs and time.
EquationModel mixed_model() {
  return text_model(
      "q'' = -c*q' - k*q - a*q^3 - z + u + 0.1*r'\n"
      "z'  = b*q' - abs(z)^1.5*z + 0.2*max(q, 0) + 0.1*sin(t)\n"
      "r'' = -2*(r - q) - 0.3*r' + v*cos(z)\n"
      "y   = q + z^2",
      {"y", "q''"}, {"a", "b", "c", "k"}, {{"q", "0.3*a"}, {"z", "b"}, {"r'", "0.2"}}, {"u", "v"});
}

std::vector<double> waves(std::size_t count) {
  std::vector<double> u;
  for (std::size_t k = 0; k < count; ++k) u.push_back(std::sin(0.37 * static_cast<double>(k)));
  return u;
}

TEST(EquationNewmark, BothEnginesGiveTheSameNumbers) {
  const EquationModel model = mixed_model();
  const std::vector<double> p{0.4, 0.7, 0.3, 2.0};
  for (const auto between : {signal::BetweenSamples::Held, signal::BetweenSamples::Linear,
                             signal::BetweenSamples::Cubic}) {
    RecordTask task = newmark(40, 0.1, 3);
    const std::size_t rows = between == signal::BetweenSamples::Cubic ? 2 * 3 * 39 + 1 : 40;
    const std::vector<double> u = waves(2 * rows);
    task.between = between;
    task.inputs = u;
    const auto one = run_equations(interpreted(model), task, p, true);
    const auto two = run_equations(native(model), task, p, true);
    EXPECT_EQ(one.done, 40u);
    EXPECT_EQ(two.done, 40u);
    EXPECT_EQ(test::largest_difference(one.x, two.x), 0.0);
    EXPECT_EQ(test::largest_difference(one.y, two.y), 0.0);
    EXPECT_EQ(test::largest_difference(one.dx, two.dx), 0.0);
    EXPECT_EQ(test::largest_difference(one.dy, two.dy), 0.0);
    const auto three = run_equations(native(model), task, p);
    const auto four = run_equations(interpreted(model), task, p);
    EXPECT_EQ(test::largest_difference(one.x, three.x), 0.0);
    EXPECT_EQ(test::largest_difference(one.x, four.x), 0.0);
  }
}

// Loops that were not compiled with the model are compiled when they are used.
TEST(EquationNewmark, NumbersDoNotDependOnTheLoopsCompiledFirst) {
  const EquationModel model = mixed_model();
  const std::vector<double> p{0.4, 0.7, 0.3, 2.0};
  const std::vector<double> u = waves(2 * 40);
  for (const Integrator method : {Integrator::RungeKutta4, Integrator::Newmark}) {
    RecordTask task = newmark(40, 0.1, 3);
    task.method = method;
    task.inputs = u;
    const auto expected = run_equations(interpreted(model), task, p, true);
    for (const Integrator first :
         {Integrator::RungeKutta4, Integrator::Newmark, Integrator::DormandPrince}) {
      const auto run = run_equations(native(model, first), task, p, true);
      EXPECT_EQ(run.done, 40u);
      EXPECT_EQ(test::largest_difference(run.y, expected.y), 0.0);
      EXPECT_EQ(test::largest_difference(run.dy, expected.dy), 0.0);
    }
  }
}

// A model without states has no loops of Newmark's method.
TEST(EquationNewmark, AModelWithoutStates) {
  const EquationModel model = text_model("y = a*u", {"y"}, {"a"}, {}, {"u"});
  const std::vector<double> u{1.0, 2.0, 3.0};
  RecordTask task = newmark(3, 1.0, 1);
  task.inputs = u;
  const auto run = run_equations(native(model, Integrator::Newmark), task, {2.0});
  EXPECT_EQ(run.y, (std::vector<double>{2.0, 4.0, 6.0}));
}

// Ten unknowns go through the matrix in the caller's memory; two and one through the registers.
TEST(EquationNewmark, SizesOfSystemsAgree) {
  std::string text = "y = x1\n";
  for (int k = 1; k <= 10; ++k) {
    const std::string left = k > 1 ? "x" + std::to_string(k - 1) : "0";
    const std::string right = k < 10 ? "x" + std::to_string(k + 1) : "0";
    const std::string x = "x" + std::to_string(k);
    text += x + (k % 3 == 0 ? "'" : "''") + " = a*(" + left + " - 2*" + x + " + " + right + ") - " +
            x + "^3\n";
  }
  const EquationModel model = text_model(text, {"y"}, {"a"}, {{"x1", "1"}, {"x6", "-1"}});
  const RecordTask task = newmark(20, 0.2, 2);
  const auto one = run_equations(interpreted(model), task, {3.0}, true);
  const auto two = run_equations(native(model), task, {3.0}, true);
  EXPECT_EQ(one.done, 20u);
  EXPECT_EQ(test::largest_difference(one.dx, two.dx), 0.0);
  // Independently: Runge-Kutta 4 with fine steps; the rest is Newmark's error of order 2.
  RecordTask fine = task;
  fine.method = Integrator::RungeKutta4;
  fine.substeps = 50;
  const auto reference = run_equations(native(model), fine, {3.0}, true);
  RecordTask finer = task;
  finer.substeps = 64;
  EXPECT_LT(test::largest_difference(reference.x, run_equations(native(model), finer, {3.0}).x),
            2e-3 * test::largest_difference(reference.x, two.x) + 1e-12);
}

// x'' + 2ζx' + x = 0 and z' = -z have closed forms: halving the step divides the error by 4.
TEST(EquationNewmark, IsOfOrderTwo) {
  const EquationModel model =
      text_model("x'' = -0.2*x' - x\nz' = -z", {"x", "z"}, {}, {{"x", "1"}, {"z", "1"}});
  std::vector<double> x_errors, z_errors;
  for (const std::size_t substeps : {8u, 16u, 32u}) {
    const auto run = run_equations(interpreted(model), newmark(6, 1.0, substeps), {});
    const double t = 5.0, w = std::sqrt(1.0 - 0.01);
    const double x = std::exp(-0.1 * t) * (std::cos(w * t) + 0.1 / w * std::sin(w * t));
    x_errors.push_back(std::fabs(run.y[10] - x));
    z_errors.push_back(std::fabs(run.y[11] - std::exp(-t)));
  }
  EXPECT_NEAR(x_errors[0] / x_errors[1], 4.0, 0.2);
  EXPECT_NEAR(x_errors[1] / x_errors[2], 4.0, 0.2);
  EXPECT_NEAR(z_errors[0] / z_errors[1], 4.0, 0.2);
  EXPECT_NEAR(z_errors[1] / z_errors[2], 4.0, 0.2);
}

// The method keeps the energy of a linear system without damping for any step, here up to 3
// radians.
TEST(EquationNewmark, KeepsTheEnergyOfALinearSystem) {
  const EquationModel model =
      text_model("a'' = -4*a + b\nb'' = a - 2*b\ne = 0.5*(a'^2 + b'^2) + 2*a^2 + b^2 - a*b", {"e"},
                 {}, {{"a", "1"}, {"b'", "-0.7"}});
  for (const double step : {0.1, 1.5}) {
    const auto run = run_equations(interpreted(model), newmark(1001, step, 1, kTight), {});
    ASSERT_EQ(run.done, 1001u);
    // Rounding of 1000 steps, as a random walk with a wide margin.
    for (const double e : run.y) ASSERT_NEAR(e, run.y[0], 1e-12 * run.y[0]);
  }
}

// Stable where an explicit method is not: 50 time constants per step.
TEST(EquationNewmark, IsStableForStiffTerms) {
  const EquationModel model = text_model("x' = -50*(x - cos(t))", {"x"}, {}, {{"x", "1"}});
  const auto run = run_equations(interpreted(model), newmark(21, 1.0, 1), {});
  ASSERT_EQ(run.done, 21u);
  for (const double x : run.y) EXPECT_LT(std::fabs(x), 2.0);
}

// The sensitivities are the derivatives of the very numbers that the simulation gives; differences
// with relative steps of 1e-5 are good to 1e-9 where Newton's method goes to rounding.
TEST(EquationNewmark, SensitivitiesAgreeWithDifferences) {
  const CompiledEquations compiled = native(mixed_model());
  const std::vector<double> x0{0.2, -0.1, 0.7, 0.1, 0.2};
  for (const auto between : {signal::BetweenSamples::Held, signal::BetweenSamples::Linear}) {
    RecordTask task = newmark(30, 0.2, 2, kTight);
    const std::vector<double> u = waves(2 * 30);
    task.inputs = u;
    task.between = between;
    EXPECT_LT(test::sensitivity_error(compiled, task, {0.4, 0.7, 0.3, 2.0}, x0, 1e-5), 2e-8);
  }
}

TEST(EquationNewmark, BoucWenSensitivitiesConvergeToThoseOfRungeKutta) {
  const CompiledEquations compiled = native(test::bouc_wen());
  const auto task = [](std::size_t substeps, const std::vector<double>& u) {
    return RecordTask{.samples = 300,
                      .step = 1.0 / 750.0,
                      .substeps = substeps,
                      .between = signal::BetweenSamples::Cubic,
                      .inputs = u};
  };
  const std::vector<double> fine = test::bouc_wen_input(300, 100);
  const auto reference = run_equations(compiled, task(100, fine), test::kBoucWen, true);
  std::vector<double> errors;
  for (const std::size_t substeps : {10u, 20u, 40u}) {
    const std::vector<double> u = test::bouc_wen_input(300, substeps);
    RecordTask coarse = task(substeps, u);
    coarse.method = Integrator::Newmark;
    const auto run = run_equations(compiled, coarse, test::kBoucWen, true);
    ASSERT_EQ(run.done, 300u);
    double worst = 0.0;
    for (std::size_t c = 0; c < test::kBoucWen.size(); ++c) {
      double size = 0.0, error = 0.0;
      for (std::size_t k = 0; k < 300; ++k) {
        const std::size_t at = k * run.columns + c;
        size = std::max(size, std::fabs(reference.dy[at]));
        error = std::max(error, std::fabs(run.dy[at] - reference.dy[at]));
      }
      worst = std::max(worst, error / size);
    }
    errors.push_back(worst);
  }
  EXPECT_LT(errors[2], 0.01);
  // Between order 1 at the kinks, where slopes of sensitivities jump, and 2 elsewhere.
  EXPECT_GT(errors[0] / errors[2], 4.0);
}

// What Newton's method leaves undone is far below the error of the steps.
TEST(EquationNewmark, DefaultToleranceIsTightEnough) {
  const CompiledEquations compiled = native(test::bouc_wen());
  const std::vector<double> u = test::bouc_wen_input(500, 20);
  RecordTask task{.samples = 500,
                  .step = 1.0 / 750.0,
                  .substeps = 20,
                  .between = signal::BetweenSamples::Cubic,
                  .inputs = u};
  const auto reference = run_equations(compiled, task, test::kBoucWen);
  task.method = Integrator::Newmark;
  const auto run = run_equations(compiled, task, test::kBoucWen);
  task.newton_tolerance = kTight;
  const auto tight = run_equations(compiled, task, test::kBoucWen);
  ASSERT_EQ(tight.done, 500u);
  EXPECT_LT(test::largest_difference(run.y, tight.y),
            0.02 * test::largest_difference(run.y, reference.y));
}

// At rest, in static equilibrium and for a coordinate that is rounding only, Newton's method ends.
TEST(EquationNewmark, EndsWhereOnlyRoundingIsLeft) {
  const EquationModel rest = text_model("x'' = -x' - 1e6*x", {"x"});
  EXPECT_EQ(run_equations(interpreted(rest), newmark(50, 0.1, 1, kTight), {}).done, 50u);
  const EquationModel hanging = text_model("x'' = 9.81 - 1e6*x", {"x"}, {}, {{"x", "9.81e-6"}});
  const EquationModel twins =
      text_model("a'' = -3.3*(a - 0.3*b)\nb'' = -3.3*(b - 0.3*a)\nd = a - b", {"d"}, {},
                 {{"a", "0.1"}, {"b", "0.1"}});
  for (const EquationModel* model : {&hanging, &twins}) {
    EXPECT_EQ(run_equations(interpreted(*model), newmark(200, 0.1, 1, 1e-10), {}).done, 200u);
  }
}

// x' = x² is infinite at t = 1; the other jumps so that a step has no solution.
TEST(EquationNewmark, EndsTheRecordWithoutConvergence) {
  const EquationModel growth = text_model("x' = x^2", {"x"}, {}, {{"x", "1"}});
  const EquationModel jump = text_model("x' = if(x < 1, 1, -1)", {"x"});
  for (const CompiledEquations& compiled : {interpreted(growth), interpreted(jump), native(jump)}) {
    const auto run = run_equations(compiled, newmark(100, 0.1, 1), {}, true);
    EXPECT_GT(run.done, 5u);
    EXPECT_LT(run.done, 20u);
    EXPECT_TRUE(std::isfinite(run.y[run.done - 1]));
  }
}

TEST(EquationNewmark, DoesNotAllocateOnceItRan) {
  if (!test::counts_allocations()) {
    GTEST_SKIP() << "allocations are not counted in this build";
  }
  const EquationModel model = mixed_model();
  for (const CompiledEquations& compiled : {interpreted(model), native(model)}) {
    EquationSimulator evaluator(compiled);
    evaluator.set_parameters(std::vector<double>{0.4, 0.7, 0.3, 2.0});
    const std::vector<double> u = waves(20), x0(5, 0.1);
    std::vector<double> y(20);
    RecordTask task = newmark(10, 0.1, 2);
    task.inputs = u;
    evaluator.simulate(task, x0, y);
    const std::size_t before = test::allocation_count();
    EXPECT_EQ(evaluator.simulate(task, x0, y), 10u);
    EXPECT_EQ(test::allocation_count(), before);
  }
}

TEST(EquationNewmark, ChecksItsTolerance) {
  const CompiledEquations compiled = interpreted(text_model("x' = -x", {"x"}));
  EXPECT_THAT(test::message_of([&] { (void)run_equations(compiled, newmark(3, 0.1, 1, 0.0), {}); }),
              testing::HasSubstr("newton_tolerance"));
}

// A model without states has outputs only.
TEST(EquationNewmark, TakesModelsWithoutStates) {
  const EquationModel model = text_model("y = 2*t", {"y"});
  for (const CompiledEquations& compiled : {interpreted(model), native(model)}) {
    const auto run = run_equations(compiled, newmark(3, 0.5, 1), {});
    EXPECT_EQ(run.done, 3u);
    EXPECT_EQ(run.y[2], 2.0);
  }
}

}  // namespace equation_newmark_test
}  // namespace alembert::integrate
