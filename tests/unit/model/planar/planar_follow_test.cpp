#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "alembert/model/planar/mechanism.hpp"
#include "core/algebra/dense.hpp"
#include "model/planar/motion.hpp"
#include "support/matrices_near.hpp"
#include "unit/model/planar/planar_random.hpp"

namespace alembert::test::planar_follow_test {

using model::planar::Assembly;
using model::planar::StepStatus;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

constexpr double kPi = std::numbers::pi;
constexpr double kEps = 2.3e-16;

StepStatus go(const Mechanism& mechanism, double z, MechanismState& state) {
  return mechanism.solve_position({&z, 1}, state);
}

MechanismState assembled_at(const Mechanism& mechanism, const Eigen::VectorXd& z) {
  MechanismState state = mechanism.make_state();
  const Assembly assembly = mechanism.assemble(z, state);
  EXPECT_TRUE(assembly.ok()) << assembly.message;
  return state;
}

// A bar on a pin at its end, and a gear on it: B = L (cos z, sin z), whatever the distance.
TEST(PlanarFollow, TurnsAnyDistanceAtOnce) {
  MechanismDescription d;
  d.bodies = {bar("rotor", 0.4), {.name = "wheel"}};
  d.joints = {{.name = "O", .a = "ground", .b = "rotor.A"},
              {.name = "W", .a = "rotor.B", .b = "wheel"},
              {.name = "mesh", .kind = JointKind::Gear, .a = "rotor", .b = "wheel", .ratio = -2.5}};
  d.coordinates = {model::planar::parse_coordinate("angle(rotor)")};
  const Mechanism mechanism(d);
  MechanismState state = assembled_at(mechanism, numbers({0.1}));
  for (const double z : {161.0, 314.0, -2000.0, 1e7}) {
    ASSERT_EQ(go(mechanism, z, state), StepStatus::Success) << z;
    const Eigen::Vector2d end(0.4 * std::cos(z), 0.4 * std::sin(z));
    // Rounding of angles of the size of z, a few operations.
    EXPECT_TRUE(matrices_near(mechanism.position_of("rotor.B", state), end,
                              {.abs = 10 * kEps * (1.0 + std::abs(z))}));
    EXPECT_NEAR(state.q(5), -2.5 * z, 20 * kEps * (1.0 + std::abs(z)));
  }
  // Small steps at an angle whose rounding is 1e-9.
  for (int k = 1; k <= 100; ++k) {
    ASSERT_EQ(go(mechanism, 1e7 + 0.01 * k, state), StepStatus::Success) << k;
  }
}

// x = a cos z + √(b² − a² sin² z).
TEST(PlanarFollow, FollowsALoopOverManyTurns) {
  const Mechanism mechanism(slider_crank(0.14, 0.56));
  MechanismState state = assembled_at(mechanism, numbers({0.4}));
  for (const double z : {161.0, 700.0, -300.3}) {
    ASSERT_EQ(go(mechanism, z, state), StepStatus::Success) << z;
    const double s = 0.14 * std::sin(z);
    const double x = 0.14 * std::cos(z) + std::sqrt(0.56 * 0.56 - s * s);
    EXPECT_NEAR(mechanism.position_of("slider", state).x(), x, 10 * kEps * std::abs(z));
  }
  // So far that the way would take for ever.
  const Eigen::VectorXd before = state.q;
  EXPECT_EQ(go(mechanism, 1e9, state), StepStatus::NotReached);
  EXPECT_EQ(state.q, before);
  EXPECT_EQ(state.z(0), -300.3);
}

// At angles of 1e6 rad a residual of rounding is 1e-10, and counts as closed.
TEST(PlanarFollow, WorksAtLargeAngles) {
  const Mechanism mechanism(slider_crank(0.14, 0.56));
  const double far = 1e6;
  MechanismState state = assembled_at(mechanism, numbers({far}));
  for (int k = 1; k <= 700; ++k) {
    const double z = far + 0.01 * k;
    ASSERT_EQ(go(mechanism, z, state), StepStatus::Success) << k;
    const double s = 0.14 * std::sin(z);
    const double x = 0.14 * std::cos(z) + std::sqrt(0.56 * 0.56 - s * s);
    EXPECT_NEAR(mechanism.position_of("slider", state).x(), x, 10 * kEps * far);
  }
}

// The rocker of a four-bar linkage by the meeting of two circles; side = ±1 picks one of two.
double rocker_angle(double a, double b, double c, double g, double z, double side) {
  const double x = a * std::cos(z) - g, y = a * std::sin(z);
  const double square = x * x + y * y;
  const double along = (c * c - b * b + square) / (2.0 * c * std::sqrt(square));
  return std::atan2(y, x) + side * std::acos(std::clamp(along, -1.0, 1.0));
}

double wrapped(double angle) { return std::remainder(angle, 2.0 * kPi); }

MechanismDescription parallelogram() {
  MechanismDescription d = four_bar(0.3, 0.9, 0.3, 0.9);
  d.bodies[1].start = Eigen::Vector3d(0.7, 0.15, 0.0);
  d.bodies[2].start = Eigen::Vector3d(1.0, 0.07, 0.5);
  return d;
}

// The coupler stays level and the rocker turns with the crank, through both flat positions.
TEST(PlanarFollow, ParallelogramStaysOne) {
  const Mechanism mechanism(parallelogram());
  for (const double step : {0.0021, 0.0137, 0.11, 0.37, 1.3, -0.0137, -0.37}) {
    MechanismState state = assembled_at(mechanism, numbers({0.5}));
    const int steps = static_cast<int>(std::ceil(14.0 / std::abs(step)));
    for (int k = 1; k <= steps; ++k) {
      const double z = 0.5 + step * k;
      ASSERT_EQ(go(mechanism, z, state), StepStatus::Success) << step << " " << z;
      // Near a flat position rounding grows with the inverse of the distance from it.
      const double distance = std::abs(std::remainder(z, kPi));
      const double rounding = 1e-13 / distance;
      ASSERT_NEAR(state.q(5), 0.0, rounding) << step << " " << z;
      ASSERT_NEAR(state.q(8), z, rounding) << step << " " << z;
    }
  }
}

// tan(rocker/2) = −(b + a)/(b − a) tan(crank/2) of the crossed one with bars a and b, or its
// inverse ratio, through the flat positions.
TEST(PlanarFollow, CrossedParallelogramStaysCrossed) {
  MechanismDescription d = parallelogram();
  d.bodies[1].start = Eigen::Vector3d(0.7, 0.0, -0.6);
  d.bodies[2].start = Eigen::Vector3d(1.0, -0.1, -0.8);
  const Mechanism mechanism(d);
  for (const double step : {0.0137, 0.11, 0.37}) {
    MechanismState state = assembled_at(mechanism, numbers({0.5}));
    const double ratio = std::tan(0.5 * state.q(8)) / std::tan(0.25);
    const double expected = ratio < -1.0 ? -2.0 : -0.5;
    EXPECT_NEAR(ratio, expected, 1e-12);
    for (int k = 1; k * step < 14.0; ++k) {
      const double z = 0.5 + step * k;
      ASSERT_EQ(go(mechanism, z, state), StepStatus::Success) << step << " " << z;
      const double rocker = 2.0 * std::atan2(expected * std::sin(0.5 * z), std::cos(0.5 * z));
      const double rounding = 1e-12 / std::abs(std::remainder(z, kPi));
      ASSERT_NEAR(wrapped(state.q(8) - rocker), 0.0, rounding) << step << " " << z;
    }
  }
}

// Shortest and longest bar together as long as the others: flat at a crank angle of π. There the
// two ways to assemble it cross, and going on smoothly means to exchange them.
TEST(PlanarFollow, PassesAChangePointSmoothly) {
  const double a = 0.3, b = 0.5, c = 0.7, g = 0.9;
  const Mechanism mechanism(four_bar(a, b, c, g));
  for (const double step : {0.0137, 0.11, 0.37, 0.9}) {
    MechanismState state = assembled_at(mechanism, numbers({1.0}));
    const double start =
        std::abs(wrapped(state.q(8) - rocker_angle(a, b, c, g, 1.0, 1.0))) < 1e-9 ? 1.0 : -1.0;
    for (int k = 1; k * step < 14.0; ++k) {
      const double z = 1.0 + step * k;
      ASSERT_EQ(go(mechanism, z, state), StepStatus::Success) << step << " " << z;
      const int passed = static_cast<int>(std::floor((z + kPi) / (2.0 * kPi)));
      const double side = passed % 2 == 0 ? start : -start;
      const double distance = std::abs(std::remainder(z - kPi, 2.0 * kPi));
      ASSERT_NEAR(wrapped(state.q(8) - rocker_angle(a, b, c, g, z, side)), 0.0, 1e-12 / distance)
          << step << " " << z;
    }
  }
}

// Two equal loops on one crank fold at the same angle: det A keeps its sign if both change their
// branch at once. Ways of all lengths, close to the fold and back.
TEST(PlanarFollow, TwinLoopsKeepTheirBranch) {
  const double a = 0.16, b = 0.2, c = 0.2, g = 0.3;
  MechanismDescription d = four_bar(a, b, c, g);
  d.bodies[1].start = Eigen::Vector3d(0.13, 0.16, 0.3);
  d.bodies[2].start = Eigen::Vector3d(0.27, 0.09, 1.88);
  d.bodies.push_back(bar("coupler'", b));
  d.bodies.push_back(bar("rocker'", c));
  d.bodies[4].start = d.bodies[1].start;
  d.bodies[5].start = d.bodies[2].start;
  d.joints.push_back({.name = "B'", .a = "crank.B", .b = "coupler'.A"});
  d.joints.push_back({.name = "C'", .a = "coupler'.B", .b = "rocker'.B"});
  d.joints.push_back({.name = "D'", .a = "ground.D", .b = "rocker'.A"});
  const Mechanism mechanism(d);
  MechanismState state = assembled_at(mechanism, numbers({1.31}));
  const double side =
      std::abs(wrapped(state.q(8) - rocker_angle(a, b, c, g, 1.31, 1.0))) < 1e-9 ? 1.0 : -1.0;
  const double fold = std::acos((a * a + g * g - (b + c) * (b + c)) / (2.0 * a * g));
  std::mt19937_64 engine(5);
  std::uniform_real_distribution<double> number(0.0, 1.0);
  for (int k = 0; k < 2000; ++k) {
    const double z = fold - std::pow(10.0, -4.0 * number(engine));
    ASSERT_EQ(go(mechanism, z, state), StepStatus::Success) << k << " " << z;
    // Next to the fold rounding grows with the root of the distance, 1e-2 at least.
    ASSERT_NEAR(wrapped(state.q(8) - rocker_angle(a, b, c, g, z, side)), 0.0, 1e-10) << k;
    ASSERT_NEAR(wrapped(state.q(14) - rocker_angle(a, b, c, g, z, side)), 0.0, 1e-10) << k;
  }
}

TEST(PlanarFollow, NamesTheChangePointWhereItCannotBePassed) {
  const Mechanism mechanism(parallelogram());
  MechanismState state = assembled_at(mechanism, numbers({0.5}));
  const Eigen::VectorXd before = state.q;
  const StepStatus status = go(mechanism, 0.0, state);
  EXPECT_EQ(status, StepStatus::Singular);
  EXPECT_EQ(state.q, before);
  const std::string text = mechanism.explain(status, numbers({0.0}), state);
  EXPECT_THAT(text, HasSubstr("change point"));
  for (const char* joint : {"'A'", "'B'", "'C'", "'D'"}) EXPECT_THAT(text, HasSubstr(joint));
}

// dq/dz of A dq = (0, dz), by the classical Runge-Kutta formula: no Newton, no test of branches.
class IntegratedPath {
 public:
  explicit IntegratedPath(const Mechanism& mechanism)
      : mechanism_(mechanism),
        layout_(model::planar::make_layout(mechanism.description())),
        at_(mechanism.make_state()) {}

