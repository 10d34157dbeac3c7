#include "alembert/integrate/variational.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "alembert/core/error.hpp"
#include "alembert/integrate/linear_simulation.hpp"
#include "alembert/model/modes.hpp"
#include "support/matrices_near.hpp"
#include "support/published_systems.hpp"
#include "support/random_systems.hpp"

namespace alembert::integrate {
namespace variational_test {

using Complex = std::complex<double>;
using std::numbers::pi;
using test::kEps;
using test::matrices_near;
using testing::HasSubstr;
using testing::ThrowsMessage;

double relative_error(const Eigen::MatrixXd& actual, const Eigen::MatrixXd& expected) {
  return (actual - expected).norm() / expected.norm();
}

double worst_error(const model::SecondOrder& actual, const model::SecondOrder& expected) {
  return std::max({relative_error(actual.M, expected.M), relative_error(actual.D, expected.D),
                   relative_error(actual.K, expected.K)});
}

// m = 3, d = 2, k = 8, h = 0.5: all terms are exact in binary.
TEST(VariationalMatrices, OfAnOscillatorFollowTheFormulas) {
  const VariationalMatrices matrices = variational_matrices(test::oscillator(3.0, 2.0, 8.0), 0.5);
  EXPECT_EQ(matrices.Md(0, 0), 6.0 + 1.0 + 1.0);
  EXPECT_EQ(matrices.Dd(0, 0), 2.0 - 12.0);
  EXPECT_EQ(matrices.Kd(0, 0), 6.0 + 1.0 - 1.0);
  EXPECT_EQ(matrices.Md_low(0, 0), 0.0);
  EXPECT_EQ(matrices.step, 0.5);
}

TEST(VariationalMatrices, GiveTheSystemBackForEveryStep) {
  std::mt19937_64 engine(41);
  for (const model::SecondOrder& system :
       {test::frame_8dof(), test::coupled_3dof(), test::oscillator(1e-3, 1e-9, 7e4),
        test::random_system(1, 1, engine), test::random_system(20, 2, engine)}) {
    for (const double step : {1e-7, 1e-4, 1e-3, 3.3e-3, 1e-2, 5e-2, 0.7, 30.0, 1e6}) {
      const model::SecondOrder back =
          continuous_system(variational_matrices(system, step), system.L);
      // Two roundings at the end of each formula; the sums in between carry 31 digits, of which
      // cancellation of M/h against h K, 1/(ω h)² <= 1e14 here, takes 14.
      EXPECT_LT(worst_error(back, system), 4 * kEps) << step;
      EXPECT_EQ(back.L, system.L);
      EXPECT_EQ(back.K, Eigen::MatrixXd(back.K.transpose()));
    }
  }
}

// Matrices from an estimate are plain doubles: then each of M/h, D/2, h K/4 is known to the
// rounding of the largest of them.
TEST(VariationalMatrices, WithoutLowPartsGiveTheSystemBackToTheRoundingOfTheSum) {
  const model::SecondOrder frame = test::frame_8dof();
  for (const double step : {1e-3, 5e-3, 5e-2}) {
    VariationalMatrices matrices = variational_matrices(frame, step);
    matrices.Md_low.resize(0, 0);
    matrices.Dd_low.resize(0, 0);
    matrices.Kd_low.resize(0, 0);
    const model::SecondOrder back = continuous_system(matrices, frame.L);
    const double scale = matrices.Md.cwiseAbs().maxCoeff();
    EXPECT_LT((back.M - frame.M).cwiseAbs().maxCoeff() / step, 4 * kEps * scale);
    EXPECT_LT((back.D - frame.D).cwiseAbs().maxCoeff() / 2.0, 4 * kEps * scale);
    EXPECT_LT((back.K - frame.K).cwiseAbs().maxCoeff() * step / 4.0, 4 * kEps * scale);
  }
}

TEST(ContinuousSystem, MapsDiscreteMatricesBackAndForth) {
  std::mt19937_64 engine(42);
  VariationalMatrices matrices;
  matrices.Md = test::random_definite(5, 1.0, 9.0, engine);
  matrices.Dd = -test::random_definite(5, 2.0, 12.0, engine);
  matrices.Kd = test::random_definite(5, 0.5, 8.0, engine);
  matrices.step = 0.01;
  const Eigen::MatrixXd L = Eigen::MatrixXd::Identity(5, 5);
  const VariationalMatrices back =
      variational_matrices(continuous_system(matrices, L), matrices.step);
  EXPECT_TRUE(matrices_near(back.Md, matrices.Md, {.rel = 4 * kEps}));
  EXPECT_TRUE(matrices_near(back.Dd, matrices.Dd, {.rel = 4 * kEps}));
  EXPECT_TRUE(matrices_near(back.Kd, matrices.Kd, {.rel = 4 * kEps}));
}

TEST(VariationalMatrices, RejectBadArguments) {
  const model::SecondOrder system = test::coupled_3dof();
  EXPECT_THAT([&] { (void)variational_matrices(system, 0.0); },
              ThrowsMessage<InvalidInput>(HasSubstr("step must be positive, got 0")));
  VariationalMatrices matrices = variational_matrices(system, 0.1);
  const Eigen::MatrixXd L = system.L;
  matrices.Kd_low.resize(2, 2);
  EXPECT_THAT([&] { (void)continuous_system(matrices, L); },
              ThrowsMessage<InvalidInput>(HasSubstr("Kd_low must be 3 x 3")));
  matrices = variational_matrices(system, 0.1);
  matrices.Dd(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT([&] { (void)continuous_system(matrices, L); },
              ThrowsMessage<InvalidInput>(HasSubstr("Dd must be finite")));
  matrices = variational_matrices(system, 0.1);
  matrices.step = -1.0;
  EXPECT_THAT([&] { (void)discrete_transfer(matrices, L, 2.0); },
              ThrowsMessage<InvalidInput>(HasSubstr("step must be positive")));
}

TEST(DiscreteForces, WeighThreeNeighbours) {
  std::mt19937_64 engine(43);
  const Eigen::MatrixXd L = test::random_matrix(3, 2, engine);
  const Eigen::MatrixXd u = test::random_matrix(7, 2, engine);
  const Eigen::MatrixXd forces = discrete_forces(L, u, 0.2);
  ASSERT_EQ(forces.rows(), 5);
  for (Eigen::Index k = 2; k < 7; ++k) {
    const Eigen::VectorXd expected =
        0.05 * L * (u.row(k) + 2.0 * u.row(k - 1) + u.row(k - 2)).transpose();
    EXPECT_TRUE(matrices_near(forces.row(k - 2).transpose(), expected, {.rel = 8 * kEps})) << k;
  }
  EXPECT_THAT([&] { (void)discrete_forces(L, u.topRows(2), 0.2); },
              ThrowsMessage<InvalidInput>(HasSubstr("rows of u")));
  EXPECT_THAT([&] { (void)discrete_forces(L, u.leftCols(1), 0.2); },
              ThrowsMessage<InvalidInput>(HasSubstr("u must be 7 x 2")));
}

// [Bruschetta2014, proposition 1], on the unit circle and outside of it.
TEST(DiscreteTransfer, IsTheTustinTransform) {
  std::mt19937_64 engine(44);
  for (const model::SecondOrder& system :
       {test::frame_8dof(), test::coupled_3dof(), test::random_system(1, 1, engine),
        test::random_system(15, 3, engine)}) {
    for (const double step : {1e-4, 1e-3, 1e-2, 0.3}) {
      const VariationalMatrices matrices = variational_matrices(system, step);
      for (const double radius : {1.0, 1.0001, 1.5, 40.0}) {
        for (int i = 0; i < 60; ++i) {
          const Complex z = std::polar(radius, pi * (i + 0.5) / 60.0);
          const Eigen::MatrixXcd discrete = discrete_transfer(matrices, system.L, z);
          const Eigen::MatrixXcd continuous = transfer(system, tustin(z, step));
          // Rounding of the two dynamic stiffnesses times their condition, up to 100 n / (2 ζ).
          EXPECT_LT((discrete - continuous).norm() / continuous.norm(), 1e-11) << step << ' ' << z;
        }
      }
    }
  }
}

TEST(DiscreteTransfer, VanishesAtNyquistAndIsTheComplianceAtRest) {
  const model::SecondOrder system = test::oscillator(2.0, 0.3, 50.0);
  const VariationalMatrices matrices = variational_matrices(system, 1e-5);
  EXPECT_EQ(discrete_transfer(matrices, system.L, -1.0)(0, 0), 0.0);
  // (ω h)² = 2.5e-9 would cost a naive sum nine digits here.
  EXPECT_NEAR(discrete_transfer(matrices, system.L, 1.0)(0, 0).real(), 0.02, 0.02 * 4 * kEps);
}

TEST(Tustin, MapsTheUnitCircleToTheImaginaryAxis) {
  const Complex s = tustin(std::polar(1.0, 0.8), 0.1);
  EXPECT_NEAR(s.real(), 0.0, 20 * 8 * kEps);
  EXPECT_NEAR(s.imag(), 20.0 * std::tan(0.4), 20 * 8 * kEps);
  EXPECT_TRUE(std::isinf(tustin(-1.0, 0.1).real()));
  EXPECT_THAT([] { (void)tustin(1.0, -0.1); },
              ThrowsMessage<InvalidInput>(HasSubstr("step must be positive")));
}

// Undamped free motion: the map turns (q, v/ω) by 2 atan(ω h/2) instead of ω h.
TEST(MidpointMap, RotatesAnUndampedOscillator) {
  for (const double phase : {1e-3, 0.1, 2.0, 50.0}) {
    const double omega = 7.0;
    const double h = phase / omega;
    const OneStepMap map = midpoint_map(test::oscillator(1.0, 0.0, omega * omega), h);
    const double angle = 2.0 * std::atan(phase / 2.0);
    Eigen::Matrix2d expected;
    // In (q, h v): v/ω = (h v)/phase.
    expected << std::cos(angle), std::sin(angle) / phase, -phase * std::sin(angle), std::cos(angle);
    EXPECT_TRUE(matrices_near(map.F, expected, {.rel = 16 * kEps})) << phase;
  }
}

// The one-step map and the published three-term recursion are the same trajectory.
TEST(MidpointMap, SatisfiesTheDiscreteEulerLagrangeEquations) {
  std::mt19937_64 engine(45);
  for (const Eigen::Index n : {1, 2, 12}) {
    const model::SecondOrder system = test::random_system(n, 2, engine);
    const double step = 0.05;
    const Eigen::MatrixXd u = test::random_matrix(300, 2, engine);
    const Trajectory motion =
        simulate(system, u, step, test::random_matrix(n, 1, engine),
                 test::random_matrix(n, 1, engine), {.method = Method::Variational});
    const VariationalMatrices d = variational_matrices(system, step);
    const Eigen::MatrixXd& q = motion.displacement;
    const Eigen::MatrixXd left =
        q.bottomRows(298) * d.Md + q.middleRows(1, 298) * d.Dd + q.topRows(298) * d.Kd;
    // Rounding of sums whose terms are M/h times q, each row with n products.
    const double scale = d.Dd.norm() * q.cwiseAbs().maxCoeff();
    EXPECT_TRUE(matrices_near(left, discrete_forces(system.L, u, step),
                              {.abs = 20.0 * static_cast<double>(n) * kEps * scale}))
        << n;
  }
}

TEST(MidpointMap, IsStableForEveryStepOfADampedSystem) {
  for (const double step : {1e-4, 1e-2, 1.0, 1e2, 1e4, 1e6}) {
    EXPECT_LT(spectral_radius(midpoint_map(test::frame_8dof(), step)), 1.0) << step;
    EXPECT_LT(spectral_radius(midpoint_map(test::coupled_3dof(), step)), 1.0) << step;
  }
}

// The poles of the map are Cayley transforms of the poles of the system.
TEST(MidpointMap, HasTheCayleyTransformedPoles) {
  const double step = 0.04;
  const model::SecondOrder frame = test::frame_8dof();
  const OneStepMap map = midpoint_map(frame, step);
  for (const model::DampedMode& mode : model::damped_modes(frame)) {
    const Complex pole = (2.0 + step * mode.pole) / (2.0 - step * mode.pole);
    Eigen::VectorXcd z(16);
    z << mode.shape, step * mode.pole * mode.shape;
    EXPECT_LT((map.F * z - pole * z).norm(), 100 * kEps * z.norm());
  }
}

TEST(MidpointMap, RejectsBadArguments) {
  EXPECT_THAT([] { (void)midpoint_map(test::frame_8dof(), -1.0); },
              ThrowsMessage<InvalidInput>(HasSubstr("midpoint_map: step must be positive")));
  // 2 m + h² k/2 = 0 for k = -4 m/h².
  EXPECT_THAT([] { (void)midpoint_map(test::oscillator(1.0, 0.0, -4.0), 1.0); },
              ThrowsMessage<InvalidInput>(HasSubstr("M + step D/2 + step² K/4")));
}

}  // namespace variational_test
}  // namespace alembert::integrate
