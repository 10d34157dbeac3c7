#include "reproductions/two_link/rig.hpp"

#include <cmath>

namespace alembert::reproductions::two_link {
namespace {

using model::planar::SensorKind;

// A uniform bar with the joint at its beginning, its end and the accelerometer.
model::planar::Body rig_link(const std::string& name, double length, double sensor, double mass) {
  return {.name = name,
          .mass = mass,
          .inertia = mass * length * length / 12.0,
          .points = {{"joint", {-0.5 * length, 0.0}},
                     {"end", {0.5 * length, 0.0}},
                     {"sensor", {sensor - 0.5 * length, 0.0}}}};
}

// The variance of noise and converter step together.
model::planar::Sensor rig_accelerometer(const std::string& name, const std::string& link,
                                        double sensitivity) {
  const double step = converter_step(sensitivity);
  return {.name = name,
          .kind = SensorKind::Acceleration,
          .of = link + ".sensor",
          .axis = Eigen::Vector2d::UnitY(),
          .sigma = std::sqrt(kAccelerometerNoise * kAccelerometerNoise + step * step / 12.0)};
}

}  // namespace

double converter_step(double sensitivity) { return 20.0 / 65536.0 / sensitivity; }

std::shared_ptr<const model::planar::Mechanism> make_rig(const Sizes& sizes, double gravity) {
  model::planar::MechanismDescription d;
  d.gravity = {0.0, -gravity};
  d.bodies = {rig_link("upper", sizes.upper, sizes.upper_sensor, sizes.upper_mass),
              rig_link("lower", sizes.lower, sizes.lower_sensor, sizes.lower_mass)};
  d.bodies[0].inertia += sizes.motor_inertia;
  d.joints = {{.name = "shoulder", .b = "upper.joint"},
              {.name = "elbow", .a = "upper.end", .b = "lower.joint"}};
  d.coordinates = {model::planar::parse_coordinate("angle(upper)"),
                   model::planar::parse_coordinate("angle(lower, upper)")};
  d.sensors = {
      {.name = "shoulder", .of = "upper", .counts = kEncoderCounts, .sigma = sizes.encoder_sigma},
      {.name = "elbow",
       .of = "lower",
       .relative_to = "upper",
       .counts = kEncoderCounts,
       .sigma = sizes.encoder_sigma},
      rig_accelerometer("upper accelerometer", "upper", kUpperSensitivity),
      rig_accelerometer("lower accelerometer", "lower", kLowerSensitivity)};
  d.parameters = {model::planar::length_parameter(d, "upper", "joint", "sensor"),
                  model::planar::length_parameter(d, "lower", "joint", "sensor")};
  d.parameters[0].name = "d1";
  d.parameters[1].name = "d2";
  return std::make_shared<const model::planar::Mechanism>(d);
}

}  // namespace alembert::reproductions::two_link
