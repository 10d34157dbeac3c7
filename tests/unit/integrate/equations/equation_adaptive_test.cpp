#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "support/message_of.hpp"
#include "unit/integrate/equations/equation_runs.hpp"

namespace alembert::integrate {
namespace equation_adaptive_test {

using namespace model;

using test::interpreted;
using test::native;
using test::run_equations;
using test::text_model;

RecordTask adaptive(std::size_t samples, double step, double tolerance = 1e-8) {
  return test::adaptive_task(Integrator::DormandPrince, samples, step, tolerance, 1e-3);
}

// x'' = -x and z' = -z over 20 s with samples far apart and close together: the error follows the
// tolerance and the samples between steps are as good as the steps.
TEST(EquationAdaptive, ErrorFollowsTheTolerance) {
  const EquationModel model =
      text_model("x'' = -x\nz' = -z", {"x", "z"}, {}, {{"x'", "1"}, {"z", "1"}});
  for (const std::size_t samples : {21u, 2001u}) {
    std::vector<double> errors;
    for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
      const double step = 20.0 / static_cast<double>(samples - 1);
      const auto run = run_equations(interpreted(model), adaptive(samples, step, tolerance), {});
      ASSERT_EQ(run.done, samples);
      double error = 0.0;
      for (std::size_t k = 0; k < samples; ++k) {
        const double t = step * static_cast<double>(k);
        error = std::max(error, std::fabs(run.y[2 * k] - std::sin(t)));
        error = std::max(error, std::fabs(run.y[2 * k + 1] - std::exp(-t)));
      }
      // Errors of some 100 steps in a row, none of which grows.
      EXPECT_LT(error, 100 * tolerance);
      errors.push_back(error);
    }
    // Proportional for errors per step of order h⁵ over 1/h steps: a power of 4/5 to 1.
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_GT(errors[k] / errors[k + 1], 20.0);
      EXPECT_LT(errors[k] / errors[k + 1], 300.0);
    }
  }
}

// Held inputs jump at the samples: x' = -x + u has the closed form x+ = u + (x - u) e^-h.
TEST(EquationAdaptive, HeldInputsJumpAtSamples) {
  const EquationModel model = text_model("x' = -x + u", {"x"}, {}, {{"x", "1"}}, {"u"});
  const std::vector<double> u{3.0, -2.0, -2.0, 0.5, 7.0, 7.0};
  for (const CompiledEquations& compiled : {interpreted(model), native(model)}) {
    RecordTask task = adaptive(6, 0.8, 1e-10);
    task.inputs = u;
    const auto run = run_equations(compiled, task, {});
    double x = 1.0;
    for (std::size_t k = 0; k + 1 < 6; ++k) {
      EXPECT_NEAR(run.y[k], x, 1e-9);
      x = u[k] + (x - u[k]) * std::exp(-0.8);
    }
    EXPECT_NEAR(run.y[5], x, 1e-9);
  }
}

// Linear and cubic inputs have closed forms too: x' = u; the method is exact for them, so that only
// rounding is left if the input is evaluated right at every stage.
TEST(EquationAdaptive, InputsBetweenSamplesAreExact) {
  const CompiledEquations compiled = interpreted(text_model("x' = u", {"x"}, {}, {}, {"u"}));
  const std::vector<double> u{1.0, 3.0, -2.0};
  RecordTask task = adaptive(3, 0.5);
  task.inputs = u;
  task.between = signal::BetweenSamples::Linear;
  const auto line = run_equations(compiled, task, {});
  EXPECT_NEAR(line.y[1], 1.0, 1e-15);
  EXPECT_NEAR(line.y[2], 1.25, 1e-15);
  for (const std::size_t substeps : {2u, 3u, 4u, 8u}) {
    std::vector<double> cube;
    const double half = 0.25 / static_cast<double>(substeps);
    for (std::size_t k = 0; k <= 4 * substeps; ++k) {
      cube.push_back(std::pow(half * static_cast<double>(k), 3));
    }
    task.substeps = substeps;
    task.between = signal::BetweenSamples::Cubic;
    task.inputs = cube;
    const auto curve = run_equations(compiled, task, {});
    EXPECT_NEAR(curve.y[1], std::pow(0.5, 4) / 4, 1e-15) << substeps;
    EXPECT_NEAR(curve.y[2], 0.25, 1e-15) << substeps;
  }
}

