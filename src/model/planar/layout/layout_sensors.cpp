#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "model/planar/layout/layout_parts.hpp"

namespace alembert::model::planar {

namespace {

// e·(P_of − P_relative), the axis on the body of the second point.
ScalarFunction displacement(const Layout& layout, const std::string& what, const Sensor& sensor) {
  const int base = find_point(layout, what, sensor.relative_to);
  const int point = find_point(layout, what, sensor.of);
  return projection(base, point, layout.points[static_cast<std::size_t>(base)].body,
                    unit_axis(what, sensor.axis));
}

// The angle of the axis against the horizontal, which is gravity turned by +90 degrees.
ScalarFunction inclination(const Layout& layout, const std::string& what, const Sensor& sensor) {
  if (!(layout.gravity.norm() > 0.0)) {
    throw InvalidInput({.function = what,
                        .argument = "an inclination",
                        .rule = "needs gravity",
                        .value = "(0, 0)"});
  }
  const Eigen::Vector2d axis = unit_axis(what, sensor.axis);
  ScalarFunction f = relative_angle(layout.ground(), find_body(layout, what, sensor.of));
  const double horizontal = std::atan2(layout.gravity.x(), -layout.gravity.y());
  f.offset = horizontal - std::atan2(axis.y(), axis.x());
  return f;
}

// e·P with the axis in the body of the point.
ScalarFunction carried_axis(const Layout& layout, const std::string& what, const Sensor& sensor) {
  const int point = find_point(layout, what, sensor.of);
  return projection(layout.ground(), point, layout.points[static_cast<std::size_t>(point)].body,
                    unit_axis(what, sensor.axis));
}

ScalarFunction body_angle(const Layout& layout, const std::string& what, const std::string& of,
                          const std::string& relative_to) {
  return relative_angle(find_body(layout, what, relative_to), find_body(layout, what, of));
}

// The force that a cell reads, which is a known one of its kind.
int measured_force(const MechanismDescription& description, const std::string& what,
                   const Sensor& sensor) {
  for (std::size_t i = 0; i < description.forces.size(); ++i) {
    const Force& force = description.forces[i];
    if (force.name != sensor.of) continue;
    if ((force.kind == ForceKind::Torque) != (sensor.kind == SensorKind::Torque)) {
      throw InvalidInput(
          {.function = what,
           .argument = "kind",
           .rule = fmt::format("must be '{}' for '{}'",
                               force.kind == ForceKind::Torque ? "torque" : "force", force.name),
           .value = fmt::format("'{}'", name_of(sensor.kind))});
    }
    if (force.known) return static_cast<int>(i);
    throw InvalidInput({.function = what,
                        .argument = "of",
                        .rule = "must be a known force, since a sensor reads it",
                        .value = fmt::format("'{}'", force.name)});
  }
  throw InvalidInput({.function = what,
                      .argument = "of",
                      .rule = "must be the name of a force",
                      .value = fmt::format("'{}'", sensor.of)});
}

}  // namespace

ScalarFunction cylinder_length(const Layout& layout, const MechanismDescription& description,
                               const std::string& what, const std::string& name) {
  for (const Joint& joint : description.joints) {
    if (joint.kind != JointKind::Cylinder || joint.name != name || name.empty()) continue;
    ScalarFunction f =
        projection(find_point(layout, what, joint.a), find_point(layout, what, joint.b),
                   layout.ground(), Eigen::Vector2d::UnitX());
    f.shape = ScalarFunction::Shape::Distance;
    return f;
  }
  throw InvalidInput({.function = what,
                      .argument = "cylinder",
                      .rule = "must be the name of a cylinder joint",
                      .value = fmt::format("'{}'", name)});
}

void add_coordinate(Layout& layout, const MechanismDescription& description,
                    const Coordinate& coordinate) {
  const std::string text = to_string(coordinate);
  const std::string what = fmt::format("Mechanism: coordinate '{}'", text);
  ScalarFunction f;
  switch (coordinate.kind) {
    case CoordinateKind::Angle:
      f = body_angle(layout, what, coordinate.of, coordinate.relative_to);
      break;
    case CoordinateKind::X:
    case CoordinateKind::Y:
      f = projection(layout.ground(), find_point(layout, what, coordinate.of), layout.ground(),
                     coordinate.kind == CoordinateKind::X ? Eigen::Vector2d::UnitX()
                                                          : Eigen::Vector2d::UnitY());
      break;
    case CoordinateKind::Length:
      f = cylinder_length(layout, description, what, coordinate.of);
      break;
  }
  layout.functions.push_back(f);
  layout.row_names.push_back(text);
}

void add_sensor(Layout& layout, const MechanismDescription& description, const Sensor& sensor) {
  const std::string what = fmt::format("Mechanism: sensor '{}'", sensor.name);
  check::non_negative(what, "sigma", sensor.sigma);
  check::finite(what, "offset", sensor.offset);
  if (sensor.counts) check::positive(what, "counts", *sensor.counts);
  SensorPlan plan;
  plan.kind = sensor.kind;
  switch (sensor.kind) {
    case SensorKind::AngularRate:
      plan.order = 1;
      [[fallthrough]];
    case SensorKind::Angle:
      plan.function = body_angle(layout, what, sensor.of, sensor.relative_to);
      break;
    case SensorKind::Inclination:
      plan.function = inclination(layout, what, sensor);
      break;
    case SensorKind::Velocity:
      plan.order = 1;
      [[fallthrough]];
    case SensorKind::Displacement:
      plan.function = displacement(layout, what, sensor);
      break;
    case SensorKind::Acceleration:
      plan.order = 2;
      plan.function = carried_axis(layout, what, sensor);
      if (sensor.gravity) plan.gravity = layout.gravity;
      break;
    case SensorKind::LengthRate:
      plan.order = 1;
      [[fallthrough]];
    case SensorKind::Length:
      plan.function = cylinder_length(layout, description, what, sensor.of);
      break;
    case SensorKind::Force:
    case SensorKind::Torque:
      plan.order = kForceOrder;
      plan.force = measured_force(description, what, sensor);
      break;
  }
  layout.sensors.push_back(plan);
}

void add_force(Layout& layout, const MechanismDescription& description, const Force& force) {
  const std::string what = fmt::format("Mechanism: force '{}'", force.name);
  ForcePlan plan;
  plan.known = force.known;
  plan.column = force.known ? layout.known_forces++
                            : static_cast<int>(layout.forces.size()) - layout.known_forces;
  switch (force.kind) {
    case ForceKind::Torque:
      plan.function = body_angle(layout, what, force.of, force.relative_to);
      break;
    case ForceKind::Cylinder:
      plan.function = cylinder_length(layout, description, what, force.of);
      break;
    case ForceKind::Point: {
      const int point = find_point(layout, what, force.of);
      const int body = layout.points[static_cast<std::size_t>(point)].body;
      plan.function = projection(layout.ground(), point, force.on_body ? body : layout.ground(),
                                 unit_axis(what, force.axis));
      break;
    }
  }
  layout.forces.push_back(plan);
}

}  // namespace alembert::model::planar
