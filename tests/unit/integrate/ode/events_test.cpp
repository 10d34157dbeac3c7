#include "alembert/integrate/ode/events.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "alembert/integrate/ode/solve.hpp"
#include "unit/integrate/ode/harmonic.hpp"

namespace alembert::integrate::ode {
namespace events_test {

using std::numbers::pi;

// cos t passes zero at (k + 1/2) π; the extension of order 4 of steps at this tolerance errs by
// less than 1e-9.
TEST(FunctionEvents, FindTheZerosOfACosine) {
  test::Oscillator system(1.0);
  FunctionEvents events(system, {{.value = [](double, const double* x) { return x[0]; }}});
  const Solution found =
      solve_adaptive(system, Eigen::Vector2d(1.0, 0.0), {.step = 1.0, .count = 21},
                     {.relative_tolerance = 1e-12, .absolute_tolerance = 1e-12}, &events);
  ASSERT_TRUE(found.ok()) << found.message;
  ASSERT_EQ(events.found().size(), 6u);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_NEAR(events.found()[k].time, (static_cast<double>(k) + 0.5) * pi, 1e-9);
  }
}

TEST(FunctionEvents, SeeRisingAndFallingValues) {
  test::Oscillator system(1.0);
  const auto value = [](double, const double* x) { return x[0]; };
  FunctionEvents events(system,
                        {{.value = value, .direction = 1}, {.value = value, .direction = -1}});
  ASSERT_TRUE(
      solve_adaptive(system, Eigen::Vector2d(1.0, 0.0), {.step = 1.0, .count = 7}, {}, &events)
          .ok());
  ASSERT_EQ(events.found().size(), 2u);
  EXPECT_EQ(events.found()[0].event, 1u);  // falls at π/2
  EXPECT_EQ(events.found()[1].event, 0u);  // rises at 3π/2
}

// A ball from height 1 with g = 2 bounces with velocity e v: the times between bounces shrink by e.
TEST(FunctionEvents, ABallBounces) {
  auto ball = function_system(2, [](double, const double* x, double* dx) {
    dx[0] = x[1];
    dx[1] = -2.0;
  });
  const double e = 0.5;
  FunctionEvents events(ball, {{.value = [](double, const double* x) { return x[0]; },
                                .action =
                                    [e](double, double* x) {
                                      x[0] = 0.0;
                                      x[1] = -e * x[1];
                                      return true;
                                    }}});
  const Solution found =
      solve_adaptive(ball, Eigen::Vector2d(1.0, 0.0), {.step = 0.05, .count = 56}, {}, &events);
  ASSERT_TRUE(found.ok()) << found.message;
  // Falls for 1 s; then 2 e, 2 e², ... up to 2.75 s.
  const std::vector<double> times{1.0, 2.0, 2.5, 2.75};
  ASSERT_GE(events.found().size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(events.found()[k].time, times[k], 1e-9);
  // Half way between the first two bounces the height is e² of the first.
  EXPECT_NEAR(found.states(30, 0), e * e, 1e-9);
}

TEST(FunctionEvents, AnActionEndsTheSolution) {
  test::Oscillator system(1.0);
  FunctionEvents events(system, {{.value = [](double t, const double*) { return t - 3.3; },
                                  .action = [](double, double*) { return false; }}});
  const Solution found =
      solve_adaptive(system, Eigen::Vector2d(1.0, 0.0), {.step = 0.5, .count = 20}, {}, &events);
  EXPECT_EQ(found.status, Status::Stopped);
  EXPECT_EQ(found.states.rows(), 7);  // up to 3.0
  ASSERT_EQ(events.found().size(), 1u);
  EXPECT_NEAR(events.found()[0].time, 3.3, 1e-14);
}

}  // namespace events_test
}  // namespace alembert::integrate::ode
