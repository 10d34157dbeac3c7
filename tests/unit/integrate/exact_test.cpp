#include "alembert/integrate/exact.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <unsupported/Eigen/MatrixFunctions>

#include "alembert/core/error.hpp"
#include "support/matrices_near.hpp"
#include "support/published_systems.hpp"
#include "support/random_systems.hpp"

namespace alembert::integrate {
namespace exact_test {

using test::kEps;
using test::matrices_near;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Free motion of an oscillator in closed form, as a matrix on (q, h v); ζ < 1.
Eigen::Matrix2d free_motion(double omega, double ratio, double h) {
  const double decay = std::exp(-ratio * omega * h);
  const double damped = omega * std::sqrt(1 - ratio * ratio);
  const double c = std::cos(damped * h);
  const double s = std::sin(damped * h) / damped;
  Eigen::Matrix2d F;
  F << c + ratio * omega * s, s / h, -omega * omega * s * h, c - ratio * omega * s;
  return decay * F;
}

TEST(ExactMap, OfAnOscillatorHasTheClosedForm) {
  for (const double phase : {1e-6, 1e-3, 0.3, 1.0, 5.0, 60.0}) {
    for (const double ratio : {0.0, 0.03, 0.9}) {
      const double omega = 12.0;
      const OneStepMap map =
          exact_map(test::oscillator(2.0, 4.0 * ratio * omega, 2.0 * omega * omega), phase / omega);
      const Eigen::Matrix2d expected = free_motion(omega, ratio, phase / omega);
      // Each squaring of the exponential may double the relative error of the phase; entries of
      // the second row are phase times larger.
      EXPECT_TRUE(matrices_near(map.F, expected, {.rel = 20 * kEps * std::max(1.0, phase)}))
          << phase << ' ' << ratio;
    }
  }
}

// Response to a constant unit force: q = (1 - cos ω h)/k, v = ω sin(ω h)/k. Phases of 0.5 2^j are
// the worst for the truncated series.
TEST(ExactMap, OfAnOscillatorHasTheStepResponse) {
  const double stiffness = 8.0;
  for (const double phase : {1e-5, 0.1, 0.25, 0.4999, 0.5, 0.51, 1.0, 2.0, 8.0}) {
    const double h = phase / 2.0;
    const OneStepMap map =
        exact_map(test::oscillator(2.0, 0.0, stiffness), h, signal::BetweenSamples::Held);
    const double half = std::sin(0.5 * phase);
    const double q = 2.0 * half * half / stiffness;
    const double p = phase * std::sin(phase) / stiffness;
    const double tolerance = 20 * kEps * std::max(1.0, phase) * (std::abs(q) + std::abs(p));
    EXPECT_NEAR(map.G(0, 0), q, tolerance) << phase;
    EXPECT_NEAR(map.G(1, 0), p, tolerance) << phase;
  }
}

// Without springs and dampers the motion is a polynomial: q'' = L u / m.
TEST(ExactMap, OfAFreeMassIntegratesThePolynomial) {
  const double h = 0.25;
  const OneStepMap map =
      exact_map(test::oscillator(2.0, 0.0, 0.0), h, signal::BetweenSamples::Cubic);
  Eigen::Matrix2d F;
  F << 1, 1, 0, 1;
  EXPECT_TRUE(matrices_near(map.F, F, {.rel = 2 * kEps}));
  // Input τʲ/j!: q = h²/m /(j+2)!, h v = h²/m /(j+1)!
  const double unit = h * h / 2.0;
  Eigen::MatrixXd G(2, 4);
  G << 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24;
  EXPECT_TRUE(matrices_near(map.G, unit * G, {.rel = 4 * kEps}));
}

// The definition of spec and paper: one exponential of the augmented matrix, by another library.
TEST(ExactMap, EqualsTheExponentialOfTheAugmentedMatrix) {
  std::mt19937_64 engine(51);
  for (const Eigen::Index n : {1, 2, 5, 12}) {
    for (const double h : {1e-3, 0.05, 0.4, 3.0}) {
      const Eigen::Index m = std::min<Eigen::Index>(n, 3);
      const model::SecondOrder system = test::random_system(n, m, engine);
      const model::StateSpace form = model::state_space(system);
      Eigen::MatrixXd augmented = Eigen::MatrixXd::Zero(2 * n + 4 * m, 2 * n + 4 * m);
      augmented.topLeftCorner(2 * n, 2 * n) = h * form.A;
      augmented.topRightCorner(n, n).setZero();
      augmented.block(0, 2 * n, 2 * n, m) = h * form.B;
      augmented.block(2 * n, 2 * n + m, 3 * m, 3 * m).setIdentity();
      Eigen::MatrixXd exponential = augmented.exp();
      // From (q, v) to (q, h v).
      exponential.middleRows(n, n) *= h;
      exponential.middleCols(n, n) /= h;
      const OneStepMap map = exact_map(system, h, signal::BetweenSamples::Cubic);
      // The target of the specification.
      EXPECT_TRUE(matrices_near(map.F, exponential.topLeftCorner(2 * n, 2 * n), {.rel = 1e-12}));
      EXPECT_TRUE(matrices_near(map.G, exponential.block(0, 2 * n, 2 * n, 4 * m), {.rel = 1e-12}));
    }
  }
}

TEST(ExactMap, HoldsAreTheFirstTermsOfTheCubic) {
  std::mt19937_64 engine(52);
  const model::SecondOrder system = test::random_system(4, 2, engine);
  const OneStepMap cubic = exact_map(system, 0.2, signal::BetweenSamples::Cubic);
  const OneStepMap linear = exact_map(system, 0.2, signal::BetweenSamples::Linear);
  const OneStepMap zero = exact_map(system, 0.2, signal::BetweenSamples::Held);
  EXPECT_EQ(zero.drive, Drive::Begin);
  EXPECT_EQ(linear.drive, Drive::Ends);
  EXPECT_EQ(cubic.drive, Drive::Polynomial);
  EXPECT_TRUE(matrices_near(zero.G, cubic.G.leftCols(2), {.rel = 8 * kEps}));
  // u + (u₊ - u) τ
  EXPECT_TRUE(matrices_near(linear.G.rightCols(2), cubic.G.middleCols(2, 2), {.rel = 8 * kEps}));
  EXPECT_TRUE(matrices_near(linear.G.leftCols(2) + linear.G.rightCols(2), cubic.G.leftCols(2),
                            {.rel = 8 * kEps}));
}

// Two half steps make a whole one, for the free and for the driven part.
TEST(ExactMap, IsASemigroup) {
  std::mt19937_64 engine(53);
  for (const Eigen::Index n : {1, 6, 40}) {
    const model::SecondOrder system = test::random_system(n, 1, engine);
    const OneStepMap half = exact_map(system, 0.15, signal::BetweenSamples::Held);
    const OneStepMap whole = exact_map(system, 0.3, signal::BetweenSamples::Held);
    // The half map works on (q, h v/2).
    Eigen::VectorXd scale = Eigen::VectorXd::Ones(2 * n);
    scale.tail(n).setConstant(2.0);
    const Eigen::MatrixXd F = scale.asDiagonal() * half.F * scale.cwiseInverse().asDiagonal();
    const Eigen::MatrixXd G = scale.asDiagonal() * half.G;
    const double tolerance = 100.0 * static_cast<double>(n) * kEps;
    EXPECT_TRUE(matrices_near(whole.F, F * F, {.rel = tolerance})) << n;
    EXPECT_TRUE(matrices_near(whole.G, F * G + G, {.rel = tolerance})) << n;
  }
}

// Stiff and soft in one system: ω h = 1e-2 beside 1e4.
TEST(ExactMap, KeepsSoftModesBesideStiffOnes) {
  model::SecondOrder system;
  system.M = Eigen::Vector2d(1.0, 1.0).asDiagonal();
  system.K = Eigen::Vector2d(1.0, 1e12).asDiagonal();
  system.D = Eigen::Vector2d(0.0, 2e5).asDiagonal();
  system.L = Eigen::MatrixXd::Identity(2, 2);
  const OneStepMap map = exact_map(system, 1e-2);
  Eigen::Matrix2d soft;
  soft << map.F(0, 0), map.F(0, 2), map.F(2, 0), map.F(2, 2);
  // 15 squarings of a rotation, each adding an error of eps.
  EXPECT_TRUE(matrices_near(soft, free_motion(1.0, 0.0, 1e-2), {.rel = 1e4 * kEps}));
  Eigen::Matrix2d stiff;
  stiff << map.F(1, 1), map.F(1, 3), map.F(3, 1), map.F(3, 3);
  EXPECT_LT(stiff.norm(), 1e-300) << "exp(-ζ ω h) = exp(-1000)";
}

TEST(ExactMap, KeepsAllDigitsOfAShortStep) {
  // F - I has entries of 1e-7 and 1e-14; they must not be differences of numbers near 1.
  const OneStepMap map = exact_map(test::oscillator(1.0, 0.1, 100.0), 1e-8);
  EXPECT_NEAR(map.F(1, 0), -1e-14, 1e-14 * 1e-7) << "-(ω h)² to the next order, (ζ ω h)";
  EXPECT_NEAR(map.G(0, 0), 0.5e-16, 0.5e-16 * 1e-7);
}

TEST(ExactMap, GrowsForAnInvertedPendulum) {
  const OneStepMap map = exact_map(test::oscillator(1.0, 0.0, -4.0), 1.5);
  EXPECT_NEAR(map.F(0, 0), std::cosh(3.0), 20 * kEps * std::cosh(3.0));
  EXPECT_NEAR(map.F(0, 1), std::sinh(3.0) / 3.0, 20 * kEps * std::cosh(3.0));
}

TEST(ExactMap, RejectsBadArguments) {
  const model::SecondOrder system = test::coupled_3dof();
  EXPECT_THAT([&] { (void)exact_map(system, 0.0); },
              ThrowsMessage<InvalidInput>(HasSubstr("exact_map: step must be positive")));
  EXPECT_THAT([&] { (void)exact_map(system, 1e200); },
              ThrowsMessage<InvalidInput>(HasSubstr("got an overflow")));
  EXPECT_THAT([&] { (void)exact_map(system, 0.1, signal::BetweenSamples::BandLimited); },
              ThrowsMessage<InvalidInput>(HasSubstr("hold must be Held, Linear or Cubic")));
}

}  // namespace exact_test
}  // namespace alembert::integrate
