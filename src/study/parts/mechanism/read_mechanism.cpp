#include "study/parts/mechanism/read_mechanism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "alembert/core/text.hpp"
#include "core/mapped.hpp"
#include "study/parts/mechanism/mechanism_force_keys.hpp"
#include "study/parts/names.hpp"
#include "study/schema/check_keys.hpp"

namespace alembert::study {
namespace {

using model::planar::Body;
using model::planar::Joint;
using model::planar::JointKind;
using model::planar::MechanismDescription;

// Dense algebra of 3 unknowns a body, tried many times: beyond this an assembly takes minutes.
constexpr std::size_t kMostBodies = 64;
constexpr std::size_t kMostJoints = 256;

/// A kind of joint and the keys that it takes beside its name.
struct JointForm {
  std::string key;
  JointKind kind;
  std::vector<std::string> takes;
  std::vector<std::string> needs;
};

const std::vector<JointForm>& joint_forms() {
  static const std::vector<JointForm> forms = {
      {"revolute", JointKind::Revolute, {}, {}},
      {"prismatic", JointKind::Prismatic, {"axis", "through", "angle"}, {}},
      {"fixed", JointKind::Fixed, {"angle"}, {}},
      {"gear", JointKind::Gear, {"ratio", "carrier", "angle"}, {"ratio"}},
      {"rolling", JointKind::Rolling, {"axis", "through", "radius", "offset"}, {"radius"}},
      {"rack", JointKind::Rack, {"axis", "through", "radius", "offset"}, {"radius"}},
      {"cylinder", JointKind::Cylinder, {"length"}, {}}};
  return forms;
}

Eigen::Vector2d plane_vector(const TableReader& table, const std::string& key) {
  const std::vector<double> numbers = table.numbers(key);
  return {numbers[0], numbers[1]};
}

void check_mechanism_name(const TableReader& table, const std::string& name) {
  // A dot parts body and point, and a coordinate is written with brackets and commas.
  if (is_name(name) && name.find('.') == std::string::npos) return;
  table.fail_at_key(name, fmt::format("{}: a name must begin with a letter and have no blanks, "
                                      "dots, commas, quotes or brackets",
                                      table.name(name)));
}

Body read_body(const TableReader& bodies, const std::string& name) {
  check_mechanism_name(bodies, name);
  const TableReader table = bodies.table(name);
  Body body{.name = name, .mass = table.number("mass"), .inertia = table.number("inertia")};
  const TableReader points = table.table("points");
  for (const std::string& point : points.keys()) {
    check_mechanism_name(points, point);
    body.points.push_back({point, plane_vector(points, point)});
  }
  if (table.has("centre")) body.centre = plane_vector(table, "centre");
  if (table.has("start")) body.start = Eigen::Vector3d(table.vector("start"));
  for (const char* key : {"mass", "inertia", "centre", "start"}) {
    if (name == "ground" && table.has(key)) {
      table.fail_at_key(key, table.name(key) + " has no place: the ground does not move");
    }
  }
  return body;
}

void check_joint_keys(const TableReader& table, const JointForm& form) {
  for (const std::string& key : table.keys()) {
    const bool taken = key == form.key || key == "name" ||
                       std::find(form.takes.begin(), form.takes.end(), key) != form.takes.end();
    if (taken) continue;
    table.fail_at_key(key, fmt::format("{} has no place in a {} joint", table.name(key), form.key));
  }
  for (const std::string& key : form.needs) {
    if (!table.has(key)) {
      table.fail_at_key(
          form.key, fmt::format("{} needs the key \"{}\" beside it", table.name(form.key), key));
    }
  }
}

Joint read_joint(const TableReader& table) {
  const auto form = std::find_if(joint_forms().begin(), joint_forms().end(),
                                 [&](const JointForm& one) { return table.has(one.key); });
  check_joint_keys(table, *form);
  const std::vector<std::string> ends = table.texts(form->key);
  if (ends.size() != 2) {
    table.fail(form->key, fmt::format("must name two bodies or points, got {}", ends.size()));
  }
  Joint joint{.name = table.optional_text("name").value_or(
                  fmt::format("{} {}-{}", form->key, ends[0], ends[1])),
              .kind = form->kind,
              .a = ends[0],
              .b = ends[1]};
  if (table.has("axis")) joint.axis = plane_vector(table, "axis");
  if (table.has("through")) joint.through = plane_vector(table, "through");
  joint.angle = table.number("angle");
  joint.ratio = table.number("ratio");
  joint.carrier = table.text("carrier");
  joint.radius = table.optional_number("radius").value_or(0.0);
  joint.offset = table.number("offset");
  joint.length = table.optional_number("length");
  return joint;
}

void read_joints(const TableReader& mechanism, MechanismDescription& description,
                 MechanismPlaces& places) {
  const std::vector<TableReader> tables = mechanism.tables("joints");
  if (tables.size() > kMostJoints) {
    mechanism.fail("joints", fmt::format("must be {} at most, got {}", kMostJoints, tables.size()));
  }
  const Array& values = *mechanism.value("joints")->array();
  for (std::size_t i = 0; i < tables.size(); ++i) {
    description.joints.push_back(read_joint(tables[i]));
    places.add("joint", description.joints.back().name, item_name("mechanism.joints", i), values[i],
               mechanism.place_of(values[i].position));
  }
}

void read_coordinates(const TableReader& mechanism, MechanismDescription& description,
                      MechanismPlaces& places) {
  for (const Value& item : *mechanism.value("coordinates")->array()) {
    try {
      description.coordinates.push_back(model::planar::parse_coordinate(*item.text()));
    } catch (const InvalidInput& error) {
      throw StudyError(mechanism.place_of(item.position),
                       "mechanism.coordinates: " + error.reason());
    }
    places.add("coordinate", model::planar::to_string(description.coordinates.back()),
               "mechanism.coordinates", item, mechanism.place_of(item.position));
  }
}

// "body.point" of a length in its two parts.
std::pair<std::string, std::string> body_and_point(const TableReader& table,
                                                   const std::string& text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string::npos) {
    table.fail("length", fmt::format("must name points as \"body.point\", got \"{}\"", text));
  }
  return {text.substr(0, dot), text.substr(dot + 1)};
}

void read_parameters(const TableReader& mechanism, MechanismDescription& description,
                     MechanismPlaces& places) {
  const TableReader parameters = mechanism.table("parameters");
  for (const std::string& name : parameters.keys()) {
    check_mechanism_name(parameters, name);
    const TableReader table = parameters.table(name);
    const std::vector<std::string> ends = table.texts("length");
    if (ends.size() != 2) {
      table.fail("length", fmt::format("must name two points, got {}", ends.size()));
    }
    const auto [body, from] = body_and_point(table, ends[0]);
    const auto [other, to] = body_and_point(table, ends[1]);
    if (body != other) {
      table.fail("length", fmt::format("must name two points of one body, got \"{}\" and \"{}\"",
                                       ends[0], ends[1]));
    }
    try {
      description.parameters.push_back(
          model::planar::length_parameter(description, body, from, to));
    } catch (const InvalidInput& error) {
      table.fail("length", ": " + error.reason());
    }
    description.parameters.back().name = name;
    places.add("parameter", name, parameters.name(name), *parameters.value(name),
               parameters.key_place(name));
  }
}

void read_forces(const TableReader& mechanism, MechanismDescription& description,
                 MechanismPlaces& places) {
  const TableReader forces = mechanism.table("forces");
  for (const std::string& name : forces.keys()) {
    check_mechanism_name(forces, name);
    const TableReader table = forces.table(name);
    model::planar::Force force{.name = name};
    mechanism_force_keys().read(table, force);
    mechanism_force_keys().refuse_unused(table, force);
    if (force.of.empty()) {
      forces.fail_at_key(name,
                         fmt::format("{} needs the key \"{}\"", forces.name(name),
                                     force.kind == model::planar::ForceKind::Point ? "at" : "of"));
    }
    description.forces.push_back(std::move(force));
    places.add("force", name, forces.name(name), *forces.value(name), forces.key_place(name));
  }
}

void read_passive(const TableReader& mechanism, MechanismDescription& description,
                  MechanismPlaces& places) {
  const TableReader all = mechanism.table("passive");
  for (const std::string& name : all.keys()) {
    check_mechanism_name(all, name);
    const TableReader table = all.table(name);
    model::planar::PassiveForce passive{.name = name};
    mechanism_passive_keys().read(table, passive);
    mechanism_passive_keys().refuse_unused(table, passive);
    const std::vector<std::string> ends = table.texts("between");
    if (ends.size() != 2) {
      table.fail("between", fmt::format("must name two bodies or points, got {}", ends.size()));
    }
    passive.a = ends[0];
    passive.b = ends[1];
    description.passive.push_back(std::move(passive));
    places.add("passive force", name, all.name(name), *all.value(name), all.key_place(name));
  }
}

}  // namespace

MechanismDescription read_mechanism(const TableReader& mechanism, MechanismPlaces& places) {
  MechanismDescription description;
  if (mechanism.has("gravity")) description.gravity = plane_vector(mechanism, "gravity");
  const TableReader bodies = mechanism.table("bodies");
  if (bodies.keys().size() > kMostBodies) {
    mechanism.fail("bodies",
                   fmt::format("must be {} at most, got {}", kMostBodies, bodies.keys().size()));
  }
  for (const std::string& name : bodies.keys()) {
    description.bodies.push_back(read_body(bodies, name));
    places.add("body", name, bodies.name(name), *bodies.value(name), bodies.key_place(name));
  }
  read_joints(mechanism, description, places);
  read_coordinates(mechanism, description, places);
  read_parameters(mechanism, description, places);
  read_forces(mechanism, description, places);
  read_passive(mechanism, description, places);
  return description;
}

}  // namespace alembert::study
