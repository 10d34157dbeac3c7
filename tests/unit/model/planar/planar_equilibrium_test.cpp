#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "alembert/model/modes.hpp"
#include "alembert/model/planar/equilibrium.hpp"
#include "support/matrices_near.hpp"
#include "unit/model/planar/planar_examples.hpp"

namespace alembert::test::planar_equilibrium_test {

using model::planar::Equilibrium;
using model::planar::find_equilibrium;

constexpr double kPi = std::numbers::pi;

// Two uniform bars hang straight down; standing upright they rest too, but do not return.
TEST(PlanarEquilibrium, BarsHangAndStand) {
  const Mechanism mechanism(two_link(0.5, 0.4, 0.1, 0.1));
  const Equilibrium hanging = find_equilibrium(mechanism, numbers({-1.2, 0.3}));
  ASSERT_TRUE(hanging.ok()) << hanging.message;
  EXPECT_TRUE(matrices_near(hanging.z, numbers({-kPi / 2.0, 0.0}), {.abs = 1e-12}));
  EXPECT_TRUE(hanging.stable);
  const Equilibrium standing = find_equilibrium(mechanism, numbers({1.4, 0.1}));
  ASSERT_TRUE(standing.ok()) << standing.message;
  EXPECT_TRUE(matrices_near(standing.z, numbers({kPi / 2.0, 0.0}), {.abs = 1e-12}));
  EXPECT_FALSE(standing.stable);
}

// Small swings of the double pendulum of uniform bars, θ2 relative, from the textbook matrices.
TEST(PlanarEquilibrium, SmallSwingsMatchTheTextbook) {
  const double L1 = 0.5, L2 = 0.4, m1 = 2.0, m2 = 1.5, g = 9.81;
  MechanismDescription d = two_link(L1, L2, 0.1, 0.1);
  d.passive = {{.name = "pin",
                .kind = model::planar::PassiveKind::Angle,
                .a = "ground",
                .b = "upper",
                .damping = 0.7,
                .coulomb = 0.02,
                .smooth_rate = 0.1}};
  d.forces = {{.name = "T", .of = "lower", .relative_to = "upper"}};
  const Mechanism mechanism(d);
  const model::SecondOrder small = model::planar::linearise(mechanism, numbers({-kPi / 2.0, 0.0}));
  const double c1 = L1 / 2, c2 = L2 / 2, I1 = m1 * L1 * L1 / 12, I2 = m2 * L2 * L2 / 12;
  Eigen::MatrixXd M(2, 2), K(2, 2), D = Eigen::MatrixXd::Zero(2, 2);
  M << I1 + I2 + m1 * c1 * c1 + m2 * (L1 + c2) * (L1 + c2), I2 + m2 * c2 * (L1 + c2),
      I2 + m2 * c2 * (L1 + c2), I2 + m2 * c2 * c2;
  K << g * (m1 * c1 + m2 * (L1 + c2)), g * m2 * c2, g * m2 * c2, g * m2 * c2;
  D(0, 0) = 0.7 + 0.02 / 0.1;  // smooth friction has the slope c/v₀ at rest
  EXPECT_TRUE(matrices_near(small.M, M, {.rel = 1e-12}));
  EXPECT_TRUE(matrices_near(small.K, K, {.abs = 1e-11}));
  EXPECT_TRUE(matrices_near(small.D, D, {.abs = 1e-12}));
  EXPECT_TRUE(matrices_near(small.L, numbers({0.0, 1.0}), {.abs = 1e-12}));
  EXPECT_EQ(model::damped_modes(small).size(), 2U);
}

// A crank that a spring and a torque hold: k (θ − free) = T.
TEST(PlanarEquilibrium, ForcesShiftTheRestPosition) {
  MechanismDescription d = slider_crank(0.14, 0.45, 0.05);
  d.gravity.setZero();
  d.forces = {{.name = "T", .of = "crank"}};
  d.passive = {{.name = "spring",
                .kind = model::planar::PassiveKind::Angle,
                .a = "ground",
                .b = "crank",
                .stiffness = 20.0,
                .free = 0.8}};
  const double torque = 5.0;
  const Equilibrium held = find_equilibrium(Mechanism(d), numbers({0.3}), {&torque, 1});
  ASSERT_TRUE(held.ok()) << held.message;
  EXPECT_NEAR(held.z(0), 0.8 + 5.0 / 20.0, 1e-12);
  EXPECT_TRUE(held.stable);
}

// Nothing holds a level crank against a torque.
TEST(PlanarEquilibrium, SaysThatThereIsNone) {
  MechanismDescription d = slider_crank(0.14, 0.45, 0.05);
  d.gravity.setZero();
  d.forces = {{.name = "T", .of = "crank"}};
  const double torque = 5.0;
  const Equilibrium none = find_equilibrium(Mechanism(d), numbers({0.3}), {&torque, 1});
  EXPECT_EQ(none.status, Status::NotConverged);
  EXPECT_NE(none.message.find("no rest position"), std::string::npos);
}

}  // namespace alembert::test::planar_equilibrium_test
