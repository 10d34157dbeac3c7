#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "unit/integrate/equations/equation_runs.hpp"

namespace alembert::integrate {
namespace equation_stiff_test {

using namespace model;

using test::interpreted;
using test::native;
using test::run_equations;
using test::text_model;

RecordTask stiff(std::size_t samples, double step, double tolerance = 1e-8) {
  return test::adaptive_task(Integrator::Stiff, samples, step, tolerance, 1e-4);
}

class EquationStiff : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_stiff_integrator()) GTEST_SKIP() << "built without SUNDIALS";
  }
};

EquationModel robertson() {
  return text_model(
      "a' = -k1*a + k3*b*c\n"
      "b' = k1*a - k3*b*c - k2*b^2\n"
      "c' = k2*b^2",
      {"a", "b", "c"}, {"k1", "k2", "k3"}, {{"a", "1"}});
}

const std::vector<double> kRates{0.04, 3e7, 1e4};

EquationModel van_der_pol() {
  return text_model("x'' = mu*(1 - x^2)*x' - x", {"x", "x'"}, {"mu"}, {{"x", "2"}});
}

// Robertson's reaction at t = 1e11, digits of [Mazzia2008], and the sum that it keeps.
TEST_F(EquationStiff, Robertson) {
  RecordTask task = stiff(2, 1e11, 1e-9);
  task.adaptive.absolute_tolerance = 1e-20;
  const auto run = run_equations(interpreted(robertson()), task, kRates);
  ASSERT_EQ(run.done, 2u);
  EXPECT_NEAR(run.y[3] / 0.2083340149701255e-7, 1.0, 1e-4);
  EXPECT_NEAR(run.y[4] / 0.8333360770334713e-13, 1.0, 1e-4);
  EXPECT_NEAR(run.y[5], 0.9999999791665050, 1e-9);
  EXPECT_NEAR(run.y[3] + run.y[4] + run.y[5], 1.0, 1e-9);
}

// An explicit method with tight steps is an independent solution where the stiffness allows it.
TEST_F(EquationStiff, AgreesWithAnExplicitMethod) {
  const CompiledEquations compiled = interpreted(robertson());
  RecordTask task = stiff(11, 0.1, 1e-10);
  const auto run = run_equations(compiled, task, kRates, true);
  task.method = Integrator::DormandPrince;
  const auto reference = run_equations(compiled, task, kRates, true);
  ASSERT_EQ(run.done, 11u);
  ASSERT_EQ(reference.done, 11u);
  EXPECT_LT(test::largest_difference(run.x, reference.x), 1e-8);
  for (std::size_t c = 0; c < run.columns; ++c) {
    for (std::size_t state = 0; state < 3; ++state) {
      double size = 0.0, error = 0.0;
      for (std::size_t k = 0; k < 11; ++k) {
        const std::size_t at = (k * 3 + state) * run.columns + c;
        size = std::max(size, std::fabs(reference.dx[at]));
        error = std::max(error, std::fabs(run.dx[at] - reference.dx[at]));
      }
      EXPECT_LT(error, 1e-5 * size + 1e-12) << state << " " << c;
    }
  }
}

// Van der Pol's oscillator with mu = 1000 after one and a quarter periods; digits of [Mazzia2008]
// for the same problem in scaled time.
TEST_F(EquationStiff, VanDerPol) {
  const EquationModel model = van_der_pol();
  for (const CompiledEquations& compiled : {interpreted(model), native(model)}) {
    const auto run = run_equations(compiled, stiff(21, 100.0, 1e-9), {1000.0});
    ASSERT_EQ(run.done, 21u);
    EXPECT_NEAR(run.y[40], 1.706167732170483, 1e-6);
    EXPECT_NEAR(run.y[41], -0.8928097010247975e-3, 1e-9);
  }
}

TEST_F(EquationStiff, SensitivitiesAgreeWithDifferences) {
  const EquationModel model =
      text_model("x'' = mu*(1 - x^2)*x' - k*x + a*u", {"x"}, {"mu", "k", "a"}, {}, {"u"});
  std::vector<double> u;
  for (int k = 0; k < 20; ++k) u.push_back(std::sin(0.7 * k));
  RecordTask task = stiff(20, 0.3, 1e-11);
  task.inputs = u;
  for (const auto between : {signal::BetweenSamples::Held, signal::BetweenSamples::Linear}) {
    task.between = between;
    // The error of some 1000 steps over the step of the differences.
    EXPECT_LT(
        test::sensitivity_error(interpreted(model), task, {20.0, 0.9, 0.4}, {0.5, -0.2}, 1e-3),
        1e-4);
  }
}

// x' = -1000 (x - u): held inputs jump at the samples, x+ = u + (x - u) e^-1000h.
TEST_F(EquationStiff, HeldInputsJumpAtSamples) {
  const EquationModel model = text_model("x' = -1000*(x - u)", {"x"}, {}, {{"x", "1"}}, {"u"});
  const std::vector<double> u{3.0, -2.0, -2.0, 0.5, 7.0, 7.0};
  RecordTask task = stiff(6, 2e-3, 1e-9);
  task.inputs = u;
  const auto run = run_equations(interpreted(model), task, {});
  double x = 1.0;
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_NEAR(run.y[k], x, 1e-6);
    x = u[k] + (x - u[k]) * std::exp(-2.0);
  }
}

TEST_F(EquationStiff, EndsWhereItCannotGoOn) {
  const auto done = [](const std::string& text, const RecordTask& task) {
    const auto run =
        run_equations(interpreted(text_model(text, {"x"}, {}, {{"x", "1"}})), task, {}, true);
    EXPECT_TRUE(run.done == 0 || std::isfinite(run.y[run.done - 1]));
    return run.done;
  };
  EXPECT_NEAR(static_cast<double>(done("x' = x^2", stiff(100, 0.1))), 10.0, 1.0);
  EXPECT_NEAR(static_cast<double>(done("x' = sqrt(0.55 - t)", stiff(100, 0.1))), 6.0, 1.0);
  EXPECT_EQ(done("x' = log(-x)", stiff(100, 0.1)), 1u);
  RecordTask few = stiff(10, 1000.0);
  few.adaptive.max_steps = 50;
  EXPECT_LT(done("x' = cos(t)", few), 3u);
}

TEST(EquationStiffMissing, SaysSo) {
  if (has_stiff_integrator()) GTEST_SKIP() << "built with SUNDIALS";
  EXPECT_THAT(test::message_of(
                  [] { (void)run_equations(interpreted(van_der_pol()), stiff(3, 0.1), {1.0}); }),
              testing::HasSubstr("built without"));
}

}  // namespace equation_stiff_test
}  // namespace alembert::integrate
