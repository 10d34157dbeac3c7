#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"

/// Rigid planar mechanisms: bodies, joints, sensors. See docs/theory/mechanisms.md.
namespace alembert::model::planar {

/// A point fixed in a body, in the frame of the body.
struct NamedPoint {
  std::string name = {};
  Eigen::Vector2d at = Eigen::Vector2d::Zero();  ///< m
};

/// A rigid body. The body named "ground" may be listed to give points to the ground; it does not
/// move, and its frame is the world's.
struct Body {
  std::string name = {};
  double mass = 0.0;                                 ///< kg, >= 0
  double inertia = 0.0;                              ///< kg m² about the centre of mass, >= 0
  Eigen::Vector2d centre = Eigen::Vector2d::Zero();  ///< centre of mass in the frame of the body, m
  std::vector<NamedPoint> points = {};
  /// Rough pose (x, y, angle) at the start; it decides between assemblies with the same
  /// coordinates (elbow up or down).
  std::optional<Eigen::Vector3d> start = {};
};

/// What a joint forbids. P_a and P_b are its points on the bodies a and b, n and t the axis turned
/// by 90 degrees and the axis itself, both fixed in a.
enum class JointKind {
  Revolute,   ///< P_a = P_b
  Prismatic,  ///< n·(P_b − P_a) = 0 and φ_b − φ_a = angle
  Fixed,      ///< P_a = P_b and φ_b − φ_a = angle
  Gear,       ///< (φ_b − φ_c) − ratio (φ_a − φ_c) = angle, c the carrier
  Rolling,    ///< a wheel b on a line of a: n·(P_b − P_a) = radius and the row of Rack
  Rack,       ///< t·(P_b − P_a) + radius (φ_b − φ_a) = offset
  Cylinder,   ///< nothing, or |P_b − P_a| = length where a length is given
};
constexpr auto enum_names(JointKind) {
  return std::to_array<EnumName<JointKind>>({{JointKind::Revolute, "revolute"},
                                             {JointKind::Prismatic, "prismatic"},
                                             {JointKind::Fixed, "fixed"},
                                             {JointKind::Gear, "gear"},
                                             {JointKind::Rolling, "rolling"},
                                             {JointKind::Rack, "rack"},
                                             {JointKind::Cylinder, "cylinder"}});
}

/// A joint between the bodies a and b, each written "body" (the origin of its frame) or
/// "body.point".
struct Joint {
  std::string name = {};  ///< for messages and for what refers to it; "" is replaced by kind a-b
  JointKind kind = JointKind::Revolute;
  std::string a = "ground";
  std::string b = {};
  /// Prismatic, Rolling, Rack: direction of the line in the frame of a; its length is no matter.
  Eigen::Vector2d axis = Eigen::Vector2d::UnitX();
  /// Prismatic, Rolling, Rack: a point of the line in the frame of a, in place of the point of a.
  std::optional<Eigen::Vector2d> through = {};
  double angle = 0.0;                 ///< rad
  double ratio = 1.0;                 ///< Gear: negative for outer teeth on both, −r_a / r_b
  std::string carrier = "ground";     ///< Gear: the body that holds both axes
  double radius = 0.0;                ///< m; negative for a wheel below the line
  double offset = 0.0;                ///< m
  std::optional<double> length = {};  ///< Cylinder: m, > 0: a locked cylinder or massless rod
};

/// Its name, or "revolute ground-crank.O" where it has none.
[[nodiscard]] std::string joint_name(const Joint& joint);

/// What an independent coordinate measures.
enum class CoordinateKind {
  Angle,   ///< φ of a body, or φ_of − φ_relative_to
  X,       ///< x of a point
  Y,       ///< y of a point
  Length,  ///< length of a cylinder
};
constexpr auto enum_names(CoordinateKind) {
  return std::to_array<EnumName<CoordinateKind>>({{CoordinateKind::Angle, "angle"},
                                                  {CoordinateKind::X, "x"},
                                                  {CoordinateKind::Y, "y"},
                                                  {CoordinateKind::Length, "length"}});
}

/// An independent coordinate z_i.
struct Coordinate {
  CoordinateKind kind = CoordinateKind::Angle;
  std::string of = {};                 ///< body, "body.point" or the name of a cylinder
  std::string relative_to = "ground";  ///< Angle: the other body
};

/// Reads "angle(crank)", "angle(rod, crank)", "x(slider.B)", "y(slider.B)" or "length(boom)".
/// @throws InvalidInput that quotes the text.
[[nodiscard]] Coordinate parse_coordinate(const std::string& text);

/// The text that parse_coordinate() reads.
[[nodiscard]] std::string to_string(const Coordinate& coordinate);

/// What a sensor reads.
enum class SensorKind {
  Angle,         ///< encoder: φ_of − φ_relative_to
  AngularRate,   ///< gyroscope: the rate of that
  Inclination,   ///< angle of the axis of a body against the horizontal, seen from gravity
  Displacement,  ///< e·P of a point, or of it against another point
  Velocity,      ///< the rate of that
  Acceleration,  ///< e·(P'' − g) of a point: what an accelerometer reads
  Length,        ///< length of a cylinder
  LengthRate,    ///< the rate of that
  Force,         ///< force cell: a known force at a point or of a cylinder
  Torque,        ///< torque cell: a known torque
};
constexpr auto enum_names(SensorKind) {
  return std::to_array<EnumName<SensorKind>>({{SensorKind::Angle, "angle"},
                                              {SensorKind::AngularRate, "angular-rate"},
                                              {SensorKind::Inclination, "inclination"},
                                              {SensorKind::Displacement, "displacement"},
                                              {SensorKind::Velocity, "velocity"},
                                              {SensorKind::Acceleration, "acceleration"},
                                              {SensorKind::Length, "length"},
                                              {SensorKind::LengthRate, "length-rate"},
                                              {SensorKind::Force, "force"},
                                              {SensorKind::Torque, "torque"}});
}

/// A sensor. value = physical quantity + offset + noise.
struct Sensor {
  std::string name = {};
  SensorKind kind = SensorKind::Angle;
  /// Body (Angle, AngularRate, Inclination), "body.point" (Displacement, Velocity, Acceleration)
  /// or the name of a cylinder (Length, LengthRate) or of a force (Force, Torque).
  std::string of = {};
  /// Angle, AngularRate: the other body. Displacement, Velocity: the other point; its body carries
  /// the axis e.
  std::string relative_to = "ground";
  /// e, in the frame of the body `of` for Acceleration and Inclination, of the body `relative_to`
  /// for Displacement and Velocity. Its length is no matter.
  Eigen::Vector2d axis = Eigen::Vector2d::UnitX();
  /// Acceleration: false takes g = 0, for a plane of motion that is level, or for a sensor that
  /// does not pass constant signals.
  bool gravity = true;
  double offset = 0.0;  ///< known, in the unit of the value
  bool wrap = false;    ///< Angle, Inclination: the reading starts again after one turn
  std::optional<double> counts = {};  ///< Angle: counts per turn of an encoder, > 0
  double sigma = 0.0;                 ///< standard deviation of the noise, >= 0
};

/// Where a force acts. The generalised force is its column times the value.
enum class ForceKind {
  Torque,    ///< on the body `of`, and against `relative_to`
  Point,     ///< at a point, along the axis
  Cylinder,  ///< pushes the ends of a cylinder apart
};
constexpr auto enum_names(ForceKind) {
  return std::to_array<EnumName<ForceKind>>({{ForceKind::Torque, "torque"},
                                             {ForceKind::Point, "point"},
                                             {ForceKind::Cylinder, "cylinder"}});
}

/// A force or torque. Known ones (measured, commanded) are F1, the others F2.
struct Force {
  std::string name = {};
  ForceKind kind = ForceKind::Torque;
  std::string of = {};
  std::string relative_to = "ground";
  Eigen::Vector2d axis = Eigen::Vector2d::UnitX();  ///< Point: its length is no matter
  bool on_body = false;  ///< Point: the axis turns with the body of the point
  bool known = true;
};

/// What a passive force resists: a change of s.
enum class PassiveKind {
  Length,  ///< s = |P_b − P_a|
  Angle,   ///< s = φ_b − φ_a
  Slide,   ///< s = t·(P_b − P_a), t the axis on the body of a
};
constexpr auto enum_names(PassiveKind) {
  return std::to_array<EnumName<PassiveKind>>({{PassiveKind::Length, "length"},
                                               {PassiveKind::Angle, "angle"},
                                               {PassiveKind::Slide, "slide"}});
}

/// A spring, damper or friction between two bodies. It pulls against s with
///
///   T(s, v) = preload + k (s − free) + d v + (c + (b − c) exp(−(v/v_s)²)) tanh(v/v₀),   v = s'
///
/// so that the generalised force is −T ∂s/∂q. The last term is smooth Coulomb friction c with the
/// larger breakaway value b at low rates v_s (Stribeck's curve); it has its full value from some v₀
/// on.
struct PassiveForce {
  std::string name = {};
  PassiveKind kind = PassiveKind::Length;
  std::string a = "ground";                         ///< body, or "body.point"
  std::string b = {};                               ///< likewise
  Eigen::Vector2d axis = Eigen::Vector2d::UnitX();  ///< Slide: its length is no matter
  double stiffness = 0.0;                           ///< k, N/m or N m/rad
  double free = 0.0;                                ///< s without tension but the preload, m or rad
  double preload = 0.0;                             ///< N or N m
  double damping = 0.0;                             ///< d, N s/m or N m s/rad, >= 0
  double coulomb = 0.0;                             ///< c, N or N m, >= 0
  std::optional<double> breakaway = {};             ///< b, >= c; none: c
  double stribeck_rate = 0.1;                       ///< v_s, > 0, m/s or rad/s
  double smooth_rate = 0.01;                        ///< v₀, > 0, m/s or rad/s
};

/// A point that moves in its body with a geometry parameter.
struct PointMove {
  std::string point = {};                                ///< "body.point", a named point
  Eigen::Vector2d direction = Eigen::Vector2d::UnitX();  ///< m per unit of the parameter
};

/// A number of the geometry, for example an error of a length: every listed point is at
/// (given position) + parameter × direction in its body.
struct GeometryParameter {
  std::string name = {};
  std::vector<PointMove> moves = {};
};

/// A mechanism as its user describes it.
struct MechanismDescription {
  Eigen::Vector2d gravity = Eigen::Vector2d(0.0, -9.81);  ///< m/s²
  std::vector<Body> bodies = {};
  std::vector<Joint> joints = {};
  std::vector<Coordinate> coordinates = {};
  std::vector<Sensor> sensors = {};
  std::vector<Force> forces = {};
  std::vector<PassiveForce> passive = {};
  std::vector<GeometryParameter> parameters = {};
};

/// The distance of two points of a body as a parameter: the second point moves away from the first.
/// @throws InvalidInput if the body or a point is missing, or if the points coincide.
[[nodiscard]] GeometryParameter length_parameter(const MechanismDescription& description,
                                                 const std::string& body, const std::string& from,
                                                 const std::string& to);

/// Physical value of a reading: counts become rad (middle of the count), and the known offset is
/// taken off.
[[nodiscard]] double physical_value(const Sensor& sensor, double reading) noexcept;

/// Variance of physical_value(): σ² and, for an encoder, (2π/counts)²/12.
[[nodiscard]] double sensor_variance(const Sensor& sensor) noexcept;

/// The unit of what a sensor reads, in SI: "rad", "m/s^2", ...
[[nodiscard]] std::string sensor_unit(SensorKind kind);

/// Whether a sensor reads a coordinate itself.
[[nodiscard]] bool reads_coordinate(const Sensor& sensor, const Coordinate& coordinate);
/// The coordinate that a sensor reads itself; -1: none.
[[nodiscard]] int coordinate_read_by(const MechanismDescription& description, const Sensor& sensor);

/// measured − predicted; to the nearest turn where the sensor wraps.
[[nodiscard]] double sensor_difference(const Sensor& sensor, double measured,
                                       double predicted) noexcept;

}  // namespace alembert::model::planar
