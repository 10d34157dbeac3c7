#include "alembert/integrate/ode/adaptive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "alembert/integrate/ode/solve.hpp"
#include "support/message_of.hpp"
#include "unit/integrate/ode/harmonic.hpp"

namespace alembert::integrate::ode {
namespace adaptive_test {

double error_of_step(double h) {
  test::Oscillator system(1.0);
  DormandPrince method(2);
  method.start()[0] = 1.0;
  method.start()[1] = 0.0;
  method.begin(system, 0.0);
  method.step(system, 0.0, h);
  return std::abs(method.end()[0] - std::cos(h));
}

double error_between(double h) {
  test::Oscillator system(1.0);
  DormandPrince method(2);
  method.start()[0] = 0.6;
  method.start()[1] = 0.8;
  method.begin(system, 0.0);
  method.step(system, 0.0, h);
  std::vector<double> x(2);
  method.between(0.4, x.data(), nullptr);
  return std::abs(x[0] - 0.6 * std::cos(0.4 * h) - 0.8 * std::sin(0.4 * h));
}

// One step of order 5 errs by h⁶, its continuous extension of order 4 by h⁵.
TEST(DormandPrince, HasItsOrders) {
  EXPECT_NEAR(error_of_step(0.2) / error_of_step(0.1), 64.0, 6.4);
  EXPECT_NEAR(error_between(0.2) / error_between(0.1), 32.0, 3.2);
}

// The error over ten periods follows the tolerance; steps add up to less than 1000 of them.
TEST(SolveAdaptive, KeepsTheTolerance) {
  test::Oscillator system(2.0);
  for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
    const Solution found =
        solve_adaptive(system, Eigen::Vector2d(1.0, 0.0), {.step = 0.1, .count = 300},
                       {.relative_tolerance = tolerance, .absolute_tolerance = tolerance});
    ASSERT_TRUE(found.ok()) << found.message;
    const Eigen::ArrayXd exact = (2.0 * found.time.array()).cos();
    EXPECT_LT((found.states.col(0).array() - exact).abs().maxCoeff(), 1000 * tolerance);
  }
}

// The samples are those that were asked for, from a time that is not zero.
TEST(SolveAdaptive, BeginsWhereTheTimesDo) {
  auto system = function_system(1, [](double t, const double*, double* dx) { dx[0] = 2.0 * t; });
  const Solution found = solve_adaptive(system, Eigen::VectorXd::Constant(1, 9.0),
                                        {.start = 3.0, .step = 0.5, .count = 5});
  ASSERT_TRUE(found.ok());
  for (Eigen::Index k = 0; k < 5; ++k) {
    EXPECT_DOUBLE_EQ(found.time(k), 3.0 + 0.5 * static_cast<double>(k));
    EXPECT_NEAR(found.states(k, 0), found.time(k) * found.time(k), 1e-13 * 25.0);
  }
}

// A jump of the inputs at the samples: exact for q'' = u with u constant between them.
TEST(AdaptiveRun, StartsAnewWhereInputsJump) {
  struct Steps final : Inputs {
    const double* at(long interval, double) override { return &values[interval]; }
    const double* before_jump(long interval) override { return &values[interval - 1]; }
    double values[4] = {1.0, -2.0, 4.0, 0.0};
  } inputs;
  struct Kept final : Samples {
    bool write(long, double, const double* x, const double*) override {
      v.push_back(x[1]);
      return true;
    }
    std::vector<double> v;
  } samples;
  test::Oscillator system(0.0);
  std::vector<double> work(AdaptiveRun::work_room(2));
  const AdaptiveSteps steps;
  AdaptiveRun run(system, &inputs, {.step = 0.5, .count = 4}, steps, samples, work.data(), nullptr);
  const double x0[2] = {0.0, 0.0};
  ASSERT_EQ(run.run(x0), 4);
  const std::vector<double> expected{0.0, 0.5, -0.5, 1.5};
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(samples.v[k], expected[k], 1e-14);
}

TEST(SolveAdaptive, SensitivitiesAreThoseOfTheClosedForm) {
  struct Kept final : Samples {
    bool write(long, double t, const double*, const double* s) override {
      worst = std::max(worst, std::abs(s[0] + t * std::sin(2.0 * t)));
      return true;
    }
    double worst = 0.0;
  } samples;
  test::Oscillator system(2.0, true);
  std::vector<double> work(AdaptiveRun::work_room(2)), more(AdaptiveRun::sensitivity_room(2), 0.0);
  const AdaptiveSteps steps{.relative_tolerance = 1e-10, .absolute_tolerance = 1e-10};
  AdaptiveRun run(system, nullptr, {.step = 0.1, .count = 50}, steps, samples, work.data(),
                  more.data());
  const double x0[2] = {1.0, 0.0};
  ASSERT_EQ(run.run(x0), 50);
  EXPECT_LT(samples.worst, 1e-7);  // 5 s times 1000 tolerances
}

TEST(SolveAdaptive, EndsWhereTheNumbersDo) {
  auto system =
      function_system(1, [](double, const double* x, double* dx) { dx[0] = x[0] * x[0]; });
  const Solution found =
      solve_adaptive(system, Eigen::VectorXd::Ones(1), {.step = 0.3, .count = 20});
  EXPECT_EQ(found.status, Status::NotFinite);
  EXPECT_EQ(found.states.rows(), 4);  // 0, 0.3, 0.6, 0.9; infinite at 1
}

TEST(SolveAdaptive, WrongTolerancesAreNamed) {
  test::Oscillator system(1.0);
  const auto message = [&](const AdaptiveSteps& steps) {
    return test::message_of(
        [&] { (void)solve_adaptive(system, Eigen::Vector2d(1.0, 0.0), {.count = 2}, steps); });
  };
  EXPECT_NE(message({.relative_tolerance = 0.0}).find("relative_tolerance"), std::string::npos);
  EXPECT_NE(message({.absolute_tolerance = -1.0}).find("absolute_tolerance"), std::string::npos);
}

}  // namespace adaptive_test
}  // namespace alembert::integrate::ode
