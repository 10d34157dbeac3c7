#include "alembert/integrate/newmark.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/integrate/variational.hpp"
#include "core/algebra/decompositions.hpp"
#include "support/matrices_near.hpp"
#include "support/published_systems.hpp"
#include "support/random_systems.hpp"

namespace alembert::integrate {
namespace newmark_test {

using test::kEps;
using test::matrices_near;
using testing::HasSubstr;
using testing::ThrowsMessage;

// The textbook form with displacement as unknown, which the map does not use:
// (K + γ/(βh) D + 1/(βh²) M) q₊ = L u₊ + M(...) + D(...)
void textbook_step(const model::SecondOrder& s, double h, double beta, double gamma,
                   const Eigen::VectorXd& u, const Eigen::VectorXd& next_u, Eigen::VectorXd& q,
                   Eigen::VectorXd& v) {
  const Eigen::VectorXd a = s.M.fullPivLu().solve(s.L * u - s.D * v - s.K * q);
  const Eigen::MatrixXd effective = s.K + gamma / (beta * h) * s.D + 1.0 / (beta * h * h) * s.M;
  const Eigen::VectorXd load =
      s.L * next_u + s.M * (q / (beta * h * h) + v / (beta * h) + (1.0 / (2.0 * beta) - 1.0) * a) +
      s.D * (gamma / (beta * h) * q + (gamma / beta - 1.0) * v +
             h * (gamma / (2.0 * beta) - 1.0) * a);
  const Eigen::VectorXd next = effective.fullPivLu().solve(load);
  const Eigen::VectorXd next_a =
      (next - q) / (beta * h * h) - v / (beta * h) - (1.0 / (2.0 * beta) - 1.0) * a;
  v += h * ((1.0 - gamma) * a + gamma * next_a);
  q = next;
}

TEST(NewmarkMap, AgreesWithTheTextbookForm) {
  std::mt19937_64 engine(71);
  for (const Eigen::Index n : {1, 4, 15}) {
    const model::SecondOrder system = test::random_system(n, 2, engine);
    for (const auto& [beta, gamma] : {std::pair{0.25, 0.5}, {1.0 / 6.0, 0.5}, {0.36, 0.7}}) {
      const double h = 0.1;
      const OneStepMap map = newmark_map(system, h, {.beta = beta, .gamma = gamma});
      Eigen::VectorXd q = test::random_matrix(n, 1, engine);
      Eigen::VectorXd v = test::random_matrix(n, 1, engine);
      const Eigen::VectorXd u = test::random_matrix(2, 1, engine);
      const Eigen::VectorXd next_u = test::random_matrix(2, 1, engine);
      Eigen::VectorXd z(2 * n), w(4);
      z << q, h * v;
      w << u, next_u;
      textbook_step(system, h, beta, gamma, u, next_u, q, v);
      Eigen::VectorXd expected(2 * n);
      expected << q, h * v;
      // The textbook form subtracts terms of size 1/(βh²) ~ 600.
      EXPECT_TRUE(matrices_near(map.F * z + map.G * w, expected,
                                {.rel = 1e4 * static_cast<double>(n) * kEps}))
          << n << ' ' << beta;
    }
  }
}

// For a linear system the average-acceleration rule is the variational midpoint rule.
TEST(NewmarkMap, WithAverageAccelerationIsTheMidpointMap) {
  const model::SecondOrder frame = test::frame_8dof();
  for (const double h : {1e-3, 0.02, 0.5}) {
    const OneStepMap newmark = newmark_map(frame, h);
    const OneStepMap midpoint = midpoint_map(frame, h);
    // (ω h)² is at most 100: rounding of h² K against M.
    EXPECT_TRUE(matrices_near(newmark.F, midpoint.F, {.rel = 1e3 * kEps})) << h;
    EXPECT_TRUE(matrices_near(newmark.G, midpoint.G, {.rel = 1e3 * kEps})) << h;
  }
}

// Stability limits of the undamped oscillator: ω h = 2 √3 for linear acceleration, 2 for central
// differences, none for β = 1/4.
TEST(NewmarkMap, HasTheKnownStabilityLimits) {
  const auto radius = [](double beta, double phase) {
    return spectral_radius(
        newmark_map(test::oscillator(1.0, 0.0, phase * phase), 1.0, {.beta = beta, .gamma = 0.5}));
  };
  for (const auto& [beta, limit] : {std::pair{1.0 / 6.0, 2.0 * std::sqrt(3.0)}, {0.0, 2.0}}) {
    // Just below, the eigenvalues lie on the unit circle; near the double root at the limit they
    // are known to the square root of eps.
    EXPECT_NEAR(radius(beta, 0.999 * limit), 1.0, std::sqrt(kEps)) << beta;
    EXPECT_GT(radius(beta, 1.001 * limit), 1.05) << beta;
  }
  EXPECT_NEAR(radius(0.25, 1e3), 1.0, 1e-9);
}

// γ > 1/2 takes energy out, γ < 1/2 puts it in, to first order in ω h:
// |λ| = 1 - (γ - 1/2)(ω h)²/2 + ...
TEST(NewmarkMap, DampsOrGrowsWithGamma) {
  const double phase = 0.05;
  for (const double gamma : {0.4, 0.5, 0.6, 0.9}) {
    const double beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
    const double radius = spectral_radius(newmark_map(test::oscillator(1.0, 0.0, phase * phase),
                                                      1.0, {.beta = beta, .gamma = gamma}));
    EXPECT_NEAR((1.0 - radius) / (0.5 * phase * phase), gamma - 0.5, 2.0 * phase * phase) << gamma;
  }
}

TEST(NewmarkMap, RejectsBadArguments) {
  const model::SecondOrder system = test::coupled_3dof();
  EXPECT_THAT([&] { (void)newmark_map(system, 0.1, {.beta = -0.1}); },
              ThrowsMessage<InvalidInput>(HasSubstr("beta must be in [0, 1], got -0.1")));
  EXPECT_THAT([&] { (void)newmark_map(system, 0.1, {.gamma = 2.0}); },
              ThrowsMessage<InvalidInput>(HasSubstr("gamma must be in [0, 1], got 2")));
  EXPECT_THAT([&] { (void)newmark_map(system, 0.0); },
              ThrowsMessage<InvalidInput>(HasSubstr("newmark_map: step must be positive")));
  EXPECT_THAT([] { (void)newmark_map(test::oscillator(1.0, 0.0, -4.0), 1.0); },
              ThrowsMessage<InvalidInput>(HasSubstr("must be finite and regular")));
}

}  // namespace newmark_test
}  // namespace alembert::integrate
