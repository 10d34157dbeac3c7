#include <gtest/gtest.h>

#include "alembert/model/flexible/equilibrium.hpp"
#include "alembert/model/flexible/sensors.hpp"
#include "support/message_of.hpp"
#include "unit/model/flexible/flexible_examples.hpp"

namespace alembert::test::flexible_sensors_test {

using namespace flexible_examples;
using Eigen::Index;
using Eigen::VectorXd;
using model::flexible::FlexibleSensor;
using model::flexible::FlexibleSensors;
using Kind = model::flexible::FlexibleSensorKind;

std::span<const double> spanned(const VectorXd& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}

VectorXd readings_at(const FlexibleMechanism& mechanism, const FlexibleSensors& sensors,
                     const VectorXd& x, const VectorXd& forces) {
  FlexibleState state = mechanism.start();
  VectorXd xdd(mechanism.unknowns());
  VectorXd y(sensors.size());
  EXPECT_TRUE(mechanism.move(spanned(x), state));
  EXPECT_TRUE(mechanism.accelerate(spanned(forces), state,
                                   {xdd.data(), static_cast<std::size_t>(xdd.size())}));
  EXPECT_TRUE(sensors.read(state, spanned(forces), {y.data(), static_cast<std::size_t>(y.size())}));
  return y;
}

// A clamped beam under a force P at its tip: w'' = P (L − x)/EI, w = P L³/3EI, and the slope
// P L²/2EI. Cubic elements are exact for it. Tolerance: rounding of a stiffness of condition 1e6.
TEST(FlexibleSensors, GaugesReadTheClosedFormOfABeam) {
  const BeamSection section = steel(0.02, 0.01);
  const double L = 0.8;
  FlexibleDescription description = arm(L, section, 3);
  description.mechanism.forces.push_back(
      {.name = "P", .kind = model::planar::ForceKind::Point, .of = "arm.B", .axis = {0.0, 1.0}});
  const VectorXd q = VectorXd::Zero(1);
  const FlexibleMechanism mechanism(description, q);
  const VectorXd forces = Eigen::Vector2d(0.0, 2.5);
  const auto rest = model::flexible::find_deflection(mechanism, q, spanned(forces));
  ASSERT_TRUE(rest.ok()) << rest.message;
  const double EI = section.modulus * section.second_moment;
  const std::vector<double> places = {0.0, 0.1, L / 3.0, 0.5, L};
  std::vector<FlexibleSensor> list;
  for (const double at : places) {
    list.push_back({.name = "k", .kind = Kind::Curvature, .of = "arm", .along = at});
  }
  list.push_back({.name = "s", .kind = Kind::Strain, .of = "arm", .along = 0.1, .distance = 0.005});
  list.push_back({.name = "y", .kind = Kind::Displacement, .of = "arm.B", .axis = {0.0, 1.0}});
  list.push_back({.name = "a", .kind = Kind::Angle, .of = "arm.B", .offset = 0.25});
  list.push_back({.name = "P", .kind = Kind::Force, .of = "P"});
  const FlexibleSensors sensors(mechanism, list);
  const VectorXd y = readings_at(mechanism, sensors, rest.x, forces);
  const double scale = 2.5 * L / EI;
  for (std::size_t i = 0; i < places.size(); ++i) {
    EXPECT_NEAR(y(static_cast<Index>(i)), 2.5 * (L - places[i]) / EI, 1e-9 * scale);
  }
  EXPECT_NEAR(y(5), -0.005 * 2.5 * (L - 0.1) / EI, 1e-9 * 0.005 * scale);
  EXPECT_NEAR(y(6), 2.5 * L * L * L / (3.0 * EI), 1e-9 * scale * L * L);
  EXPECT_NEAR(y(7), 0.25 + 2.5 * L * L / (2.0 * EI), 1e-9 * scale * L);
  EXPECT_EQ(y(8), 2.5);
}

// Rates against central differences of what they are rates of, along x + t x' + t²/2 x''.
// Tolerance: h² of the third derivative, which rates of 10 rad/s and stiff links make 1e7.
TEST(FlexibleSensors, RatesAreThoseOfPlaces) {
  const Eigen::Vector2d q(1.1, 0.9);
  const FlexibleMechanism mechanism(four_bar_with_arm(), q);
  const Index n = mechanism.unknowns();
  const Index ne = mechanism.elastic();
  VectorXd x = VectorXd::Zero(2 * n);
  for (Index i = 0; i < ne; ++i) {
    x(i) = 1e-5 * std::sin(1.0 + static_cast<double>(i));
    x(n + i) = 1e-2 * std::cos(2.0 + static_cast<double>(i));
  }
  x.segment(ne, 2) = q;
  x.tail(2) = Eigen::Vector2d(6.0, -9.0);
  const Eigen::Vector2d axis(0.6, 0.8);
  const FlexibleSensors sensors(
      mechanism,
      {{.name = "p",
        .kind = Kind::Displacement,
        .of = "arm.F",
        .relative_to = "crank.A",
        .axis = axis},
       {.name = "v", .kind = Kind::Velocity, .of = "arm.F", .relative_to = "crank.A", .axis = axis},
       {.name = "t", .kind = Kind::Angle, .of = "arm.F", .relative_to = "coupler.B"},
       {.name = "w", .kind = Kind::AngularRate, .of = "arm.F", .relative_to = "coupler.B"},
       {.name = "vx", .kind = Kind::Velocity, .of = "arm.F", .axis = {1.0, 0.0}},
       {.name = "vy", .kind = Kind::Velocity, .of = "arm.F", .axis = {0.0, 1.0}},
       {.name = "th", .kind = Kind::Angle, .of = "arm.F"},
       {.name = "ax",
        .kind = Kind::Acceleration,
        .of = "arm.F",
        .axis = {1.0, 0.0},
        .gravity = false},
       {.name = "ay",
        .kind = Kind::Acceleration,
        .of = "arm.F",
        .axis = {0.0, 1.0},
        .gravity = false},
       {.name = "gx", .kind = Kind::Acceleration, .of = "arm.F", .axis = {1.0, 0.0}}});
  const VectorXd forces = VectorXd::Zero(mechanism.forces());
  FlexibleState state = mechanism.start();
  VectorXd xdd(n);
  ASSERT_TRUE(mechanism.move(spanned(x), state));
  ASSERT_TRUE(
      mechanism.accelerate(spanned(forces), state, {xdd.data(), static_cast<std::size_t>(n)}));
  const auto at = [&](double t) {
    VectorXd moved = x;
    moved.head(n) += t * x.tail(n) + 0.5 * t * t * xdd;
    moved.tail(n) += t * xdd;
    return readings_at(mechanism, sensors, moved, forces);
  };
  const double h = 1e-6;
  const VectorXd y = at(0.0);
  const VectorXd rate = (at(h) - at(-h)) / (2.0 * h);
  EXPECT_NEAR(y(1), rate(0), 1e-5 * std::abs(y(1)));
  EXPECT_NEAR(y(3), rate(2), 1e-5 * std::abs(y(3)));
  // P'' in the frame of the point
  const double c = std::cos(y(6));
  const double s = std::sin(y(6));
  const double size = std::hypot(y(7), y(8));
  EXPECT_NEAR(y(7), c * rate(4) + s * rate(5), 1e-5 * size);
  EXPECT_NEAR(y(8), -s * rate(4) + c * rate(5), 1e-5 * size);
  const Eigen::Vector2d g = mechanism.description().mechanism.gravity;
  EXPECT_NEAR(y(9) - y(7), -(c * g.x() + s * g.y()), 1e-9);
}

// Small readings by their matrices: a small change of the state and of the force. Tolerance: the
// square of the change.
TEST(FlexibleSensors, MatricesGiveSmallReadings) {
  const VectorXd q = VectorXd::Constant(1, 0.4);
  const FlexibleMechanism mechanism(arm(0.8, steel(0.02, 0.01), 2), q);
  const FlexibleSensors sensors(
      mechanism, {{.name = "t", .kind = Kind::Angle, .of = "arm.B"},
                  {.name = "a", .kind = Kind::Acceleration, .of = "arm.B", .axis = {0.0, 1.0}},
                  {.name = "T", .kind = Kind::Torque, .of = "T"}});
  const auto rest = model::flexible::find_deflection(mechanism, q);
  const auto matrices = linearise(sensors, mechanism, rest.x);
  VectorXd change = VectorXd::Constant(2 * mechanism.unknowns(), 1e-7);
  const VectorXd force = VectorXd::Constant(1, 0.3);
  const VectorXd moved = readings_at(mechanism, sensors, rest.x + change, force) -
                         readings_at(mechanism, sensors, rest.x, VectorXd::Zero(1));
  const VectorXd expected = matrices.C * change + matrices.D * force;
  for (Index i = 0; i < 3; ++i) EXPECT_NEAR(moved(i), expected(i), 1e-5 * std::abs(expected(i)));
  EXPECT_EQ(matrices.D(2, 0), 1.0);
}

TEST(FlexibleSensors, RefusesByName) {
  const VectorXd q = VectorXd::Zero(1);
  const FlexibleMechanism mechanism(arm(0.8, steel(0.02, 0.01), 2), q);
  const auto message = [&](const FlexibleSensor& sensor) {
    return message_of([&] { (void)FlexibleSensors(mechanism, {sensor}); });
  };
  EXPECT_NE(message({.name = "g", .kind = Kind::Curvature, .of = "arm", .along = 0.9})
                .find("sensor 'g' its place must be from 0 to 0.8 m along the body"),
            std::string::npos);
  EXPECT_NE(message({.name = "g", .kind = Kind::Strain, .of = "leg"}).find("flexible body"),
            std::string::npos);
  EXPECT_NE(message({.name = "e", .of = "arm.C"}).find("sensor 'e' no body or point"),
            std::string::npos);
  EXPECT_NE(message({.name = "f", .kind = Kind::Force, .of = "T"}).find("no force has this name"),
            std::string::npos);
}

}  // namespace alembert::test::flexible_sensors_test
