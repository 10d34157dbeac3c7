#include "alembert/integrate/ode/runge_kutta4.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/integrate/ode/solve.hpp"
#include "support/allocations.hpp"
#include "support/message_of.hpp"
#include "unit/integrate/ode/harmonic.hpp"

namespace alembert::integrate::ode {
namespace runge_kutta4_test {

// x' = x cos t from 1: x = exp(sin t)
double error_at_four(int steps) {
  auto system =
      function_system(1, [](double t, const double* x, double* dx) { dx[0] = x[0] * std::cos(t); });
  const Solution found =
      solve_runge_kutta4(system, Eigen::VectorXd::Ones(1), {.step = 4.0, .count = 2}, steps);
  return std::abs(found.states(1, 0) - std::exp(std::sin(4.0)));
}

// Halving the step divides the error by 2^4 within 10 %.
TEST(RungeKutta4, HasOrderFour) { EXPECT_NEAR(error_at_four(80) / error_at_four(160), 16.0, 1.6); }

// ∂/∂ω of cos ωt and of the velocity, up to the error of the method, (ωh)⁴ t/120 times 4ω.
TEST(RungeKutta4, CarriesSensitivities) {
  const double omega = 2.0;
  const double h = 1e-2;
  test::Oscillator system(omega, true);
  RungeKutta4 method(system);
  method.state()[0] = 1.0;
  for (int k = 0; k < 100; ++k) method.step(k * h, h);
  EXPECT_NEAR(method.state()[0], std::cos(omega), 1e-8);
  EXPECT_NEAR(method.sensitivities()[0], -std::sin(omega), 1e-7);
  EXPECT_NEAR(method.sensitivities()[1], -std::sin(omega) - omega * std::cos(omega), 1e-7);
}

// A cubic input is integrated exactly: Simpson's rule. v(1) = ∫ t³ = 1/4, q(1) = 1/20 by ∫∫ is of
// order 5 and not exact; v is.
TEST(RungeKutta4, TakesInputsAtBeginMiddleAndEnd) {
  test::Oscillator system(0.0);
  RungeKutta4 method(system);
  const double begin = 0.0, middle = 0.125, end = 1.0;
  method.step(0.0, 1.0, {&begin, &middle, &end});
  EXPECT_DOUBLE_EQ(method.state()[1], 0.25);
}

TEST(RungeKutta4, StepsDoNotAllocate) {
  test::Oscillator system(1.0, true);
  RungeKutta4 method(system);
  const std::size_t before = test::allocation_count();
  method.step(0.0, 0.1);
  EXPECT_EQ(test::allocation_count(), before);
}

TEST(RungeKutta4, WrongArgumentsAreNamed) {
  test::Oscillator system(1.0);
  const auto message = [&](const Eigen::VectorXd& x0, const SampleTimes& times, int substeps) {
    return test::message_of([&] { (void)solve_runge_kutta4(system, x0, times, substeps); });
  };
  const Eigen::VectorXd two = Eigen::VectorXd::Zero(2);
  EXPECT_NE(message(Eigen::VectorXd::Zero(3), {.count = 2}, 1).find("x0"), std::string::npos);
  EXPECT_NE(message(two, {.count = 0}, 1).find("times.count"), std::string::npos);
  EXPECT_NE(message(two, {.step = 0.0, .count = 2}, 1).find("times.step"), std::string::npos);
  EXPECT_NE(message(two, {.count = 2}, 0).find("substeps"), std::string::npos);
}

// x' = x² from 1 is infinite at t = 1.
TEST(RungeKutta4, EndsWhereTheNumbersDo) {
  auto system =
      function_system(1, [](double, const double* x, double* dx) { dx[0] = x[0] * x[0]; });
  const Solution found =
      solve_runge_kutta4(system, Eigen::VectorXd::Ones(1), {.step = 0.25, .count = 20}, 50);
  EXPECT_EQ(found.status, Status::NotFinite);
  EXPECT_GE(found.states.rows(), 4);
  EXPECT_LT(found.states.rows(), 20);
  EXPECT_TRUE(found.states.allFinite());
}

}  // namespace runge_kutta4_test
}  // namespace alembert::integrate::ode