// Van der Pol's oscillator, smooth; sensitivities to parameters and start against differences of
// simulations that are tighter by far than the differences need.
TEST(EquationAdaptive, SensitivitiesAgreeWithDifferences) {
  const EquationModel model =
      text_model("x'' = mu*(1 - x^2)*x' - k*x + a*u", {"x"}, {"mu", "k", "a"}, {}, {"u"});
  std::vector<double> u;
  for (int k = 0; k < 30; ++k) u.push_back(std::sin(0.7 * k));
  RecordTask task = adaptive(30, 0.3, 1e-12);
  task.inputs = u;
  for (const auto between : {signal::BetweenSamples::Held, signal::BetweenSamples::Linear}) {
    task.between = between;
    // Differences: 1e-10 from their order, 1e-12/1e-5 from the tolerance.
    EXPECT_LT(test::sensitivity_error(interpreted(model), task, {1.3, 0.9, 0.4}, {0.5, -0.2}, 1e-5),
              1e-6);
  }
}

// Against Runge-Kutta 4, an independent method, for states and sensitivities.
TEST(EquationAdaptive, AgreesWithRungeKutta) {
  const EquationModel model = test::bouc_wen();
  const std::vector<double> u = test::bouc_wen_input(100, 320);
  RecordTask task{.samples = 100,
                  .step = 1.0 / 750.0,
                  .substeps = 320,
                  .between = signal::BetweenSamples::Cubic,
                  .inputs = u};
  const auto reference = run_equations(native(model), task, test::kBoucWen, true);
  task.method = Integrator::DormandPrince;
  const std::vector<double> scales{1e-3, 1.0, 100.0};
  task.adaptive = {.relative_tolerance = 1e-9, .absolute_tolerance = 1e-9, .scales = scales};
  const auto one = run_equations(native(model), task, test::kBoucWen, true);
  const auto two = run_equations(interpreted(model), task, test::kBoucWen, true);
  ASSERT_EQ(one.done, 100u);
  EXPECT_EQ(test::largest_difference(one.x, two.x), 0.0);
  EXPECT_EQ(test::largest_difference(one.dx, two.dx), 0.0);
  // Kinks of |y'|, which neither method sees, leave more than the tolerance, and in the slopes of
  // the sensitivities jumps: order 1 in the steps next to them.
  EXPECT_LT(test::largest_difference(one.y, reference.y), 1e-6 * 2e-3);
  for (std::size_t c = 0; c < one.columns; ++c) {
    double size = 0.0, error = 0.0;
    for (std::size_t k = 0; k < 100; ++k) {
      const double expected = reference.dy[k * one.columns + c];
      size = std::max(size, std::fabs(expected));
      error = std::max(error, std::fabs(one.dy[k * one.columns + c] - expected));
    }
    EXPECT_LT(error, 5e-3 * size) << c;
  }
}

TEST(EquationAdaptive, LargestStepAndScalesCount) {
  const CompiledEquations compiled =
      interpreted(text_model("x' = if(t > 5, if(t < 5.01, 100, 0), 0)", {"x"}));
  // Without a limit the steps of a state at rest jump over the pulse.
  RecordTask task = adaptive(2, 100.0);
  task.adaptive.largest_step = 0.005;
  EXPECT_NEAR(run_equations(compiled, task, {}).y[1], 1.0, 1e-4);

  const CompiledEquations slow = interpreted(text_model("x'' = -x", {"x"}, {}, {{"x'", "1e-6"}}));
  RecordTask coarse = adaptive(101, 1.0, 1e-3);
  coarse.adaptive.absolute_tolerance = 1e-3;
  const double loose = std::fabs(run_equations(slow, coarse, {}).y[100] - 1e-6 * std::sin(100.0));
  const std::vector<double> scales{1e-6, 1e-6};
  coarse.adaptive.scales = scales;
  const double scaled = std::fabs(run_equations(slow, coarse, {}).y[100] - 1e-6 * std::sin(100.0));
  EXPECT_LT(scaled, 0.1 * loose);
}

