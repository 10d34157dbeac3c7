#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "alembert/core/error.hpp"
#include "alembert/model/planar/mechanism.hpp"
#include "support/allocations.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"
#include "unit/model/planar/planar_examples.hpp"

namespace alembert::test::planar_mechanism_test {

using model::planar::StepStatus;

// Position 1e-14, divided by the sine of the least transmission angle in these cases (above 0.05),
// twice for accelerations: far below 1e-9.
constexpr double kClosedForm = 1e-9;

// s(θ) = L1 cos θ + √(L2² − (L1 sin θ − h)²) and its first two derivatives.
struct Slide {
  double s, s1, s2;
};

Slide slide(double L1, double L2, double h, double theta) {
  const double y = L1 * std::sin(theta) - h;
  const double y1 = L1 * std::cos(theta);
  const double y2 = -L1 * std::sin(theta);
  const double w = std::sqrt(L2 * L2 - y * y);
  const double w1 = -y * y1 / w;
  const double w2 = -(y1 * y1 + y * y2 + w1 * w1) / w;
  return {L1 * std::cos(theta) + w, -L1 * std::sin(theta) + w1, -L1 * std::cos(theta) + w2};
}

TEST(PlanarMechanism, SliderCrankFollowsItsClosedForm) {
  for (const double height : {0.0, 0.05, -0.08}) {
    const double L1 = 0.14;
    const double L2 = 0.56;
    const Mechanism mechanism(slider_crank(L1, L2, height));
    MechanismState state = mechanism.make_state();
    ASSERT_TRUE(mechanism.assemble(numbers({0.4}), state).ok());
    for (double theta = 0.4; theta < 14.0; theta += 0.11) {
      const double w = 11.0 + std::sin(theta);
      const double al = 40.0 * std::cos(3.0 * theta);
      ASSERT_TRUE(move_to(mechanism, state, numbers({theta}), numbers({w}), numbers({0.0})));
      const Slide exact = slide(L1, L2, height, theta);
      double S = 0.0;
      mechanism.sensor_sensitivity(1, state, {&S, 1});
      EXPECT_NEAR(mechanism.position_of("slider", state).x(), exact.s, kClosedForm);
      EXPECT_NEAR(S, exact.s1, kClosedForm);
      // S' z' of the thesis: what the accelerometer reads at z'' = 0.
      EXPECT_NEAR(mechanism.sensor_value(1, state), exact.s2 * w * w, kClosedForm * w * w);
      mechanism.solve_acceleration(as_span(numbers({al})), state);
      EXPECT_NEAR(mechanism.sensor_value(1, state), exact.s1 * al + exact.s2 * w * w,
                  kClosedForm * w * w);
    }
  }
}

// Accelerations across the links at d1, d2 of a chain with θ2 relative [thesis eq. (2.24), solved
// for a1 and a2], and gravity: e·(−g) of an axis at the angle θ + 90° is 9.81 cos θ.
TEST(PlanarMechanism, TwoLinkFollowsItsClosedForm) {
  const double L1 = 0.5, L2 = 0.4, d1 = 0.42, d2 = 0.33;
  for (const bool heavy : {false, true}) {
    MechanismDescription description = two_link(L1, L2, d1, d2);
    if (!heavy) description.gravity.setZero();
    const double g = heavy ? 9.81 : 0.0;
    const Mechanism mechanism(description);
    MechanismState state = mechanism.make_state();
    ASSERT_TRUE(mechanism.assemble(numbers({0.2, 0.5}), state).ok());
    std::mt19937_64 engine(11);
    std::uniform_real_distribution<double> entry(-2.0, 2.0);
    for (int trial = 0; trial < 50; ++trial) {
      const double t1 = entry(engine), t2 = entry(engine), w1 = entry(engine), w2 = entry(engine);
      const double al1 = entry(engine), al2 = entry(engine);
      ASSERT_TRUE(
          move_to(mechanism, state, numbers({t1, t2}), numbers({w1, w2}), numbers({al1, al2})));
      const double a1 = d1 * al1 + g * std::cos(t1);
      const double a2 = d2 * (al1 + al2) + L1 * std::cos(t2) * al1 + L1 * std::sin(t2) * w1 * w1 +
                        g * std::cos(t1 + t2);
      EXPECT_NEAR(mechanism.sensor_value(0, state), a1, kClosedForm);
      EXPECT_NEAR(mechanism.sensor_value(1, state), a2, kClosedForm);
      Eigen::VectorXd S(2);
      mechanism.sensor_sensitivity(1, state, {S.data(), 2});
      EXPECT_TRUE(matrices_near(S, numbers({d2 + L1 * std::cos(t2), d2}), {.abs = kClosedForm}));
    }
  }
}

// Rocker of a four-bar from the half-angle form of the loop equation (Freudenstein).
double rocker_angle(double a, double b, double c, double g, double theta) {
  const double k1 = g / a, k2 = g / c;
  const double k3 = (a * a - b * b + c * c + g * g) / (2.0 * a * c);
  // k1 cos ψ − k2 cos θ + k3 = cos(θ − ψ)
  const double A = std::cos(theta) - k1;
  const double B = std::sin(theta);
  const double C = k3 - k2 * std::cos(theta);
  // A cos ψ + B sin ψ = C; the open branch
  return std::atan2(B, A) - std::acos(C / std::hypot(A, B));
}

TEST(PlanarMechanism, FourBarFollowsItsClosedForm) {
  const double a = 0.3, b = 0.8, c = 0.7, g = 0.9;
  const Mechanism mechanism(four_bar(a, b, c, g));
  MechanismState state = mechanism.make_state();
  ASSERT_TRUE(mechanism.assemble(numbers({0.7}), state).ok());
  for (double theta = 0.7; theta < 7.2; theta += 0.05) {
    const double w = 3.0;
    ASSERT_TRUE(move_to(mechanism, state, numbers({theta}), numbers({w}), numbers({0.0})));
    const double psi = rocker_angle(a, b, c, g, theta);
    const double turns = std::round((state.q(8) - psi) / (2.0 * std::numbers::pi));
    EXPECT_NEAR(state.q(8) - 2.0 * std::numbers::pi * turns, psi, kClosedForm);
    // Loop closure a e^{iθ} + b e^{iβ} = g + c e^{iψ}, differentiated twice along and across the
    // coupler.
    const double beta = state.q(5);
    const double psi1 = a * std::sin(theta - beta) / (c * std::sin(psi - beta));
    const double beta1 = -a * std::sin(theta - psi) / (b * std::sin(beta - psi));
    const double psi2 =
        (a * std::cos(theta - beta) + b * beta1 * beta1 - c * std::cos(psi - beta) * psi1 * psi1) /
        (c * std::sin(psi - beta));
    double S = 0.0;
    mechanism.sensor_sensitivity(0, state, {&S, 1});
    EXPECT_NEAR(S, psi1, kClosedForm);
    EXPECT_NEAR(state.qdd(8), psi2 * w * w, kClosedForm * w * w);
    EXPECT_NEAR(mechanism.sensor_value(1, state), beta1 * w, kClosedForm * w);
  }
}

// Gears on a carrier, and a cylinder as coordinate: law of cosines.
TEST(PlanarMechanism, GearsAndCylindersFollowTheirClosedForms) {
  MechanismDescription d;
  d.bodies = {bar("arm", 0.4),
              {.name = "planet", .mass = 0.1},
              {.name = "ground", .points = {{"F", {0.0, -0.3}}}}};
  d.joints = {{.name = "hub", .a = "ground", .b = "arm.A"},
              {.name = "pin", .a = "arm.B", .b = "planet"},
              // sun fixed to the ground: planet turns (1 + r_s / r_p) times the carrier
              {.name = "mesh",
               .kind = JointKind::Gear,
               .a = "ground",
               .b = "planet",
               .ratio = -2.5,
               .carrier = "arm"},
              {.name = "ram", .kind = JointKind::Cylinder, .a = "ground.F", .b = "arm.B"}};
  d.coordinates = {model::planar::parse_coordinate("length(ram)")};
  d.sensors = {{.name = "planet", .of = "planet"},
               {.name = "arm rate", .kind = SensorKind::AngularRate, .of = "arm"},
               {.name = "ram rate", .kind = SensorKind::LengthRate, .of = "ram"}};
  const Mechanism mechanism(d);
  MechanismState state = mechanism.make_state();
  ASSERT_TRUE(mechanism.assemble(numbers({0.55}), state).ok());
  for (double length = 0.35; length < 0.65; length += 0.02) {
    ASSERT_TRUE(move_to(mechanism, state, numbers({length}), numbers({0.2}), numbers({0.0})));
    // length² = 0.4² + 0.3² + 2·0.4·0.3 sin θ
    const double sine = (length * length - 0.25) / 0.24;
    const double rate = length / (0.12 * std::sqrt(1.0 - sine * sine));
    EXPECT_NEAR(std::sin(state.q(2)), sine, kClosedForm);
    EXPECT_NEAR(std::abs(mechanism.sensor_value(1, state)), 0.2 * rate, kClosedForm);
    EXPECT_NEAR(mechanism.sensor_value(2, state), 0.2, kClosedForm);
    EXPECT_NEAR(mechanism.sensor_value(0, state), 3.5 * state.q(2), kClosedForm);
  }
}

// A wheel that rolls without slip travels −r φ; its rack under a fixed axle moves the other way.
TEST(PlanarMechanism, WheelsRoll) {
  MechanismDescription d;
  d.bodies = {{.name = "wheel", .mass = 1.0, .inertia = 0.1}};
  d.joints = {{.name = "road",
               .kind = JointKind::Rolling,
               .a = "ground",
               .b = "wheel",
               .axis = {3.0, 4.0},
               .radius = 0.25}};
  d.coordinates = {model::planar::parse_coordinate("angle(wheel)")};
  const Mechanism mechanism(d);
  MechanismState state = mechanism.make_state();
  ASSERT_TRUE(mechanism.assemble(numbers({-2.0}), state).ok());
  const Eigen::Vector2d place = 0.5 * Eigen::Vector2d(0.6, 0.8) + 0.25 * Eigen::Vector2d(-0.8, 0.6);
  EXPECT_TRUE(matrices_near(mechanism.position_of("wheel", state), place, {.abs = 1e-14}));
}

// The map of a 3-RRR against central differences of its positions; h⁴ of the five-point formula
// leaves 1e-10 relative, rounding 1e-15/h.
TEST(PlanarMechanism, ThreeArmsAgreeWithDifferencesOfPositions) {
  const Mechanism mechanism(three_arms());
  MechanismState state = mechanism.make_state();
  const Eigen::VectorXd z = three_arms_start();
  const model::planar::Assembly assembly = mechanism.assemble(z, state);
  ASSERT_TRUE(assembly.ok()) << assembly.message;
  const Eigen::VectorXd zd = numbers({0.7, -0.5, 0.9});
  const double h = 1e-3;
  const auto at = [&](double t) {
    MechanismState copy = state;
    EXPECT_TRUE(move_to(mechanism, copy, z + t * zd, zd, numbers({0, 0, 0})));
    return copy.q;
  };
  const Eigen::VectorXd q0 = at(0), q1 = at(h), q2 = at(2 * h), p1 = at(-h), p2 = at(-2 * h);
  ASSERT_TRUE(move_to(mechanism, state, z, zd, numbers({0, 0, 0})));
  EXPECT_TRUE(matrices_near(state.qd, (p2 - 8 * p1 + 8 * q1 - q2) / (12 * h), {.abs = 1e-9}));
  EXPECT_TRUE(matrices_near(state.qdd, (-p2 + 16 * p1 - 30 * q0 + 16 * q1 - q2) / (12 * h * h),
                            {.abs = 1e-7}));
}

TEST(PlanarMechanism, ConstraintsHoldAlongTheMotion) {
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> entry(0.2, 0.5);
  for (int trial = 0; trial < 20; ++trial) {
    const double a = 0.5 * entry(engine), g = 0.6 + entry(engine);
    const Mechanism mechanism(four_bar(a, g, g, g - 0.1 * entry(engine)));
    MechanismState state = mechanism.make_state();
    ASSERT_TRUE(mechanism.assemble(numbers({entry(engine)}), state).ok());
    for (double theta = 0.0; theta < 6.0; theta += 0.7) {
      ASSERT_TRUE(move_to(mechanism, state, numbers({theta}), numbers({2.0}), numbers({5.0})));
      const Eigen::MatrixXd A = mechanism.jacobian(state);
      EXPECT_LT(mechanism.residual(state).cwiseAbs().maxCoeff(), 1e-13);
      EXPECT_LT((A * state.qd).head(8).cwiseAbs().maxCoeff(), 1e-12);
      EXPECT_LT((A * state.qdd + mechanism.jacobian_rate(state)).head(8).cwiseAbs().maxCoeff(),
                1e-11);
    }
  }
}

// A jump of the coordinate by a radian still ends on the branch of the assembly.
TEST(PlanarMechanism, StaysOnItsBranch) {
  MechanismDescription elbow_down = four_bar(0.3, 0.8, 0.7, 0.9);
  elbow_down.bodies[1].start = Eigen::Vector3d(0.4, -0.3, -0.5);
  elbow_down.bodies[2].start = Eigen::Vector3d(0.9, -0.35, -1.5);
  const Mechanism up(four_bar(0.3, 0.8, 0.7, 0.9));
  const Mechanism down(elbow_down);
  for (const Mechanism* mechanism : {&up, &down}) {
    MechanismState state = mechanism->make_state();
    ASSERT_TRUE(mechanism->assemble(numbers({0.5}), state).ok());
    const double side = mechanism == &up ? 1.0 : -1.0;
    for (double theta : {1.9, 3.4, 5.0, 6.6, 0.3}) {
      ASSERT_TRUE(move_to(*mechanism, state, numbers({theta}), numbers({0.0}), numbers({0.0})));
      EXPECT_GT(side * mechanism->position_of("rocker.B", state).y(), 0.0) << theta;
    }
  }
}

TEST(PlanarMechanism, SaysWhereAPositionFails) {
  // A double rocker: the crank cannot turn fully.
  const Mechanism mechanism(four_bar(0.6, 0.5, 0.6, 0.9));
  MechanismState state = mechanism.make_state();
  ASSERT_TRUE(mechanism.assemble(numbers({1.2}), state).ok());
  const Eigen::VectorXd before = state.q;
  const Eigen::VectorXd far = numbers({2.9});
  const StepStatus status = mechanism.solve_position(as_span(far), state);
  EXPECT_NE(status, StepStatus::Success);
  EXPECT_EQ(state.q, before);
  EXPECT_EQ(state.z(0), 1.2);
  EXPECT_NE(mechanism.explain(StepStatus::NotReached, far, state).find("stays open by"),
            std::string::npos);
  // It still works from there.
  EXPECT_TRUE(move_to(mechanism, state, numbers({1.25}), numbers({1.0}), numbers({0.0})));
  EXPECT_EQ(mechanism.solve_position(as_span(numbers({std::nan("")})), state),
            StepStatus::NotFinite);
  MechanismState fresh = mechanism.make_state();
  EXPECT_EQ(mechanism.solve_position(as_span(numbers({1.0})), fresh), StepStatus::NotReached);
}

// A bar driven by the height of its end: without length the height says nothing of its angle.
TEST(PlanarMechanism, SaysThatAPositionIsSingular) {
  MechanismDescription d;
  d.bodies = {bar("bar", 0.4)};
  d.joints = {{.name = "O", .a = "ground", .b = "bar.A"}};
  d.coordinates = {model::planar::parse_coordinate("y(bar.B)")};
  d.parameters = {length_parameter(d, "bar", "A", "B")};
  const Mechanism mechanism(d);
  MechanismState state = mechanism.make_state();
  const Eigen::VectorXd level = numbers({0.0});
  ASSERT_TRUE(mechanism.assemble(level, state).ok());
  state.p(0) = -0.4;
  EXPECT_EQ(mechanism.solve_position(as_span(level), state), StepStatus::Singular);
  EXPECT_NE(mechanism.explain(StepStatus::Singular, level, state).find("'bar' can move"),
            std::string::npos);
}

TEST(PlanarMechanism, StepsAllocateNothing) {
  MechanismDescription description = slider_crank(0.14, 0.56);
  description.parameters = {length_parameter(description, "crank", "A", "B")};
  const Mechanism mechanism(description);
  MechanismState state = mechanism.make_state();
  ASSERT_TRUE(mechanism.assemble(numbers({0.4}), state).ok());
  model::planar::SensorReading reading = mechanism.make_reading();
  model::planar::ReducedDynamics dynamics = mechanism.make_dynamics();
  MechanismState copy = state;
  const std::size_t before = allocation_count();
  for (int k = 1; k < 1000; ++k) {
    const double z = 0.4 + 0.01 * k;
    const double zd = 10.0;
    ASSERT_EQ(mechanism.solve_position({&z, 1}, state), StepStatus::Success);
    mechanism.solve_velocity({&zd, 1}, state);
    mechanism.solve_acceleration({&zd, 1}, state);
    mechanism.differentiate(state);
    mechanism.read_sensor(1, state, reading);
    mechanism.reduced_dynamics(state, dynamics);
    copy = state;
  }
  // A long way in parts, with another length of the crank, and one that is given up.
  const double far = 300.0;
  const double farther = 1e9;
  state.p(0) = 0.01;
  EXPECT_EQ(mechanism.solve_position({&far, 1}, state), StepStatus::Success);
  EXPECT_EQ(mechanism.solve_position({&farther, 1}, state), StepStatus::NotReached);
  EXPECT_EQ(allocation_count(), before);
}

TEST(PlanarMechanism, NamesWhatIsWrongInADescription) {
  const auto message = [](const auto& change) {
    MechanismDescription d = slider_crank(0.14, 0.56);
    change(d);
    return message_of([&] { (void)Mechanism(d); });
  };
  EXPECT_EQ(message([](auto& d) { d.joints[1].a = "crnk.B"; }),
            "Mechanism: joint 'A': point must exist, got 'crnk.B' (did you mean 'crank.B'?)");
  EXPECT_EQ(message([](auto& d) { d.bodies[1].mass = -1; }),
            "Mechanism: body 'rod': mass must not be negative, got -1");
  EXPECT_EQ(message([](auto& d) { d.bodies[1].name = "crank"; }),
            "Mechanism: body 'crank' must be given once, got it twice");
  EXPECT_EQ(message([](auto& d) { d.coordinates.clear(); }),
            "Mechanism: coordinates must be at least 1, got 0");
  EXPECT_EQ(message([](auto& d) { d.joints[3].axis.setZero(); }),
            "Mechanism: joint 'guide': axis must have a length, got (0, 0)");
  EXPECT_EQ(message([](auto& d) { d.joints[1].b = "crank.A"; }),
            "Mechanism: joint 'A': a and b must be on two bodies, got 'crank.B' and 'crank.A'");
  EXPECT_EQ(message([](auto& d) { d.sensors[1].kind = SensorKind::Length; }),
            "Mechanism: sensor 'accelerometer': cylinder must be the name of a cylinder joint, got "
            "'slider'");
  EXPECT_EQ(message_of([] { (void)model::planar::parse_coordinate("angel(crank)"); }),
            "parse_coordinate: text must be angle(body), angle(body, body), x(body.point), "
            "y(body.point) or length(cylinder), got 'angel(crank)'");
  for (const char* text : {"angle(rod, crank)", "x(slider.B)", "length(boom)", "angle(crank)"}) {
    EXPECT_EQ(to_string(model::planar::parse_coordinate(text)), text);
  }
}

}  // namespace alembert::test::planar_mechanism_test
