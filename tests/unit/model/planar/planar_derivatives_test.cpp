#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "alembert/model/planar/mechanism.hpp"
#include "support/matrices_near.hpp"
#include "unit/model/planar/planar_examples.hpp"

namespace alembert::test::planar_derivatives_test {

using model::planar::SensorReading;

// Five-point differences with h = 1e-3: truncation h⁴ f⁽⁵⁾/30, f⁽⁵⁾ up to 1e4 here; rounding
// 1e-13/h of an acceleration near 100.
constexpr double kDifference = 3e-8;

struct Point {
  Eigen::VectorXd z, zd, zdd, p;
};

double central(const std::function<double(double)>& f) {
  const double h = 1e-3;
  return (f(-2 * h) - 8 * f(-h) + 8 * f(h) - f(2 * h)) / (12 * h);
}

// Compares all derivatives of all sensors at a point with differences of their values.
void compare(const Mechanism& mechanism, const MechanismState& start, const Point& at) {
  const auto value = [&](int sensor, const Point& point) {
    MechanismState state = start;
    state.p = point.p;
    EXPECT_TRUE(move_to(mechanism, state, point.z, point.zd, point.zdd));
    return mechanism.sensor_value(sensor, state);
  };
  MechanismState state = start;
  state.p = at.p;
  ASSERT_TRUE(move_to(mechanism, state, at.z, at.zd, at.zdd));
  mechanism.differentiate(state);
  SensorReading reading = mechanism.make_reading();
  for (int s = 0; s < mechanism.sensors(); ++s) {
    mechanism.read_sensor(s, state, reading);
    EXPECT_EQ(reading.value, mechanism.sensor_value(s, state));
    const auto check = [&](const Eigen::VectorXd& slopes, Eigen::VectorXd Point::*part) {
      for (Eigen::Index j = 0; j < slopes.size(); ++j) {
        const double difference = central([&](double t) {
          Point moved = at;
          (moved.*part)(j) += t;
          return value(s, moved);
        });
        const double scale = 1.0 + std::abs(difference);
        EXPECT_NEAR(slopes(j), difference, kDifference * scale) << "sensor " << s << ", " << j;
      }
    };
    check(reading.by_z, &Point::z);
    check(reading.by_zd, &Point::zd);
    check(reading.by_zdd, &Point::zdd);
    check(reading.by_p, &Point::p);
    Eigen::VectorXd S(mechanism.coordinates());
    mechanism.sensor_sensitivity(s, state, {S.data(), static_cast<std::size_t>(S.size())});
    const Eigen::VectorXd& same = mechanism.sensor_order(s) == 0   ? reading.by_z
                                  : mechanism.sensor_order(s) == 1 ? reading.by_zd
                                                                   : reading.by_zdd;
    EXPECT_TRUE(matrices_near(S, same, {.rel = 1e-13, .abs = 1e-13}));
  }
}

TEST(PlanarDerivatives, SliderCrank) {
  MechanismDescription d = slider_crank(0.14, 0.56, 0.03);
  d.parameters = {length_parameter(d, "crank", "A", "B"), length_parameter(d, "rod", "A", "B")};
  const Mechanism mechanism(d);
  MechanismState state = mechanism.make_state();
  ASSERT_TRUE(mechanism.assemble(numbers({0.4}), state).ok());
  for (const double theta : {0.4, 2.0, 3.1}) {
    compare(mechanism, state,
            {numbers({theta}), numbers({5.0}), numbers({9.0}), numbers({0.002, -0.01})});
  }
}

TEST(PlanarDerivatives, FourBarWithAMovingBase) {
  MechanismDescription d = four_bar(0.3, 0.8, 0.7, 0.9);
  d.parameters = {length_parameter(d, "coupler", "A", "B"),
                  {"base", {{"ground.D", {0.8, 0.6}}, {"rocker.B", {0.0, 1.0}}}}};
  const Mechanism mechanism(d);
  MechanismState state = mechanism.make_state();
  ASSERT_TRUE(mechanism.assemble(numbers({0.7}), state).ok());
  for (const double theta : {0.7, 2.5, 4.4}) {
    compare(mechanism, state,
            {numbers({theta}), numbers({-2.0}), numbers({3.0}), numbers({0.01, -0.02})});
  }
}

TEST(PlanarDerivatives, ThreeArms) {
  MechanismDescription d = three_arms();
  d.parameters = {length_parameter(d, "link2", "A", "B")};
  const Mechanism mechanism(d);
  MechanismState state = mechanism.make_state();
  ASSERT_TRUE(mechanism.assemble(three_arms_start(), state).ok());
  compare(mechanism, state,
          {numbers({1.5, 3.75, -0.4}), numbers({0.5, 0.4, -1.0}), numbers({2.0, -1.0, 0.3}),
           numbers({0.01})});
}

// A cylinder as coordinate and a slider in a turning guide: nonlinear rows of every shape.
TEST(PlanarDerivatives, TurningGuideAndCylinder) {
  MechanismDescription d;
  d.bodies = {bar("arm", 0.5),
              {.name = "block", .mass = 1.0, .inertia = 0.1, .points = {{"P", {0.1, 0.05}}}},
              {.name = "ground", .points = {{"F", {-0.2, 0.4}}}}};
  d.joints = {{.name = "O", .a = "ground", .b = "arm.A"},
              {.name = "guide",
               .kind = JointKind::Prismatic,
               .a = "arm",
               .b = "block",
               .axis = {1.0, 0.3},
               .through = Eigen::Vector2d(0.0, 0.1),
               .angle = 0.2},
              {.name = "ram", .kind = JointKind::Cylinder, .a = "ground.F", .b = "block.P"}};
  d.coordinates = {model::planar::parse_coordinate("angle(arm)"),
                   model::planar::parse_coordinate("length(ram)")};
  d.sensors = {
      {.name = "a", .kind = SensorKind::Acceleration, .of = "block.P", .axis = {1.0, 1.0}},
      {.name = "slide",
       .kind = SensorKind::Displacement,
       .of = "block.P",
       .relative_to = "arm.A",
       .axis = {1.0, 0.3}},
      {.name = "slide rate", .kind = SensorKind::Velocity, .of = "block", .relative_to = "arm.B"},
      {.name = "y", .kind = SensorKind::Velocity, .of = "block.P", .axis = {0.0, 1.0}}};
  d.parameters = {{"P", {{"block.P", {1.0, -0.5}}}}};
  const Mechanism mechanism(d);
  MechanismState state = mechanism.make_state();
  const model::planar::Assembly assembly = mechanism.assemble(numbers({0.3, 0.8}), state);
  ASSERT_TRUE(assembly.ok()) << assembly.message;
  compare(mechanism, state,
          {numbers({0.4, 0.85}), numbers({1.0, -0.3}), numbers({2.0, 0.7}), numbers({0.01})});
}

}  // namespace alembert::test::planar_derivatives_test
