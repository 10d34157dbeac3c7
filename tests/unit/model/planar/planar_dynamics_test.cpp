#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "alembert/model/planar/mechanism.hpp"
#include "core/algebra/dense.hpp"
#include "support/matrices_near.hpp"
#include "unit/model/planar/planar_examples.hpp"

namespace alembert::test::planar_dynamics_test {

using model::planar::Force;
using model::planar::ForceKind;
using model::planar::ReducedDynamics;

// Two-link arm, θ2 relative: the textbook matrices with I1, I2 about the centres.
TEST(PlanarDynamics, TwoLinkMatchesTheTextbook) {
  const double L1 = 0.5, L2 = 0.4, m1 = 2.0, m2 = 1.5, g = 9.81;
  MechanismDescription d = two_link(L1, L2, 0.3, 0.3);
  d.forces = {{.name = "T2", .of = "lower", .relative_to = "upper"},
              {.name = "tip",
               .kind = ForceKind::Point,
               .of = "lower.B",
               .axis = {0.0, 3.0},
               .known = false}};
  const Mechanism mechanism(d);
  MechanismState state = mechanism.make_state();
  ASSERT_TRUE(mechanism.assemble(numbers({0.4, 0.9}), state).ok());
  ReducedDynamics dynamics = mechanism.make_dynamics();
  const double t1 = -0.6, t2 = 1.3, w1 = 1.5, w2 = -2.0;
  ASSERT_TRUE(move_to(mechanism, state, numbers({t1, t2}), numbers({w1, w2}), numbers({0, 0})));
  mechanism.reduced_dynamics(state, dynamics);
  const double c1 = 0.5 * L1, c2 = 0.5 * L2, I1 = m1 * L1 * L1 / 12, I2 = m2 * L2 * L2 / 12;
  const double h = m2 * L1 * c2;
  Eigen::MatrixXd M(2, 2);
  M << I1 + I2 + m1 * c1 * c1 + m2 * (L1 * L1 + c2 * c2) + 2 * h * std::cos(t2),
      I2 + m2 * c2 * c2 + h * std::cos(t2), I2 + m2 * c2 * c2 + h * std::cos(t2), I2 + m2 * c2 * c2;
  const Eigen::VectorXd bias =
      numbers({-h * std::sin(t2) * (2 * w1 * w2 + w2 * w2) +
                   (m1 * c1 + m2 * L1) * g * std::cos(t1) + m2 * c2 * g * std::cos(t1 + t2),
               h * std::sin(t2) * w1 * w1 + m2 * c2 * g * std::cos(t1 + t2)});
  EXPECT_TRUE(matrices_near(dynamics.M, M, {.rel = 1e-12}));
  EXPECT_TRUE(matrices_near(dynamics.bias, bias, {.rel = 1e-12}));
  EXPECT_TRUE(matrices_near(dynamics.B1, numbers({0.0, 1.0}), {.abs = 1e-13}));
  const double reach = L2 * std::cos(t1 + t2);
  EXPECT_TRUE(
      matrices_near(dynamics.B2, numbers({L1 * std::cos(t1) + reach, reach}), {.abs = 1e-13}));
}

// z'' of the free motion.
Eigen::VectorXd free_acceleration(const Mechanism& mechanism, MechanismState& state,
                                  ReducedDynamics& dynamics, const Eigen::VectorXd& x) {
  const Eigen::Index n = mechanism.coordinates();
  EXPECT_TRUE(move_to(mechanism, state, x.head(n), x.tail(n), Eigen::VectorXd::Zero(n)));
  mechanism.reduced_dynamics(state, dynamics);
  Eigen::VectorXd rate(2 * n);
  rate << x.tail(n), dense::positive_solve(dynamics.M, -dynamics.bias);
  return rate;
}

// Largest relative change of the energy over 0.5 s with Runge-Kutta steps of this length.
double energy_drift(const Mechanism& mechanism, MechanismState state, Eigen::VectorXd x,
                    double step) {
  ReducedDynamics dynamics = mechanism.make_dynamics();
  const auto rate = [&](const Eigen::VectorXd& at) {
    return free_acceleration(mechanism, state, dynamics, at);
  };
  (void)rate(x);
  const double kinetic = mechanism.kinetic_energy(state);
  const double start = kinetic + mechanism.potential_energy(state);
  double drift = 0.0;
  for (int k = 0; k < static_cast<int>(0.5 / step + 0.5); ++k) {
    const Eigen::VectorXd k1 = rate(x);
    const double now = mechanism.kinetic_energy(state) + mechanism.potential_energy(state);
    drift = std::max(drift, std::abs(now - start) / kinetic);
    const Eigen::VectorXd k2 = rate(x + 0.5 * step * k1);
    const Eigen::VectorXd k3 = rate(x + 0.5 * step * k2);
    const Eigen::VectorXd k4 = rate(x + step * k3);
    x += step / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return drift;
}

// Energy of the free motion: the error of a method of order 4 falls at least 2⁴ times with half
// the step (2⁵ where the energy error is of higher order), down to rounding.
TEST(PlanarDynamics, FreeMotionKeepsItsEnergy) {
  std::mt19937_64 engine(8);
  std::uniform_real_distribution<double> entry(0.2, 0.5);
  const auto check = [](const MechanismDescription& d, const Eigen::VectorXd& z,
                        const Eigen::VectorXd& zd) {
    const Mechanism mechanism(d);
    MechanismState state = mechanism.make_state();
    const model::planar::Assembly assembly = mechanism.assemble(z, state);
    ASSERT_TRUE(assembly.ok()) << assembly.message;
    Eigen::VectorXd x(2 * z.size());
    x << z, zd;
    const double coarse = energy_drift(mechanism, state, x, 2e-3);
    const double fine = energy_drift(mechanism, state, x, 1e-3);
    EXPECT_LT(fine, 1e-6);
    EXPECT_LT(fine, coarse / 12.0 + 1e-11);
  };
  for (int trial = 0; trial < 3; ++trial) {
    check(slider_crank(0.14, 0.4 + entry(engine), 0.02), numbers({entry(engine)}), numbers({8.0}));
    check(four_bar(0.2, 0.6, 0.6, 0.7), numbers({entry(engine)}), numbers({6.0}));
    check(two_link(entry(engine), entry(engine), 0.1, 0.1), numbers({entry(engine), -0.4}),
          numbers({3.0, -2.0}));
  }
  MechanismDescription floating = three_arms();
  floating.gravity.setZero();
  check(floating, three_arms_start(), numbers({0.6, -0.5, 0.4}));
}

// Power of a cylinder force is force times the rate of its length.
TEST(PlanarDynamics, CylinderForceDoesItsWork) {
  MechanismDescription d = slider_crank(0.14, 0.56);
  d.joints.push_back({.name = "ram", .kind = JointKind::Cylinder, .a = "ground", .b = "rod"});
  d.sensors = {{.name = "rate", .kind = SensorKind::LengthRate, .of = "ram"}};
  d.forces = {{.name = "F", .kind = ForceKind::Cylinder, .of = "ram"},
              {.name = "N", .kind = ForceKind::Point, .of = "rod", .on_body = true}};
  const Mechanism mechanism(d);
  MechanismState state = mechanism.make_state();
  ASSERT_TRUE(mechanism.assemble(numbers({0.7}), state).ok());
  ASSERT_TRUE(move_to(mechanism, state, numbers({1.3}), numbers({2.0}), numbers({0.0})));
  ReducedDynamics dynamics = mechanism.make_dynamics();
  mechanism.reduced_dynamics(state, dynamics);
  EXPECT_NEAR(dynamics.B1(0, 0) * 2.0, mechanism.sensor_value(0, state), 1e-13);
  // Along the rod: its direction times the velocity of its centre.
  const double along = std::cos(state.q(5)) * state.qd(3) + std::sin(state.q(5)) * state.qd(4);
  EXPECT_NEAR(dynamics.B1(0, 1) * 2.0, along, 1e-13);
}

}  // namespace alembert::test::planar_dynamics_test
