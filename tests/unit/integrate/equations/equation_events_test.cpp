#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "unit/integrate/equations/equation_runs.hpp"

namespace alembert::integrate {
namespace equation_events_test {

using namespace model;

using std::numbers::pi;
using test::interpreted;
using test::native;
using test::run_equations;
using test::text_model;

RecordTask task_of(std::size_t samples, double step, double tolerance, bool events) {
  return {.samples = samples,
          .step = step,
          .substeps = 4,
          .method = Integrator::DormandPrince,
          .adaptive = {.relative_tolerance = tolerance, .absolute_tolerance = tolerance},
          .events = events};
}

// Largest error of y at the samples against a closed form.
template <class Solution>
double error_of(const EquationModel& model, const RecordTask& task, const std::vector<double>& p,
                const Solution& solution) {
  const auto run = run_equations(interpreted(model), task, p);
  double error = run.done == task.samples ? 0.0 : 1e300;
  for (std::size_t k = 0; k < task.samples; ++k) {
    error = std::max(error, std::fabs(run.y[k] - solution(task.step * static_cast<double>(k))));
  }
  return error;
}

// A mass between springs of stiffness 1 and 9: half a sine of each in turn. With the kink found the
// error is that of the same mass on one spring, and falls with the tolerance as fast.
TEST(EquationEvents, KeepTheOrderAcrossAKink) {
  const EquationModel kinked = text_model("x'' = -x - 8*max(x, 0)", {"x"}, {}, {{"x'", "1"}});
  const EquationModel smooth = text_model("x'' = -x", {"x"}, {}, {{"x'", "1"}});
  const auto solution = [](double t) {
    const double period = pi / 3 + pi;
    const double rest = t - period * std::floor(t / period);
    return rest < pi / 3 ? std::sin(3 * rest) / 3 : -std::sin(rest - pi / 3);
  };
  std::vector<double> found;
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    const double with = error_of(kinked, task_of(400, 0.1, tolerance, true), {}, solution);
    const double without = error_of(kinked, task_of(400, 0.1, tolerance, false), {}, solution);
    const double reference = error_of(smooth, task_of(400, 0.1, tolerance, true), {},
                                      [](double t) { return std::sin(t); });
    EXPECT_LT(with, 5 * reference) << tolerance;
    EXPECT_LT(with, 2 * without) << tolerance;
    found.push_back(with);
  }
  EXPECT_GT(found[0] / found[1], 20.0);
  EXPECT_GT(found[1] / found[2], 20.0);
}

// A mass on a spring with dry friction loses 4µ of amplitude a turn: x(kπ) = (-1)^k (1 - 2kµ).
TEST(EquationEvents, DryFriction) {
  const EquationModel model = text_model("x'' = -x - mu*sign(x')", {"x"}, {"mu"}, {{"x", "1"}});
  const double mu = 0.1;
  const auto run = run_equations(interpreted(model), task_of(5, pi, 1e-9, true), {mu}, true);
  ASSERT_EQ(run.done, 5u);
  for (std::size_t k = 0; k < 5; ++k) {
    const double sign = k % 2 == 0 ? 1.0 : -1.0;
    EXPECT_NEAR(run.y[k], sign * (1.0 - 2.0 * mu * static_cast<double>(k)), 1e-7);
    EXPECT_NEAR(run.dy[k * run.columns], -2.0 * sign * static_cast<double>(k), 1e-6);
  }
}

// x' = a up to x = c and b beyond: x = c + b (t - c/a), whose sensitivities jump at the switch.
TEST(EquationEvents, SensitivitiesJumpWhereTheRightSideDoes) {
  const EquationModel model = text_model("x' = if(x < c, a, b)", {"x"}, {"a", "b", "c"});
  const double a = 2.0, b = -0.5, c = 0.9;
  const EquationModel away = text_model("x' = if(x < c, a, 0.25*a - b)", {"x"}, {"a", "b", "c"});
  const auto run = run_equations(interpreted(away), task_of(11, 0.1, 1e-9, true), {a, b, c}, true);
  ASSERT_EQ(run.done, 11u);
  const double second = 0.25 * a - b, t = 1.0;
  EXPECT_NEAR(run.y[10], c + second * (t - c / a), 1e-12);
  EXPECT_NEAR(run.dy[10 * 4 + 0], 0.25 * (t - c / a) + second * c / (a * a), 1e-9);
  EXPECT_NEAR(run.dy[10 * 4 + 1], -(t - c / a), 1e-9);
  EXPECT_NEAR(run.dy[10 * 4 + 2], 1.0 - second / a, 1e-9);
  EXPECT_NEAR(run.dy[10 * 4 + 3], second / a, 1e-9);  // of the start
  // Where both sides push to the switch the simulation ends; it does not hang.
  RecordTask task = task_of(11, 0.1, 1e-9, true);
  task.adaptive.max_steps = 2000;
  EXPECT_LT(run_equations(interpreted(model), task, {a, b, c}, true).done, 7u);
}

// x' = floor(t) + |t - 1.3| + (t > 2.2 and not t > 2.7), whose integral is known piece by piece;
// the pieces are polynomials, so that only rounding is left.
TEST(EquationEvents, FloorAbsAndLogic) {
  const EquationModel model = text_model(
      "x' = floor(t) + abs(t - 1.3) + (t > 2.2 and not t > 2.7) + min(t, max(1, 2*t - 3))", {"x"});
  const auto integral = [](double t) {
    const double n = std::floor(t);
    const double whole = n * (n - 1) / 2 + n * (t - n);
    const double d = t - 1.3;
    const double bend = 0.5 * (1.3 * 1.3 + d * std::fabs(d));
    const double pulse = std::clamp(t - 2.2, 0.0, 0.5);
    // min(t, max(1, 2t - 3)) is t to 1, 1 to 2, 2t - 3 to 3, then t.
    const double r = t < 1   ? t * t / 2
                     : t < 2 ? 0.5 + (t - 1)
                     : t < 3 ? 1.5 + (t * t - 3 * t + 2)
                             : 3.5 + (t * t - 9) / 2;
    return whole + bend + pulse + r;
  };
  EXPECT_LT(error_of(model, task_of(50, 0.1, 1e-6, true), {}, integral), 1e-12);
  EXPECT_GT(error_of(model, task_of(50, 0.1, 1e-6, false), {}, integral), 1e-9);
}

// Held inputs move a switch at once; lines move it between samples. x' = max(u, 0).
TEST(EquationEvents, InputsSwitchToo) {
  const CompiledEquations compiled =
      interpreted(text_model("x' = max(u, 0)", {"x"}, {}, {}, {"u"}));
  const std::vector<double> u{-1.0, 2.0, -2.0, 1.0, 1.0};
  RecordTask task = task_of(5, 1.0, 1e-6, true);
  task.inputs = u;
  EXPECT_NEAR(run_equations(compiled, task, {}).y[4], 3.0, 1e-14);
  task.between = signal::BetweenSamples::Linear;
  const double expected = 2.0 * 2.0 / 6 + 2.0 * 2.0 / 8 + 1.0 / 6 + 1.0;
  EXPECT_NEAR(run_equations(compiled, task, {}).y[4], expected, 1e-14);
}

// x' = 1 before T and 2 behind it, with T at every sample in turn, as nearly as numbers can say it:
// the steps must not end a rounding before the sample.
TEST(EquationEvents, KinksAtSamples) {
  const CompiledEquations compiled =
      interpreted(text_model("x' = if(t < T, 1, 2) + u", {"x"}, {"T"}, {}, {"u"}));
  const std::vector<double> u(31, 0.0);
  RecordTask task = task_of(31, 0.1, 1e-8, true);
  task.inputs = u;
  for (int k = 1; k < 30; ++k) {
    const double kink = static_cast<double>(k) / 10.0;
    const auto run = run_equations(compiled, task, {kink});
    ASSERT_EQ(run.done, 31U) << kink;
    EXPECT_NEAR(run.y[30], 3.0 + (3.0 - kink), 1e-13) << kink;  // roundings of some 60 steps
  }
}

// Powers and roots beyond their zero are no numbers: steps there do without held kinks.
TEST(EquationEvents, FallBackWhereAHeldKinkGivesNoNumbers) {
  const EquationModel model = test::bouc_wen();
  const std::vector<double> u = test::bouc_wen_input(60, 4);
  const std::vector<double> scales{1e-3, 1.0, 100.0};
  RecordTask task = task_of(60, 1.0 / 750.0, 1e-9, false);
  task.between = signal::BetweenSamples::Cubic;
  task.inputs = u;
  task.adaptive.scales = scales;
  const auto without = run_equations(interpreted(model), task, test::kBoucWen, true);
  task.events = true;
  const auto with = run_equations(interpreted(model), task, test::kBoucWen, true);
  const auto fast = run_equations(native(model), task, test::kBoucWen, true);
  ASSERT_EQ(with.done, 60u);
  EXPECT_LT(test::largest_difference(with.y, without.y), 1e-9);
  EXPECT_LT(test::largest_difference(with.y, fast.y), 1e-15);

  const EquationModel tank =
      text_model("x' = -sqrt(max(x, 0)) + if(t > 4, 1, 0)", {"x"}, {}, {{"x", "1"}});
  const auto empty = run_equations(interpreted(tank), task_of(61, 0.1, 1e-8, true), {});
  ASSERT_EQ(empty.done, 61u);
  EXPECT_NEAR(empty.y[10], 0.25, 1e-7);  // (1 - t/2)²
  EXPECT_NEAR(empty.y[40], 0.0, 1e-7);
  EXPECT_GT(empty.y[60], 0.4);
}

TEST(EquationEvents, SmoothModelsAreAsBefore) {
  const EquationModel model = text_model("x'' = -sin(x)", {"x"}, {}, {{"x", "1"}});
  const auto one = run_equations(interpreted(model), task_of(30, 0.5, 1e-8, true), {}, true);
  const auto two = run_equations(interpreted(model), task_of(30, 0.5, 1e-8, false), {}, true);
  EXPECT_EQ(test::largest_difference(one.dx, two.dx), 0.0);
}

}  // namespace equation_events_test
}  // namespace alembert::integrate
