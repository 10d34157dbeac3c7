#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/model/flexible/mechanism.hpp"

/// What sensors on a mechanism with flexible links read.
namespace alembert::model::flexible {

struct FlexibleReader;

/// What a sensor reads. P and θ are place and angle of a node, with its displacement.
enum class FlexibleSensorKind {
  Angle,         ///< encoder: θ_of − θ_relative_to
  AngularRate,   ///< gyroscope: the rate of that
  Displacement,  ///< e·P of a point, or of it against another point
  Velocity,      ///< the rate of that
  Acceleration,  ///< e·(P'' − g) of a point: what an accelerometer reads
  Curvature,     ///< w'' of a flexible body at a place along it, 1/m
  Strain,        ///< gauge: stretch of the axis − distance·w''
  Force,         ///< force cell: a force at a point
  Torque,        ///< torque cell
};
constexpr auto enum_names(FlexibleSensorKind) {
  return std::to_array<EnumName<FlexibleSensorKind>>(
      {{FlexibleSensorKind::Angle, "angle"},
       {FlexibleSensorKind::AngularRate, "angular-rate"},
       {FlexibleSensorKind::Displacement, "displacement"},
       {FlexibleSensorKind::Velocity, "velocity"},
       {FlexibleSensorKind::Acceleration, "acceleration"},
       {FlexibleSensorKind::Curvature, "curvature"},
       {FlexibleSensorKind::Strain, "strain"},
       {FlexibleSensorKind::Force, "force"},
       {FlexibleSensorKind::Torque, "torque"}});
}

/// A sensor. value = physical quantity + offset + noise.
struct FlexibleSensor {
  std::string name = {};
  FlexibleSensorKind kind = FlexibleSensorKind::Angle;
  /// "body.point", "body" (its first point; Curvature, Strain: the whole body), or the name of a
  /// force (Force, Torque).
  std::string of = {};
  /// Angle, AngularRate, Displacement, Velocity: the other body or point, which carries the axis.
  std::string relative_to = "ground";
  /// e, in the frame of the node `of` for Acceleration, of the node `relative_to` for Displacement
  /// and Velocity. Its length is no matter.
  Eigen::Vector2d axis = Eigen::Vector2d::UnitX();
  double along = 0.0;     ///< Curvature, Strain: place along the x axis of the body, m
  double distance = 0.0;  ///< Strain: from the middle of the section, towards +y of the body, m
  bool gravity = true;    ///< Acceleration: false takes g = 0
  double offset = 0.0;    ///< known, in the unit of the value
  double sigma = 0.0;     ///< standard deviation of the noise, >= 0
};

/// The unit of what a sensor reads, in SI: "rad", "1/m", ...
[[nodiscard]] std::string flexible_sensor_unit(FlexibleSensorKind kind);

/// Sensors of one mechanism. The object is constant.
class FlexibleSensors {
 public:
  /// @throws InvalidInput that names the sensor: an unknown body, point or force, a place beyond
  /// the
  ///   ends of the body, a body that is not flexible, a sigma below 0.
  FlexibleSensors(const FlexibleMechanism& mechanism, std::vector<FlexibleSensor> sensors);

  [[nodiscard]] int size() const noexcept { return static_cast<int>(sensors_.size()); }
  [[nodiscard]] const std::vector<FlexibleSensor>& sensors() const noexcept { return sensors_; }

  /// Readings without noise, offsets included, at a state that was accelerated; nothing is
  /// allocated.
  /// @param forces in the order of the mechanism; empty: zero.
  /// @return false for wrong sizes or the state of another mechanism.
  bool read(const FlexibleState& state, std::span<const double> forces,
            std::span<double> readings) const noexcept;

 private:
  FlexibleMechanism mechanism_;
  std::vector<FlexibleSensor> sensors_;
  std::shared_ptr<const std::vector<FlexibleReader>> readers_;  // constant, so copies may share it
};

/// Small changes of readings about a position at rest: y = C (u, q, u', q') + D F.
struct FlexibleReadings {
  Eigen::MatrixXd C;  ///< sensors x 2 n
  Eigen::MatrixXd D;  ///< sensors x forces: of accelerometers and force cells
};

/// Central differences of the readings. @param x (u, q, 0, 0) as find_equilibrium() gives it.
/// @throws InvalidInput for wrong sizes or a position that cannot be reached.
[[nodiscard]] FlexibleReadings linearise(const FlexibleSensors& sensors,
                                         const FlexibleMechanism& mechanism,
                                         const Eigen::Ref<const Eigen::VectorXd>& x,
                                         std::span<const double> forces = {});

}  // namespace alembert::model::flexible
