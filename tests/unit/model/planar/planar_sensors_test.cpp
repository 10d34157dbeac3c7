#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "alembert/model/planar/mechanism.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"
#include "unit/model/planar/planar_examples.hpp"

namespace alembert::test::planar_sensors_test {

using std::numbers::pi;

// A pendulum: every sensor has a closed form.
MechanismDescription pendulum() {
  MechanismDescription d;
  d.bodies = {bar("rod", 0.8), {.name = "ground", .points = {{"F", {1.0, 0.0}}}}};
  d.joints = {{.name = "O", .a = "ground", .b = "rod.A"},
              {.name = "ram", .kind = JointKind::Cylinder, .a = "ground.F", .b = "rod.B"}};
  d.coordinates = {model::planar::parse_coordinate("angle(rod)")};
  d.sensors = {
      {.name = "gyro", .kind = SensorKind::AngularRate, .of = "rod"},
      {.name = "along", .kind = SensorKind::Acceleration, .of = "rod.B"},
      {.name = "across", .kind = SensorKind::Acceleration, .of = "rod.B", .axis = {0.0, 2.0}},
      {.name = "level",
       .kind = SensorKind::Acceleration,
       .of = "rod.B",
       .axis = {0.0, 2.0},
       .gravity = false},
      {.name = "tilt", .kind = SensorKind::Inclination, .of = "rod", .axis = {0.0, 1.0}},
      {.name = "x", .kind = SensorKind::Displacement, .of = "rod.B"},
      {.name = "y rate", .kind = SensorKind::Velocity, .of = "rod.B", .axis = {0.0, 1.0}},
      {.name = "ram", .kind = SensorKind::Length, .of = "ram"},
      {.name = "seen from the rod",
       .kind = SensorKind::Displacement,
       .of = "ground.F",
       .relative_to = "rod.A"}};
  return d;
}

TEST(PlanarSensors, ReadAPendulum) {
  const Mechanism mechanism(pendulum());
  MechanismState state = mechanism.make_state();
  ASSERT_TRUE(mechanism.assemble(numbers({0.3}), state).ok());
  const double t = -1.1, w = 2.0, al = -7.0, L = 0.8, g = 9.81;
  ASSERT_TRUE(move_to(mechanism, state, numbers({t}), numbers({w}), numbers({al})));
  const double length = std::sqrt(1.0 + L * L - 2.0 * L * std::cos(t));
  const double expected[] = {w,
                             -L * w * w + g * std::sin(t),
                             L * al + g * std::cos(t),
                             L * al,
                             t + 0.5 * pi,
                             L * std::cos(t),
                             L * w * std::cos(t),
                             length,
                             std::cos(t)};
  for (int i = 0; i < mechanism.sensors(); ++i) {
    EXPECT_NEAR(mechanism.sensor_value(i, state), expected[i], 100 * kEps * 100)
        << mechanism.description().sensors[static_cast<std::size_t>(i)].name;
  }
  EXPECT_EQ(mechanism.sensor_index("tilt"), 4);
  EXPECT_EQ(message_of([&] { (void)mechanism.sensor_index("tlit"); }).substr(0, 33),
            "sensor_index: name must be one of");
}

// With gravity along +x, up is −x: the horizontal is (0, 1)... an axis along it reads 0.
TEST(PlanarSensors, InclinationFollowsGravity) {
  MechanismDescription d = pendulum();
  d.gravity = {9.81, 0.0};
  const Mechanism mechanism(d);
  MechanismState state = mechanism.make_state();
  ASSERT_TRUE(mechanism.assemble(numbers({0.0}), state).ok());
  EXPECT_NEAR(mechanism.sensor_value(4, state), 0.0, 4 * kEps);
}

TEST(PlanarSensors, EncodersCountAndWrap) {
  const Sensor encoder{
      .name = "e", .of = "rod", .offset = 0.25, .wrap = true, .counts = 1000, .sigma = 1e-3};
  // The count 250 covers [π/2, π/2 + 2π/1000).
  EXPECT_NEAR(physical_value(encoder, 250), 0.5 * pi + pi / 1000 - 0.25, 4 * kEps);
  const double step = 2 * pi / 1000;
  EXPECT_NEAR(sensor_variance(encoder), 1e-6 + step * step / 12, 1e-20);
  EXPECT_NEAR(sensor_difference(encoder, 0.1, 2 * pi * 7 - 0.1), 0.2, 100 * kEps);
  EXPECT_NEAR(sensor_difference(Sensor{.name = "a", .of = "rod"}, 0.1, 7.0), -6.9, 8 * kEps);
}

}  // namespace alembert::test::planar_sensors_test
