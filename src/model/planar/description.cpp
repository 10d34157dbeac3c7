#include "alembert/model/planar/description.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"

namespace alembert::model::planar {

namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

[[noreturn]] void refuse_coordinate(const std::string& text) {
  throw InvalidInput({.function = "parse_coordinate",
                      .argument = "text",
                      .rule = "must be angle(body), angle(body, body), x(body.point), "
                              "y(body.point) or length(cylinder)",
                      .value = fmt::format("'{}'", text)});
}

}  // namespace

Coordinate parse_coordinate(const std::string& text) {
  const std::string_view whole = trimmed(text);
  const std::size_t open = whole.find('(');
  if (open == std::string_view::npos || whole.back() != ')') refuse_coordinate(text);
  const std::optional<CoordinateKind> kind =
      enum_named<CoordinateKind>(trimmed(whole.substr(0, open)));
  if (!kind) refuse_coordinate(text);
  const std::string_view inside = whole.substr(open + 1, whole.size() - open - 2);
  const std::size_t comma = inside.find(',');
  Coordinate coordinate{.kind = *kind, .of = std::string(trimmed(inside.substr(0, comma)))};
  if (comma != std::string_view::npos) {
    if (*kind != CoordinateKind::Angle) refuse_coordinate(text);
    coordinate.relative_to = std::string(trimmed(inside.substr(comma + 1)));
  }
  if (coordinate.of.empty() || coordinate.relative_to.empty()) refuse_coordinate(text);
  return coordinate;
}

std::string to_string(const Coordinate& coordinate) {
  switch (coordinate.kind) {
    case CoordinateKind::X:
      return fmt::format("x({})", coordinate.of);
    case CoordinateKind::Y:
      return fmt::format("y({})", coordinate.of);
    case CoordinateKind::Length:
      return fmt::format("length({})", coordinate.of);
    case CoordinateKind::Angle:
      break;
  }
  if (coordinate.relative_to == "ground") return fmt::format("angle({})", coordinate.of);
  return fmt::format("angle({}, {})", coordinate.of, coordinate.relative_to);
}

GeometryParameter length_parameter(const MechanismDescription& description, const std::string& body,
                                   const std::string& from, const std::string& to) {
  const auto found = std::find_if(description.bodies.begin(), description.bodies.end(),
                                  [&](const Body& b) { return b.name == body; });
  if (found == description.bodies.end()) {
    throw InvalidInput({.function = "length_parameter",
                        .argument = "body",
                        .rule = "must exist",
                        .value = fmt::format("'{}'", body)});
  }
  const auto point = [&](const std::string& name) -> Eigen::Vector2d {
    for (const NamedPoint& p : found->points) {
      if (p.name == name) return p.at;
    }
    throw InvalidInput({.function = "length_parameter",
                        .item = fmt::format("body '{}'", body),
                        .rule = "must have the point",
                        .value = fmt::format("'{}'", name)});
  };
  const Eigen::Vector2d way = point(to) - point(from);
  if (!(way.norm() > 0.0)) {
    throw InvalidInput({.function = "length_parameter",
                        .argument = "points",
                        .rule = "must differ",
                        .value = fmt::format("'{}' and '{}' of '{}'", from, to, body)});
  }
  return {fmt::format("length({}, {}, {})", body, from, to),
          {{fmt::format("{}.{}", body, to), way / way.norm()}}};
}

bool reads_coordinate(const Sensor& sensor, const Coordinate& coordinate) {
  if (sensor.of != coordinate.of) return false;
  const Eigen::Vector2d axis = sensor.axis.normalized();
  switch (coordinate.kind) {
    case CoordinateKind::Angle:
      return sensor.kind == SensorKind::Angle && sensor.relative_to == coordinate.relative_to;
    case CoordinateKind::Length:
      return sensor.kind == SensorKind::Length;
    case CoordinateKind::X:
      return sensor.kind == SensorKind::Displacement && sensor.relative_to == "ground" &&
             axis == Eigen::Vector2d::UnitX();
    case CoordinateKind::Y:
      return sensor.kind == SensorKind::Displacement && sensor.relative_to == "ground" &&
             axis == Eigen::Vector2d::UnitY();
  }
  return false;
}

int coordinate_read_by(const MechanismDescription& description, const Sensor& sensor) {
  for (std::size_t i = 0; i < description.coordinates.size(); ++i) {
    if (reads_coordinate(sensor, description.coordinates[i])) return static_cast<int>(i);
  }
  return -1;
}

double physical_value(const Sensor& sensor, double reading) noexcept {
  const double value = sensor.counts ? (reading + 0.5) * kTurn / *sensor.counts : reading;
  return value - sensor.offset;
}

std::string sensor_unit(SensorKind kind) {
  switch (kind) {
    case SensorKind::Angle:
    case SensorKind::Inclination:
      return "rad";
    case SensorKind::AngularRate:
      return "rad/s";
    case SensorKind::Displacement:
    case SensorKind::Length:
      return "m";
    case SensorKind::Velocity:
    case SensorKind::LengthRate:
      return "m/s";
    case SensorKind::Acceleration:
      return "m/s^2";
    case SensorKind::Force:
      return "N";
    case SensorKind::Torque:
      return "N m";
  }
  return "";
}

double sensor_variance(const Sensor& sensor) noexcept {
  const double step = sensor.counts ? kTurn / *sensor.counts : 0.0;
  return sensor.sigma * sensor.sigma + step * step / 12.0;
}

double sensor_difference(const Sensor& sensor, double measured, double predicted) noexcept {
  const double difference = measured - predicted;
  if (!sensor.wrap) return difference;
  return difference - kTurn * std::round(difference / kTurn);
}

}  // namespace alembert::model::planar