// Infinite growth, no numbers, a limit of steps: each ends where it is, at once.
TEST(EquationAdaptive, EndsWhereItCannotGoOn) {
  const auto done = [](const std::string& text, const RecordTask& task) {
    const auto run =
        run_equations(interpreted(text_model(text, {"x"}, {}, {{"x", "1"}})), task, {}, true);
    EXPECT_TRUE(run.done == 0 || std::isfinite(run.y[run.done - 1]));
    return run.done;
  };
  EXPECT_NEAR(static_cast<double>(done("x' = x^2", adaptive(100, 0.1))), 10.0, 1.0);  // until 1 s
  EXPECT_EQ(done("x' = 1/(t - 0.55)", adaptive(100, 0.1)), 6u);
  EXPECT_NEAR(static_cast<double>(done("x' = sqrt(0.5 - t)", adaptive(100, 0.1))), 5.0, 1.0);
  EXPECT_EQ(done("x' = log(-x)", adaptive(100, 0.1)), 1u);
  RecordTask few = adaptive(100, 0.1);
  few.adaptive.max_steps = 50;
  EXPECT_LT(done("x' = -1e6*(x - cos(t))", few), 3u);
  // Behind a jump that pushes back, steps are as small as the tolerance asks.
  few.adaptive.max_steps = 10000;
  EXPECT_LT(done("x' = if(x > 1.05, -1, 1)", few), 3u);
}

// Every method: no numbers in inputs, start or parameters, endless growth, one sample, late times.
TEST(EquationAdaptive, NoMethodHangsOnNonsense) {
  const EquationModel model =
      text_model("x'' = u - a*x' - x^3\ns' = -s + max(x, s)", {"x"}, {"a"}, {}, {"u"});
  const double nan = std::nan(""), huge = 1e300;
  std::vector<Integrator> methods{Integrator::RungeKutta4, Integrator::Newmark,
                                  Integrator::DormandPrince};
  if (has_stiff_integrator()) methods.push_back(Integrator::Stiff);
  for (const Integrator method : methods) {
    for (const bool events : {false, true}) {
      const auto done = [&](std::vector<double> u, double a, std::vector<double> x0, double t0) {
        RecordTask task = adaptive(u.size(), 0.1);
        task.start_time = t0;
        task.inputs = u;
        task.method = method;
        task.events = events;
        task.adaptive.max_steps = 10000;
        return run_equations(interpreted(model), task, {a}, true, x0).done;
      };
      const std::vector<double> ones(6, 1.0), rest(3, 0.0);
      EXPECT_EQ(done(ones, 0.1, rest, 0.0), 6u);
      EXPECT_EQ(done({1.0}, 0.1, rest, 0.0), 1u);
      EXPECT_EQ(done(ones, 0.1, {nan, 0.0, 0.0}, 0.0), 0u);
      EXPECT_EQ(done({1.0, 1.0, nan, 1.0}, 0.1, rest, 0.0), 3u);
      EXPECT_EQ(done(ones, nan, rest, 0.0), 1u);
      EXPECT_LT(done({1.0, huge, huge, huge}, 0.1, {huge, huge, huge}, 0.0), 4u);
      EXPECT_EQ(done(ones, 0.1, rest, 1e6), 6u);
    }
  }
}

TEST(EquationAdaptive, ChecksItsSettings) {
  const CompiledEquations compiled = interpreted(text_model("x' = -x", {"x"}));
  const auto message = [&](const ode::AdaptiveSteps& steps) {
    RecordTask task = adaptive(3, 0.1);
    task.adaptive = steps;
    return test::message_of([&] { (void)run_equations(compiled, task, {}); });
  };
  const std::vector<double> two{1.0, 1.0}, zero{0.0};
  EXPECT_THAT(message({.relative_tolerance = 0.0}), testing::HasSubstr("relative_tolerance"));
  EXPECT_THAT(message({.absolute_tolerance = -1.0}), testing::HasSubstr("absolute_tolerance"));
  EXPECT_THAT(message({.scales = two}), testing::HasSubstr("scales"));
  EXPECT_THAT(message({.scales = zero}), testing::HasSubstr("scales"));
  EXPECT_THAT(message({.largest_step = -1.0}), testing::HasSubstr("largest_step"));
}

}  // namespace equation_adaptive_test
}  // namespace alembert::integrate
