#include "alembert/integrate/ode/stiff.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/integrate/ode/solve.hpp"
#include "support/message_of.hpp"
#include "unit/integrate/ode/harmonic.hpp"

namespace alembert::integrate::ode {
namespace stiff_test {

// x' = -1e6 (x - cos t) from 1: after the first microseconds x = cos t + O(1e-6).
struct Fast final : System {
  [[nodiscard]] std::size_t states() const override { return 1; }
  void derivative(double t, const double* x, const double*, double* dx) override {
    ++calls;
    dx[0] = -1e6 * (x[0] - std::cos(t));
  }
  void jacobian(double t, const double* x, const double* u, double* dx, double* entries) override {
    derivative(t, x, u, dx);
    entries[0] = -1e6;
  }
  long calls = 0;
};

TEST(SolveStiff, FollowsAFastDecayWithFewSteps) {
  if (!has_stiff_method()) GTEST_SKIP() << "built without SUNDIALS";
  Fast system;
  const Solution found = solve_stiff(system, Eigen::VectorXd::Ones(1), {.step = 0.5, .count = 13});
  ASSERT_TRUE(found.ok()) << found.message;
  for (Eigen::Index k = 0; k < 13; ++k) {
    // x = cos t + 1e-6 sin t + ..., with the errors of some hundred steps at 1e-10.
    const double t = found.time(k);
    EXPECT_NEAR(found.states(k, 0), std::cos(t) + 1e-6 * std::sin(t), 1e-7);
  }
  EXPECT_LT(system.calls, 10000);  // an explicit method needs more than 1e6
}

// The default tolerance keeps sensitivities to some 100 times 1e-10.
TEST(SolveStiff, SensitivitiesAreThoseOfTheClosedForm) {
  if (!has_stiff_method()) GTEST_SKIP() << "built without SUNDIALS";
  struct Kept final : Samples {
    bool write(long, double t, const double*, const double* s) override {
      worst = std::max(worst, std::abs(s[0] + t * std::sin(2.0 * t)));
      return true;
    }
    double worst = 0.0;
  } samples;
  test::Oscillator system(2.0, true);
  const double x0[2] = {1.0, 0.0};
  const double s0[2] = {0.0, 0.0};
  const double size = 2.0;
  ASSERT_EQ(stiff_run(system, nullptr, {.step = 0.1, .count = 50}, {}, samples, x0,
                      {.start = s0, .sizes = {&size, 1}}),
            50);
  EXPECT_LT(samples.worst, 1e-6);
}

TEST(SolveStiff, SaysWhatIsMissing) {
  test::Oscillator system(1.0);
  const auto message = test::message_of(
      [&] { (void)solve_stiff(system, Eigen::Vector2d(1.0, 0.0), {.step = 0.1, .count = 3}); });
  EXPECT_EQ(message.find("SUNDIALS") == std::string::npos, has_stiff_method());
}

}  // namespace stiff_test
}  // namespace alembert::integrate::ode
