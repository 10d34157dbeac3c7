#include "alembert/integrate/energy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "support/matrices_near.hpp"
#include "support/published_systems.hpp"
#include "support/random_systems.hpp"

namespace alembert::integrate {
namespace energy_test {

using test::kEps;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(MechanicalEnergy, OfAnOscillatorIsHalfStiffnessTimesAmplitudeSquared) {
  const Eigen::MatrixXd u = Eigen::MatrixXd::Zero(1000, 1);
  const Trajectory motion = simulate(test::oscillator(2.0, 0.0, 18.0), u, 0.1,
                                     Eigen::VectorXd::Constant(1, 0.4), Eigen::VectorXd::Zero(1));
  const Eigen::VectorXd energy = mechanical_energy(test::oscillator(2.0, 0.0, 18.0), motion);
  // Exact propagation: rounding of each of 1000 steps.
  EXPECT_TRUE(test::matrices_near(energy, Eigen::VectorXd::Constant(1000, 9.0 * 0.16),
                                  {.rel = 1000 * 4 * kEps}));
}

// E(k+1) - E(k) = h v_mᵀ L u_m - h v_mᵀ D v_m holds exactly for the midpoint rule, for every step
// and input; the residual is rounding of the energies that flow.
TEST(EnergyBalance, OfTheMidpointRuleIsExact) {
  std::mt19937_64 engine(91);
  for (const Eigen::Index n : {1, 3, 12}) {
    for (const double h : {1e-3, 0.1, 5.0}) {
      const model::SecondOrder system = test::random_system(n, 2, engine);
      const Eigen::MatrixXd u = test::random_matrix(500, 2, engine);
      const Eigen::VectorXd q0 = test::random_matrix(n, 1, engine);
      const Eigen::VectorXd v0 = test::random_matrix(n, 1, engine);
      for (const Method method : {Method::Variational, Method::Newmark}) {
        const Trajectory motion = simulate(system, u, h, q0, v0, {.method = method});
        const EnergyBalance balance = energy_balance(system, motion, u, h);
        const double flow = balance.energy.maxCoeff() + balance.dissipated.maxCoeff() +
                            balance.supplied.cwiseAbs().maxCoeff();
        // Each of 500 steps rounds n² products; K h² up to 2500 enlarges errors of q by h ω = 50.
        const double tolerance =
            500.0 * static_cast<double>(n) * 8.0 * kEps * std::max(1.0, 10 * h);
        EXPECT_LT(balance.residual.cwiseAbs().maxCoeff() / flow, tolerance) << n << ' ' << h;
      }
    }
  }
}

TEST(EnergyBalance, OfOtherMethodsClosesWithTheSecondOrder) {
  const model::SecondOrder frame = test::frame_8dof();
  const auto residual = [&](double h) {
    const Eigen::Index samples = static_cast<Eigen::Index>(std::round(2.0 / h)) + 1;
    const Eigen::MatrixXd u = Eigen::MatrixXd::NullaryExpr(samples, 8, [&](auto i, auto j) {
      return std::cos(9.0 * h * static_cast<double>(i) + static_cast<double>(j));
    });
    const Trajectory motion =
        simulate(frame, u, h, Eigen::VectorXd::Zero(8), Eigen::VectorXd::Zero(8));
    return energy_balance(frame, motion, u, h).residual.cwiseAbs().maxCoeff();
  };
  // Truncation: halving the step divides the residual by 4, within 10 %.
  EXPECT_NEAR(residual(0.01) / residual(0.005), 4.0, 0.4);
}

// Without damping nothing is left to a quadrature: the force is constant on a step, so that its
// work is force times path, and the exact motion keeps E(k+1) - E(k) = (q(k+1) - q(k))ᵀ L u(k).
TEST(EnergyBalance, OfAHeldInputIsExactWithoutDamping) {
  std::mt19937_64 engine(92);
  for (const Eigen::Index n : {1, 3, 8}) {
    for (const double h : {1e-2, 0.5}) {
      model::SecondOrder system = test::random_system(n, 2, engine);
      system.D.setZero();
      const Eigen::MatrixXd u = test::random_matrix(300, 2, engine);
      for (const Method method : {Method::Exact, Method::Gauss}) {
        const Trajectory motion =
            simulate(system, u, h, Eigen::VectorXd::Zero(n), Eigen::VectorXd::Zero(n),
                     {.method = method, .hold = signal::BetweenSamples::Held});
        const EnergyBalance balance =
            energy_balance(system, motion, u, h, signal::BetweenSamples::Held);
        const double flow = balance.energy.maxCoeff() + balance.supplied.cwiseAbs().maxCoeff();
        // Each of 300 steps rounds n² products of the size of the flow.
        EXPECT_LT(balance.residual.cwiseAbs().maxCoeff() / flow,
                  300.0 * static_cast<double>(n) * 16.0 * kEps)
            << n << ' ' << h;
      }
    }
  }
}

// With damping the quadrature of the dissipated power is left, O(h²). The mean of two samples,
// which is half a step ahead of a held force, errs by O(h).
TEST(EnergyBalance, OfAHeldInputClosesWithTheSecondOrder) {
  const model::SecondOrder frame = test::frame_8dof();
  const auto residual = [&](double h, signal::BetweenSamples hold) {
    const Eigen::Index samples = static_cast<Eigen::Index>(std::round(2.0 / h)) + 1;
    const Eigen::MatrixXd u = Eigen::MatrixXd::NullaryExpr(samples, 8, [&](auto i, auto j) {
      return std::cos(9.0 * h * static_cast<double>(i) + static_cast<double>(j));
    });
    const Trajectory motion =
        simulate(frame, u, h, Eigen::VectorXd::Zero(8), Eigen::VectorXd::Zero(8),
                 {.hold = signal::BetweenSamples::Held});
    return energy_balance(frame, motion, u, h, hold).residual.cwiseAbs().maxCoeff();
  };
  // Truncation: halving the step divides the residual by 4 and by 2, within 10 %.
  EXPECT_NEAR(residual(0.005, signal::BetweenSamples::Held) /
                  residual(0.0025, signal::BetweenSamples::Held),
              4.0, 0.4);
  EXPECT_NEAR(residual(0.005, signal::BetweenSamples::Linear) /
                  residual(0.0025, signal::BetweenSamples::Linear),
              2.0, 0.2);
}

TEST(EnergyBalance, CountsWorkOfAConstantForceOnAFreeMass) {
  // q = t²/2 for m = u = 1: the work up to t is q itself.
  const Eigen::MatrixXd u = Eigen::MatrixXd::Ones(11, 1);
  const Trajectory motion = simulate(test::oscillator(1.0, 0.0, 0.0), u, 0.5,
                                     Eigen::VectorXd::Zero(1), Eigen::VectorXd::Zero(1));
  const EnergyBalance balance = energy_balance(test::oscillator(1.0, 0.0, 0.0), motion, u, 0.5);
  EXPECT_NEAR(balance.supplied(10), 12.5, 12.5 * 20 * kEps);
  EXPECT_NEAR(balance.energy(10), 12.5, 12.5 * 20 * kEps);
  EXPECT_EQ(balance.dissipated(10), 0.0);
  EXPECT_EQ(balance.supplied(0), 0.0);
}

// Long undamped runs, 20000 steps with ω_max h = 0.2: energy of each integrator at the end.
TEST(Energy, IsKeptOrLostAsDocumented) {
  model::SecondOrder frame = test::frame_8dof();
  frame.D.setZero();
  const Eigen::MatrixXd u = Eigen::MatrixXd::Zero(20000, 8);
  const Eigen::VectorXd q0 = Eigen::VectorXd::LinSpaced(8, 0.01, 0.08);
  const auto ratio = [&](const LinearSimulationOptions& options) -> Eigen::VectorXd {
    const Eigen::VectorXd energy =
        mechanical_energy(frame, simulate(frame, u, 0.01, q0, Eigen::VectorXd::Zero(8), options));
    return energy / energy(0);
  };
  const auto swing = [](const Eigen::VectorXd& r) { return (r.array() - 1.0).abs().maxCoeff(); };
  // Rounding of each step, n = 16 products, may add up linearly at worst.
  const double rounding = 20000 * 16 * kEps;
  EXPECT_LT(swing(ratio({.method = Method::Variational})), rounding);
  EXPECT_LT(swing(ratio({.method = Method::Newmark})), rounding);
  EXPECT_LT(swing(ratio({.method = Method::Exact})), rounding);
  for (const int stages : {1, 2, 3}) {
    EXPECT_LT(swing(ratio({.method = Method::Gauss, .gauss_stages = stages})), rounding) << stages;
  }
  // Linear acceleration keeps (vᵀ M v + qᵀ (K - h²/12 ...) q)/2: E swings by (ω h)²/12 = 0.35 %,
  // and the second half of the run shows no more than the first.
  const Eigen::VectorXd linear = ratio({.method = Method::Newmark, .newmark_beta = 1.0 / 6.0});
  EXPECT_LT(swing(linear), 0.01);
  EXPECT_GT(swing(linear), 1e-4);
  EXPECT_NEAR(swing(linear.tail(10000)) / swing(linear.head(10000)), 1.0, 0.1);
  // γ = 0.6 takes (γ - 1/2)(ω h)² per step: the slowest mode, ω h = 0.056, loses exp(-6) of itself.
  const Eigen::VectorXd damped =
      ratio({.method = Method::Newmark, .newmark_beta = 0.3025, .newmark_gamma = 0.6});
  EXPECT_LT(damped(19999), 1e-2);
  // γ = 0.45 lets the motion grow.
  EXPECT_GT(ratio({.method = Method::Newmark, .newmark_beta = 0.25, .newmark_gamma = 0.45})(19999),
            10.0);
}

TEST(EnergyBalance, OfASystemWithoutInputsHasNoSupply) {
  model::SecondOrder system = test::oscillator(1.0, 0.5, 9.0);
  system.L.resize(1, 0);
  const Eigen::MatrixXd none(50, 0);
  const Trajectory motion = simulate(system, none, 0.1, Eigen::VectorXd::Ones(1),
                                     Eigen::VectorXd::Zero(1), {.method = Method::Variational});
  const EnergyBalance balance = energy_balance(system, motion, none, 0.1);
  EXPECT_EQ(balance.supplied, Eigen::VectorXd::Zero(50));
  // 49 steps, each rounding energies of at most 4.5 J.
  EXPECT_LT(balance.residual.cwiseAbs().maxCoeff(), 49 * 8 * kEps * 4.5);
}

TEST(EnergyBalance, RejectsTrajectoriesOfOtherSystems) {
  const model::SecondOrder small = test::coupled_3dof();
  const Eigen::MatrixXd u = Eigen::MatrixXd::Zero(5, 3);
  const Trajectory motion =
      simulate(small, u, 0.1, Eigen::VectorXd::Zero(3), Eigen::VectorXd::Zero(3));
  EXPECT_THAT([&] { (void)mechanical_energy(test::frame_8dof(), motion); },
              ThrowsMessage<InvalidInput>(HasSubstr("trajectory displacement must be 5 x 8")));
  EXPECT_THAT([&] { (void)energy_balance(small, motion, u.topRows(4), 0.1); },
              ThrowsMessage<InvalidInput>(HasSubstr("input must be 5 x 3, got 4 x 3")));
  EXPECT_THAT([&] { (void)energy_balance(small, motion, u, -0.1); },
              ThrowsMessage<InvalidInput>(HasSubstr("step must be positive")));
}

}  // namespace energy_test
}  // namespace alembert::integrate
