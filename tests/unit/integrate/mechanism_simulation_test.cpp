#include "alembert/integrate/mechanism_simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/integrate/ode/solve.hpp"
#include "support/matrices_near.hpp"
#include "unit/model/planar/planar_examples.hpp"

namespace alembert::test::mechanism_simulation_test {

using integrate::MechanismSimulation;
using integrate::simulate_mechanism;
using model::TimeFormula;
using model::planar::PassiveKind;

// Kinetic + potential − work + loss, which nothing changes.
Eigen::VectorXd balance(const MechanismSimulation& motion) {
  return motion.kinetic + motion.potential - motion.work + motion.loss;
}

// The textbook equations of two uniform links, θ2 relative, solved on their own.
TEST(MechanismSimulation, DoublePendulumFollowsTheTextbook) {
  const double L1 = 0.5, L2 = 0.4, m1 = 2.0, m2 = 1.5, g = 9.81;
  const double c1 = L1 / 2, c2 = L2 / 2, I1 = m1 * L1 * L1 / 12, I2 = m2 * L2 * L2 / 12;
  const double h = m2 * L1 * c2;
  auto by_hand = integrate::ode::function_system(4, [&](double t, const double* x, double* dx) {
    const double c = std::cos(x[1]), s = std::sin(x[1]);
    const double a = I1 + I2 + m1 * c1 * c1 + m2 * (L1 * L1 + c2 * c2) + 2 * h * c;
    const double b = I2 + m2 * c2 * c2 + h * c, d = I2 + m2 * c2 * c2;
    const double r1 = h * s * (2 * x[2] * x[3] + x[3] * x[3]) -
                      (m1 * c1 + m2 * L1) * g * std::cos(x[0]) -
                      m2 * c2 * g * std::cos(x[0] + x[1]);
    const double r2 =
        -h * s * x[2] * x[2] - m2 * c2 * g * std::cos(x[0] + x[1]) + std::sin(4.0 * t);
    dx[0] = x[2];
    dx[1] = x[3];
    dx[2] = (d * r1 - b * r2) / (a * d - b * b);
    dx[3] = (a * r2 - b * r1) / (a * d - b * b);
  });
  MechanismDescription description = two_link(L1, L2, 0.1, 0.1);
  description.forces = {{.name = "elbow", .of = "lower", .relative_to = "upper"}};
  const Mechanism mechanism(description);
  const integrate::ode::SampleTimes times{.start = 0.0, .step = 0.01, .count = 101};
  const MechanismSimulation motion =
      simulate_mechanism(mechanism, {.z = numbers({0.4, 0.9}), .zd = numbers({1.0, -2.0})},
                         {TimeFormula("sin(4*t)")}, times, {.relative_tolerance = 1e-10});
  ASSERT_TRUE(motion.ok()) << motion.message;
  const auto expected = solve_runge_kutta4(by_hand, numbers({0.4, 0.9, 1.0, -2.0}), times, 100);
  // 1 s of a pendulum that is not yet chaotic: tolerances of 1e-10 grow some hundred times
  EXPECT_TRUE(matrices_near(motion.path.z, expected.states.leftCols(2), {.abs = 1e-7}));
  EXPECT_TRUE(matrices_near(motion.path.zd, expected.states.rightCols(2), {.abs = 1e-6}));
  EXPECT_TRUE(matrices_near(balance(motion), Eigen::VectorXd::Constant(101, balance(motion)(0)),
                            {.abs = 1e-7}));
}

// Energy goes where it is said to go: into friction, dampers and springs.
TEST(MechanismSimulation, EnergyIsAccountedFor) {
  MechanismDescription d = slider_crank(0.14, 0.45, 0.05);
  d.forces = {{.name = "drive", .of = "crank"},
              {.name = "load", .kind = model::planar::ForceKind::Point, .of = "slider"}};
  d.passive = {{.name = "spring", .a = "ground", .b = "slider", .stiffness = 200.0, .free = 0.5},
               {.name = "guide",
                .kind = PassiveKind::Slide,
                .a = "ground",
                .b = "slider",
                .damping = 5.0,
                .coulomb = 3.0,
                .breakaway = 4.0,
                .smooth_rate = 0.05}};
  const MechanismSimulation motion = simulate_mechanism(
      Mechanism(d), {.z = numbers({0.6}), .zd = numbers({8.0})},
      {TimeFormula("4 + 2*sin(3*t)"), TimeFormula("-10")}, {.step = 0.01, .count = 201});
  ASSERT_TRUE(motion.ok()) << motion.message;
  const double scale = motion.kinetic.maxCoeff() + motion.loss.maxCoeff();
  EXPECT_TRUE(matrices_near(balance(motion), Eigen::VectorXd::Constant(201, balance(motion)(0)),
                            {.abs = 1e-6 * scale}));  // tolerance 1e-8 over some hundred steps
  EXPECT_GT(motion.loss(200), 1.0);
  for (Eigen::Index k = 1; k < 201; ++k) EXPECT_GE(motion.loss(k), motion.loss(k - 1));
}

// Two bars on a pin, free in the plane: linear and angular momentum stay.
TEST(MechanismSimulation, MomentumStaysWithoutGround) {
  MechanismDescription d;
  d.gravity.setZero();
  d.bodies = {bar("one", 0.6, 2.0), bar("two", 0.4, 1.0)};
  d.joints = {{.name = "pin", .a = "one.B", .b = "two.A"}};
  d.coordinates = {
      model::planar::parse_coordinate("x(one)"), model::planar::parse_coordinate("y(one)"),
      model::planar::parse_coordinate("angle(one)"), model::planar::parse_coordinate("angle(two)")};
  d.passive = {{.name = "pin",
                .kind = PassiveKind::Angle,
                .a = "one",
                .b = "two",
                .stiffness = 3.0,
                .damping = 0.1}};
  const Mechanism mechanism(d);
  const MechanismSimulation motion = simulate_mechanism(
      mechanism, {.z = numbers({0.0, 0.0, 0.2, 1.4}), .zd = numbers({0.3, -0.2, 2.0, -5.0})}, {},
      {.step = 0.05, .count = 41});
  ASSERT_TRUE(motion.ok()) << motion.message;
  const auto moved = move_mechanism(mechanism, motion.time, motion.path);
  ASSERT_TRUE(moved.ok()) << moved.message;
  const auto momentum = [&](Eigen::Index k) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (Eigen::Index b = 0; b < 2; ++b) {
      const double mass = b == 0 ? 2.0 : 1.0, length = b == 0 ? 0.6 : 0.4;
      const double px = mass * moved.qd(k, 3 * b), py = mass * moved.qd(k, 3 * b + 1);
      sum += Eigen::Vector3d(px, py,
                             moved.q(k, 3 * b) * py - moved.q(k, 3 * b + 1) * px +
                                 mass * length * length / 12.0 * moved.qd(k, 3 * b + 2));
    }
    return sum;
  };
  for (Eigen::Index k = 1; k < 41; ++k) {
    EXPECT_TRUE(matrices_near(momentum(k), momentum(0), {.abs = 1e-6})) << k;  // tolerance 1e-8
  }
  EXPECT_GT(motion.loss(40), 0.1);
}

TEST(MechanismSimulation, NamesBodiesWithoutMass) {
  MechanismDescription d = two_link(0.5, 0.4, 0.1, 0.1);
  d.bodies[1].mass = d.bodies[1].inertia = 0.0;
  const MechanismSimulation none =
      simulate_mechanism(Mechanism(d), {.z = numbers({0.4, 0.9})}, {}, {.step = 0.01, .count = 10});
  EXPECT_EQ(none.status, Status::NotIdentifiable);
  EXPECT_NE(none.message.find("lower can move without moving any mass"), std::string::npos);
}

}  // namespace alembert::test::mechanism_simulation_test