  [[nodiscard]] Eigen::VectorXd end(const MechanismState& start, const Eigen::VectorXd& goal,
                                    int steps) const {
    const Eigen::VectorXd move = goal - start.z;
    Eigen::VectorXd q = start.q;
    const double h = 1.0 / steps;
    for (int k = 0; k < steps; ++k) {
      const Eigen::VectorXd k1 = slope(q, move);
      const Eigen::VectorXd k2 = slope(q + 0.5 * h * k1, move);
      const Eigen::VectorXd k3 = slope(q + 0.5 * h * k2, move);
      const Eigen::VectorXd k4 = slope(q + h * k3, move);
      q += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    return q;
  }

 private:
  [[nodiscard]] Eigen::VectorXd slope(const Eigen::VectorXd& q, const Eigen::VectorXd& move) const {
    at_.q = q;
    model::planar::set_positions(layout_, at_);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(q.size());
    right.tail(move.size()) = move;
    return dense::solve(mechanism_.jacobian(at_), right);
  }

  const Mechanism& mechanism_;
  model::planar::Layout layout_;
  mutable MechanismState at_;
};

// Ways of random length in random directions, each from the end of the last, against integration;
// returns how many could be compared. Where 60 and 120 steps of it differ by more than 1e-5 it came
// too near a singular position.
int compare_random_ways(const Mechanism& mechanism, const Eigen::VectorXd& start, unsigned seed) {
  MechanismState state = assembled_at(mechanism, start);
  const IntegratedPath path(mechanism);
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  int compared = 0;
  for (int k = 0; k < 10; ++k) {
    Eigen::VectorXd goal = state.z;
    const double reach = std::pow(10.0, 0.8 * number(engine));
    for (Eigen::Index j = 0; j < goal.size(); ++j) {
      const bool length = mechanism.description().coordinates[static_cast<std::size_t>(j)].kind ==
                          model::planar::CoordinateKind::Length;
      goal(j) = length ? 0.65 + 0.25 * number(engine) : goal(j) + reach * number(engine);
    }
    const MechanismState before = state;
    if (mechanism.solve_position(as_span(goal), state) != StepStatus::Success) continue;
    const Eigen::VectorXd end = path.end(before, goal, 120);
    const double difference = (path.end(before, goal, 60) - end).cwiseAbs().maxCoeff();
    if (!(difference < 1e-5)) continue;
    ++compared;
    EXPECT_TRUE(matrices_near(state.q, end, {.abs = 1e-5})) << seed << " " << k;
  }
  return compared;
}

TEST(PlanarFollow, RandomMechanismsKeepTheirBranch) {
  int compared = 0;
  for (unsigned seed = 1; seed <= 15; ++seed) {
    RandomMechanism random(seed);
    const MechanismDescription d =
        random.made(1 + static_cast<int>(seed % 4), 1 + static_cast<int>(seed % 3));
    compared += compare_random_ways(Mechanism(d), random.start(), seed);
  }
  EXPECT_GT(compared, 40);
}

// Three driven arms with a plate: up to six positions belong to the same angles.
TEST(PlanarFollow, ParallelRobotKeepsItsBranch) {
  int compared = 0;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    compared += compare_random_ways(Mechanism(three_arms()), three_arms_start(), seed);
  }
  EXPECT_GT(compared, 10);
}

// A slider-crank that is moved by its slider, both lengths free: a = 0.14 + p₁, b = 0.56 + p₂.
Mechanism moved_by_slider() {
  MechanismDescription d = slider_crank(0.14, 0.56);
  d.coordinates = {model::planar::parse_coordinate("x(slider)")};
  d.parameters = {model::planar::length_parameter(d, "crank", "A", "B"),
                  model::planar::length_parameter(d, "rod", "A", "B")};
  return Mechanism(d);
}

// x = a cos θ + √(b² − a² sin² θ)
double slider_place(double a, double b, double theta) {
  const double s = a * std::sin(theta);
  return a * std::cos(theta) + std::sqrt(b * b - s * s);
}

// The crank stays above the guide. From the old slider place with the new lengths no way would
// lead to many of these goals: x ≤ a + b bounds it, which is linear in x, a and b, so that the
// straight way in all of them stays within.
TEST(PlanarFollow, LengthsChangeAlongTheWay) {
  const Mechanism mechanism = moved_by_slider();
  std::mt19937_64 engine(11);
  for (const double most : {0.003, 0.01, 0.02}) {
    std::uniform_real_distribution<double> change(-most, most), angle(0.3, 2.8);
    MechanismState state = assembled_at(mechanism, numbers({slider_place(0.14, 0.56, 1.0)}));
    const double side = std::sin(state.q(2));
    for (int k = 0; k < 2000; ++k) {
      state.p << change(engine), change(engine);
      const Eigen::VectorXd p = state.p;
      const double theta = angle(engine);
      const double x = slider_place(0.14 + p(0), 0.56 + p(1), theta);
      ASSERT_EQ(go(mechanism, x, state), StepStatus::Success) << most << " " << k;
      ASSERT_EQ(state.p, p);
      ASSERT_GT(side * std::sin(state.q(2)), 0.0);
      // x'(θ) >= 0.03: rounding of the residual, 4e-15 sizes, over it.
      ASSERT_NEAR(std::cos(state.q(2)), std::cos(theta), 1e-12) << most << " " << k;
    }
  }
}

TEST(PlanarFollow, FailureBringsBackTheParametersToo) {
  const Mechanism mechanism = moved_by_slider();
  MechanismState state = assembled_at(mechanism, numbers({slider_place(0.14, 0.56, 1.0)}));
  state.p << 0.01, -0.01;
  ASSERT_EQ(go(mechanism, slider_place(0.15, 0.55, 1.1), state), StepStatus::Success);
  const MechanismState before = state;
  // Longer than both bars together; and no number.
  for (const double x : {0.8, std::numeric_limits<double>::quiet_NaN()}) {
    state.p << 0.02, 0.02;
    EXPECT_NE(go(mechanism, x, state), StepStatus::Success);
    EXPECT_EQ(state.z, before.z);
    EXPECT_EQ(state.q, before.q);
    EXPECT_EQ(state.p, before.p);
    for (std::size_t i = 0; i < state.points.size(); ++i) {
      EXPECT_EQ(state.points[i], before.points[i]);
    }
    // Closed to rounding of a few operations on lengths below 1 m.
    EXPECT_LE(mechanism.residual(state).lpNorm<Eigen::Infinity>(), 20 * kEps);
  }
  // And on from there.
  ASSERT_EQ(go(mechanism, slider_place(0.15, 0.55, 1.2), state), StepStatus::Success);
  EXPECT_NEAR(std::cos(state.q(2)), std::cos(1.2), 1e-12);
}

}  // namespace alembert::test::planar_follow_test
