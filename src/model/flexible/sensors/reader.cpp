#include "model/flexible/sensors/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/mapped.hpp"
#include "model/flexible/nodes.hpp"

namespace alembert::model::flexible {
namespace {

using Kind = FlexibleSensorKind;

constexpr double kSamePlace = 1e-9;  // of the length of an element

[[noreturn]] void refuse_sensor(const FlexibleSensor& sensor, const std::string& rule,
                                const std::string& value = "") {
  refuse(fmt::format("sensor '{}'", sensor.name), rule, value);
}

int node_of_sensor(const FlexibleDescription& description, const FlexibleLayout& layout,
                   const FlexibleSensor& sensor, const std::string& name, Eigen::Vector2d& at) {
  try {
    const BodyPoint point = find_point(description, name);
    if (name.substr(0, name.find('.')) == "ground") {
      at = point.at;
      return -1;
    }
    if (name.find('.') == std::string::npos) return find_node(layout, name);
    const int node = node_at(layout, point.body->name, point.at);
    if (node >= 0) return node;
  } catch (const InvalidInput&) {
    // said below, with the name of the sensor
  }
  refuse_sensor(sensor, "no body or point has this name", fmt::format("'{}'", name));
}

// The elements that meet at the place; two at a node between them.
void find_gauges(const FlexibleDescription& description, const FlexibleLayout& layout,
                 const FlexibleSensor& sensor, FlexibleReader& reader) {
  if (find_flexible(description, sensor.of) == nullptr) {
    refuse_sensor(sensor, "must be on a flexible body", fmt::format("'{}'", sensor.of));
  }
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (std::size_t i = 0; i < layout.elements.size(); ++i) {
    const Element& element = layout.elements[i];
    if (layout.bodies[static_cast<std::size_t>(element.body)] != sensor.of) continue;
    const double first = layout.nodes[static_cast<std::size_t>(element.nodes[0])].at.x();
    const double last = layout.nodes[static_cast<std::size_t>(element.nodes[1])].at.x();
    low = std::min(low, first);
    high = std::max(high, last);
    const double xi = (sensor.along - first) / (last - first);
    if (!(xi >= -kSamePlace && xi <= 1.0 + kSamePlace) || reader.gauge_count == 2) continue;
    reader.gauges[static_cast<std::size_t>(reader.gauge_count++)] = {
        static_cast<int>(i),
        gauge_row(sensor.kind, last - first, std::clamp(xi, 0.0, 1.0), sensor.distance)};
  }
  if (reader.gauge_count > 0) return;
  refuse_sensor(sensor,
                fmt::format("its place must be from {:g} to {:g} m along the body", low, high),
                fmt::format("{:g}", sensor.along));
}

int find_sensor_force(const FlexibleDescription& description, const FlexibleSensor& sensor) {
  const auto& forces = description.mechanism.forces;
  const auto found = std::find_if(forces.begin(), forces.end(),
                                  [&](const planar::Force& one) { return one.name == sensor.of; });
  const bool torque = sensor.kind == Kind::Torque;
  if (found == forces.end() || (found->kind == planar::ForceKind::Torque) != torque) {
    refuse_sensor(sensor, torque ? "no torque has this name" : "no force has this name",
                  fmt::format("'{}'", sensor.of));
  }
  return static_cast<int>(found - forces.begin());
}

void check_numbers(const FlexibleSensor& sensor) {
  if (!(sensor.sigma >= 0.0 && std::isfinite(sensor.sigma))) {
    refuse_sensor(sensor, "sigma must be at least 0", fmt::format("{}", sensor.sigma));
  }
  if (!(sensor.axis.norm() > 0.0 && sensor.axis.allFinite())) {
    refuse_sensor(sensor, "axis must have a length");
  }
  for (const double number : {sensor.along, sensor.distance, sensor.offset}) {
    if (!std::isfinite(number)) refuse_sensor(sensor, "its numbers must be finite");
  }
}

}  // namespace

// Cubic shapes: w'' = [(12ξ−6) w₁ + (6ξ−4) L θ₁ + (6−12ξ) w₂ + (6ξ−2) L θ₂] / L²; linear ones:
// u' = (u₂ − u₁)/L
Vector6 gauge_row(Kind kind, double length, double xi, double distance) {
  const double L = length;
  const Vector6 curvature = (Vector6() << 0.0, 12.0 * xi - 6.0, (6.0 * xi - 4.0) * L, 0.0,
                             6.0 - 12.0 * xi, (6.0 * xi - 2.0) * L)
                                .finished() /
                            (L * L);
  if (kind == Kind::Curvature) return curvature;
  const Vector6 stretch = (Vector6() << -1.0, 0.0, 0.0, 1.0, 0.0, 0.0).finished() / L;
  return stretch - distance * curvature;
}

FlexibleReader make_reader(const FlexibleDescription& description, const FlexibleLayout& layout,
                           const FlexibleSensor& sensor) {
  check_numbers(sensor);
  FlexibleReader reader;
  reader.axis = sensor.axis.normalized();
  switch (sensor.kind) {
    case Kind::Curvature:
    case Kind::Strain:
      find_gauges(description, layout, sensor, reader);
      break;
    case Kind::Force:
    case Kind::Torque:
      reader.force = find_sensor_force(description, sensor);
      break;
    case Kind::Angle:
    case Kind::AngularRate:
    case Kind::Displacement:
    case Kind::Velocity:
    case Kind::Acceleration:
      reader.node = node_of_sensor(description, layout, sensor, sensor.of, reader.at);
      reader.other =
          node_of_sensor(description, layout, sensor, sensor.relative_to, reader.other_at);
      break;
  }
  return reader;
}

}  // namespace alembert::model::flexible
