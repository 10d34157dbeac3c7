#include "model/planar/layout/layout.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "model/planar/layout/layout_parts.hpp"

namespace alembert::model::planar {

namespace {

std::string known_names(const std::string& wanted, const std::vector<std::string>& names) {
  const std::string near = nearest(wanted, names);
  if (!near.empty()) return fmt::format(" (did you mean '{}'?)", near);
  return fmt::format(" (there are: {})", join(names, ", "));
}

void add_bodies(Layout& layout, const MechanismDescription& description) {
  for (const Body& body : description.bodies) {
    const std::string what = fmt::format("Mechanism: body '{}'", body.name);
    if (body.name.empty()) {
      throw InvalidInput(
          {.function = "Mechanism", .argument = "body", .rule = "must have a name", .value = "''"});
    }
    if (body.name.find('.') != std::string::npos) {
      throw InvalidInput({.function = what, .argument = "name", .rule = "must have no dot"});
    }
    if (body.name == "ground") continue;
    if (std::count(layout.bodies.begin(), layout.bodies.end(), body.name) > 0) {
      throw InvalidInput({.function = what, .rule = "must be given once", .value = "it twice"});
    }
    check::non_negative(what, "mass", body.mass);
    check::non_negative(what, "inertia", body.inertia);
    layout.bodies.push_back(body.name);
    layout.mass.push_back(body.mass);
    layout.inertia.push_back(body.inertia);
  }
  if (layout.bodies.empty()) {
    throw InvalidInput({.function = "Mechanism",
                        .argument = "bodies",
                        .rule = "must be at least 1",
                        .value = "0"});
  }
}

// The origins of all bodies and the ground first, in their order, then the named points.
void add_points(Layout& layout, const MechanismDescription& description) {
  for (const std::string& body : layout.bodies) {
    layout.points.push_back(
        {static_cast<int>(layout.points.size()), Eigen::Vector2d::Zero(), body});
  }
  layout.points.push_back({layout.ground(), Eigen::Vector2d::Zero(), "ground"});
  for (const Body& body : description.bodies) {
    const int index = find_body(layout, "Mechanism", body.name);
    for (const NamedPoint& point : body.points) {
      const std::string name = fmt::format("{}.{}", body.name, point.name);
      for (const LayoutPoint& other : layout.points) {
        if (other.name == name) {
          throw InvalidInput({.function = "Mechanism",
                              .item = fmt::format("point '{}'", name),
                              .rule = "must be given once",
                              .value = "it twice"});
        }
      }
      check::all_finite("Mechanism", fmt::format("point '{}'", name), point.at);
      layout.points.push_back({index, point.at, name});
    }
  }
}

void add_moves(Layout& layout, const MechanismDescription& description) {
  for (const GeometryParameter& parameter : description.parameters) {
    const std::string what = fmt::format("Mechanism: parameter '{}'", parameter.name);
    std::vector<Eigen::Vector2d> moves(layout.points.size(), Eigen::Vector2d::Zero());
    for (const PointMove& move : parameter.moves) {
      const int point = find_point(layout, what, move.point);
      if (point <= layout.ground()) {
        throw InvalidInput({.function = what,
                            .argument = "point",
                            .rule = "must be a named one",
                            .value = fmt::format("'{}'", move.point)});
      }
      check::all_finite(what, "direction", move.direction);
      moves[static_cast<std::size_t>(point)] += move.direction;
    }
    layout.moves.push_back(std::move(moves));
  }
}

// The origins are the centres of mass unless the description says otherwise.
void add_centres(Layout& layout, const MechanismDescription& description) {
  for (const Body& body : description.bodies) {
    if (body.name == "ground") continue;
    check::all_finite(fmt::format("Mechanism: body '{}'", body.name), "centre", body.centre);
    const auto index = static_cast<int>(layout.centres.size());
    const bool at_origin = body.centre.isZero(0.0);
    layout.centres.push_back(at_origin ? index : static_cast<int>(layout.points.size()));
    if (!at_origin) layout.points.push_back({index, body.centre, "centre of " + body.name});
  }
}

// Root mean square arm of the points of the joints.
void set_size(Layout& layout) {
  double sum = 0.0;
  double count = 0.0;
  for (const ScalarFunction& f : layout.functions) {
    if (!f.is_length()) continue;
    for (const int point : {f.a_point, f.b_point}) {
      const double square = layout.points[static_cast<std::size_t>(point)].at.squaredNorm();
      if (square > 0.0) sum += square, count += 1.0;
    }
  }
  layout.size = count > 0.0 ? std::sqrt(sum / count) : 1.0;
  for (const ScalarFunction& f : layout.functions) {
    layout.row_scale.push_back(f.is_length() ? 1.0 / layout.size : 1.0);
  }
}

}  // namespace

int find_body(const Layout& layout, const std::string& what, const std::string& name) {
  if (name == "ground") return layout.ground();
  const auto found = std::find(layout.bodies.begin(), layout.bodies.end(), name);
  if (found == layout.bodies.end()) {
    std::vector<std::string> names = layout.bodies;
    names.push_back("ground");
    throw InvalidInput({.function = what,
                        .argument = "body",
                        .rule = "must exist",
                        .value = fmt::format("'{}'{}", name, known_names(name, names))});
  }
  return static_cast<int>(found - layout.bodies.begin());
}

int find_point(const Layout& layout, const std::string& what, const std::string& reference) {
  for (std::size_t i = 0; i < layout.points.size(); ++i) {
    if (layout.points[i].name == reference) return static_cast<int>(i);
  }
  std::vector<std::string> names;
  for (const LayoutPoint& point : layout.points) names.push_back(point.name);
  throw InvalidInput({.function = what,
                      .argument = "point",
                      .rule = "must exist",
                      .value = fmt::format("'{}'{}", reference, known_names(reference, names))});
}

Layout make_layout(const MechanismDescription& description) {
  Layout layout;
  check::all_finite("Mechanism", "gravity", description.gravity);
  layout.gravity = description.gravity;
  add_bodies(layout, description);
  add_points(layout, description);
  for (const Joint& joint : description.joints) {
    layout.joint_rows.push_back(layout.rows());
    add_joint(layout, joint);
  }
  layout.constraints = layout.rows();
  if (description.coordinates.empty()) {
    throw InvalidInput({.function = "Mechanism",
                        .argument = "coordinates",
                        .rule = "must be at least 1",
                        .value = "0"});
  }
  for (const Coordinate& coordinate : description.coordinates) {
    add_coordinate(layout, description, coordinate);
  }
  layout.coordinates = layout.rows() - layout.constraints;
  set_size(layout);
  for (const Sensor& sensor : description.sensors) add_sensor(layout, description, sensor);
  for (const Force& force : description.forces) add_force(layout, description, force);
  for (const PassiveForce& passive : description.passive) add_passive(layout, passive);
  add_centres(layout, description);
  add_moves(layout, description);
  return layout;
}

}  // namespace alembert::model::planar
