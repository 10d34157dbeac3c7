#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "alembert/integrate/newmark.hpp"
#include "alembert/integrate/ode/newmark.hpp"
#include "support/allocations.hpp"
#include "support/message_of.hpp"
#include "unit/integrate/ode/harmonic.hpp"

namespace alembert::integrate::ode {
namespace ode_newmark_test {

const std::vector<model::SecondOrderPair> kPair{{.position = 0, .velocity = 1}};

double oscillator_error(int steps) {
  test::Oscillator system(2.0);
  Newmark method(system, kPair);
  method.state()[0] = 1.0;
  const double h = 3.0 / steps;
  method.start(0.0, h);
  for (int k = 1; k <= steps; ++k) EXPECT_TRUE(method.step(k * h));
  return std::abs(method.state()[0] - std::cos(6.0));
}

TEST(OdeNewmark, HasOrderTwo) {
  EXPECT_NEAR(oscillator_error(400) / oscillator_error(800), 4.0, 0.4);
}

// For a linear system the step is the matrix of newmark_map(), up to rounding and Newton's end,
// which is at its second step.
TEST(OdeNewmark, IsTheMapOfALinearSystem) {
  const double omega = 3.0;
  const double h = 0.2;
  test::Oscillator system(omega);
  Newmark method(system, kPair);
  method.state()[0] = 0.3;
  method.state()[1] = -0.7;
  method.start(0.0, h);
  const model::SecondOrder linear{.M = Eigen::MatrixXd::Ones(1, 1),
                                  .D = Eigen::MatrixXd::Zero(1, 1),
                                  .K = Eigen::MatrixXd::Constant(1, 1, omega * omega),
                                  .L = Eigen::MatrixXd::Ones(1, 1)};
  const OneStepMap map = newmark_map(linear, h);
  Eigen::Vector2d z(0.3, -0.7 * h);
  for (int k = 1; k <= 50; ++k) {
    ASSERT_TRUE(method.step(k * h));
    z = map.F * z;
    EXPECT_NEAR(method.state()[0], z(0), 1e-13);
    EXPECT_NEAR(method.state()[1] * h, z(1), 1e-13);
  }
}

// States of first order follow the trapezoidal rule: x' = -x gives ((1 - h/2)/(1 + h/2))^k.
TEST(OdeNewmark, TakesTheTrapezoidalRuleForFirstOrder) {
  struct Decay final : System {
    [[nodiscard]] std::size_t states() const override { return 1; }
    void derivative(double, const double* x, const double*, double* dx) override { dx[0] = -x[0]; }
    void jacobian(double, const double* x, const double*, double* dx, double* entries) override {
      dx[0] = -x[0];
      entries[0] = -1.0;
    }
  } system;
  Newmark method(system, {});
  method.state()[0] = 1.0;
  const double h = 0.5;
  method.start(0.0, h);
  for (int k = 1; k <= 10; ++k) {
    ASSERT_TRUE(method.step(k * h));
    EXPECT_NEAR(method.state()[0], std::pow(0.75 / 1.25, k), 1e-14);
  }
}

// The derivative of the computed numbers, by a central difference of error h² ~ 1e-10.
TEST(OdeNewmark, SensitivitiesAreThoseOfTheComputedNumbers) {
  const auto position = [](double omega, double* sensitivity) {
    test::Oscillator system(omega, sensitivity != nullptr);
    Newmark method(system, kPair);
    method.state()[0] = 1.0;
    method.start(0.0, 0.1);
    for (int k = 1; k <= 20; ++k) EXPECT_TRUE(method.step(0.1 * k));
    if (sensitivity != nullptr) *sensitivity = method.sensitivities()[0];
    return method.state()[0];
  };
  double exact = 0.0;
  (void)position(2.0, &exact);
  const double step = 1e-5;
  const double difference =
      (position(2.0 + step, nullptr) - position(2.0 - step, nullptr)) / (2.0 * step);
  EXPECT_NEAR(exact, difference, 1e-8);
}

TEST(OdeNewmark, StepsDoNotAllocate) {
  test::Oscillator system(1.0, true);
  Newmark method(system, kPair);
  method.start(0.0, 0.1);
  const std::size_t before = test::allocation_count();
  (void)method.step(0.1);
  EXPECT_EQ(test::allocation_count(), before);
}

TEST(OdeNewmark, SaysWhichFunctionIsMissing) {
  auto system = function_system(1, [](double, const double* x, double* dx) { dx[0] = -x[0]; });
  Newmark method(system, {});
  method.start(0.0, 0.1);
  EXPECT_NE(test::message_of([&] { (void)method.step(0.1); }).find("jacobian"), std::string::npos);
}

}  // namespace ode_newmark_test
}  // namespace alembert::integrate::ode
