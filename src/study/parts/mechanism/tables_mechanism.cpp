#include "study/parts/mechanism/tables_mechanism.hpp"

#include "study/parts/mechanism/flexible/flexible_body_keys.hpp"
#include "study/parts/mechanism/mechanism_force_keys.hpp"
#include "study/schema/shared_keys.hpp"

namespace alembert::study {
namespace {

KeySpec joint_key(const std::string& name, const std::string& help) {
  return {.name = name, .forms = kTexts, .help = help};
}

const TableSpec& points_table() {
  static const KeySpec any{.name = "NAME",
                           .forms = kNumbers,
                           .help = "[x, y] of the point in the frame of the body",
                           .unit = "m",
                           .size = 2};
  static const TableSpec table{.path = "mechanism.bodies.NAME.points",
                               .help =
                                   "Points of the body that joints and sensors name as "
                                   "\"body.point\"; \"body\" alone is the origin of its frame.",
                               .any_name = &any};
  return table;
}

const TableSpec& body_table() {
  static const TableSpec table{
      .path = "mechanism.bodies.NAME",
      .help =
          "A body, rigid unless it has a section. The body \"ground\" may be listed to give points "
          "to the ground.",
      .keys = joined({{.name = "points",
                       .forms = kTable,
                       .help = "points of the body",
                       .fallback_note = "only the origin",
                       .table = &points_table()},
                      {.name = "start",
                       .forms = kNumbers,
                       .help = "rough [x, y, angle] at the start, to choose between two assemblies",
                       .unit = "m, m, rad",
                       .size = 3,
                       .fallback_note = "laid along the joints"},
                      {.name = "mass",
                       .forms = kNumber,
                       .help = "mass; forces need it",
                       .unit = "kg",
                       .range = at_least(0.0),
                       .fallback = "0.0"},
                      {.name = "inertia",
                       .forms = kNumber,
                       .help = "moment of inertia about the centre of mass; the same",
                       .unit = "kg m^2",
                       .range = at_least(0.0),
                       .fallback = "0.0"},
                      {.name = "centre",
                       .forms = kNumbers,
                       .help = "[x, y] of the centre of mass in the frame of the body",
                       .unit = "m",
                       .size = 2,
                       .fallback_note = "the origin of the frame"}},
                     flexible_body_keys())};
  return table;
}

const TableSpec& bodies_table() {
  static const KeySpec any{
      .name = "NAME", .forms = kTable, .help = "the body NAME", .table = &body_table()};
  static const TableSpec table{.path = "mechanism.bodies", .help = "What moves.", .any_name = &any};
  return table;
}

std::vector<KeySpec> joint_kind_keys() {
  return {joint_key("revolute", "pin: the two points coincide"),
          joint_key("prismatic", "slide: the second point stays on a line of the first body"),
          joint_key("fixed", "weld: the points coincide and the bodies turn together"),
          joint_key("gear", "gear pair: turn of second = ratio x turn of first"),
          joint_key("rolling", "wheel (second) that rolls on a line of the first body"),
          joint_key("rack", "rack and pinion: shift along the line goes with the turn"),
          joint_key("cylinder", "distance of two points: an actuator, or a massless rod")};
}

std::vector<KeySpec> joint_detail_keys() {
  return {{.name = "name",
           .forms = kText,
           .help = "for messages, and for what refers to a cylinder",
           .fallback_note = "kind and points"},
          {.name = "axis",
           .forms = kNumbers,
           .help = "direction of the line in the first body (prismatic, rolling, rack)",
           .size = 2,
           .fallback_note = "[1, 0]"},
          {.name = "through",
           .forms = kNumbers,
           .help = "a point of the line in the first body (prismatic, rolling, rack)",
           .unit = "m",
           .size = 2,
           .fallback_note = "the point of the first body"},
          {.name = "angle",
           .forms = kNumber,
           .help = "constant angle between the bodies (prismatic, fixed, gear)",
           .unit = "rad",
           .fallback = "0.0"},
          {.name = "ratio",
           .forms = kNumber,
           .help = "gear: negative for outer teeth on both",
           .fallback = "1.0"},
          {.name = "carrier",
           .forms = kText,
           .help = "gear: the body that holds both axes",
           .fallback = "\"ground\""},
          {.name = "radius",
           .forms = kNumber,
           .help = "wheel or pinion (rolling, rack); negative below the line",
           .unit = "m"},
          {.name = "offset",
           .forms = kNumber,
           .help = "shift where both angles are zero (rolling, rack)",
           .unit = "m",
           .fallback = "0.0"},
          {.name = "length",
           .forms = kNumber,
           .help = "cylinder: constant length, which makes it a rod",
           .unit = "m",
           .range = above(0.0),
           .fallback_note = "free"}};
}

const TableSpec& joint_table() {
  static const TableSpec table{
      .path = "mechanism.joints",
      .help =
          "One joint of the list, for example { revolute = [\"ground\", "
          "\"crank.O\"] }: its kind and the two bodies or points that it joins.",
      .keys = joined(joint_kind_keys(), joint_detail_keys()),
      .rules = {
          {.kind = KeyRule::Kind::ExactlyOne,
           .keys = {"revolute", "prismatic", "fixed", "gear", "rolling", "rack", "cylinder"}}}};
  return table;
}

const TableSpec& length_table() {
  static const TableSpec table{
      .path = "mechanism.parameters.NAME",
      .help = "A length that may be estimated: the distance of two points of one body.",
      .keys = {{.name = "length",
                .forms = kTexts,
                .help = "the two points; the second moves away from the first",
                .required = true}}};
  return table;
}

const TableSpec& moved_parameters_table() {
  static const KeySpec any{.name = "NAME",
                           .forms = kTable,
                           .help = "the error of a length, a state with observe.lengths",
                           .table = &length_table()};
  static const TableSpec table{.path = "mechanism.parameters",
                               .help = "Numbers of the geometry that are not known exactly.",
                               .any_name = &any};
  return table;
}

const TableSpec& forces_table() {
  static const TableSpec one{.path = "mechanism.forces.NAME",
                             .help =
                                 "A force or torque that acts on the mechanism: a motor, a "
                                 "cylinder, a load.",
                             .keys = mechanism_force_keys().specs()};
  static const KeySpec any{
      .name = "NAME", .forms = kTable, .help = "the force NAME", .table = &one};
  static const TableSpec table{.path = "mechanism.forces",
                               .help =
                                   "Forces and torques. Known ones are read by sensors of kind "
                                   "force or torque, the others are estimated by observe.method = "
                                   "\"force\".",
                               .any_name = &any};
  return table;
}

const TableSpec& passive_table() {
  static const TableSpec one{
      .path = "mechanism.passive.NAME",
      .help =
          "A spring, damper or friction between two bodies: it pulls against s with preload + "
          "stiffness (s - free) + damping s' + friction, s their distance, angle or slide.",
      .keys = mechanism_passive_keys().specs()};
  static const KeySpec any{.name = "NAME",
                           .forms = kTable,
                           .help = "the spring, damper or friction NAME",
                           .table = &one};
  static const TableSpec table{
      .path = "mechanism.passive", .help = "Springs, dampers and friction.", .any_name = &any};
  return table;
}

}  // namespace

const TableSpec& mechanism_table() {
  static const TableSpec table{
      .path = "mechanism",
      .help =
          "A planar mechanism: bodies, joints and independent coordinates, see observe.md; "
          "flexible "
          "bodies, see flexible.md.",
      .keys = joined({{.name = "gravity",
                       .forms = kNumbers,
                       .help = "[x, y], for accelerometers and inclinometers",
                       .unit = "m/s^2",
                       .size = 2,
                       .fallback_note = "[0, -9.81]"},
                      {.name = "bodies",
                       .forms = kTable,
                       .help = "what moves",
                       .required = true,
                       .table = &bodies_table()},
                      {.name = "joints",
                       .forms = kTables,
                       .help = "what holds it together, a list",
                       .required = true,
                       .table = &joint_table()},
                      {.name = "coordinates",
                       .forms = kTexts,
                       .help = "as many as there are freedoms: angle(body), angle(body, other), "
                               "x(body.point), y(body.point), length(cylinder)",
                       .required = true},
                      {.name = "parameters",
                       .forms = kTable,
                       .help = "lengths that may be estimated",
                       .fallback_note = "none",
                       .table = &moved_parameters_table()},
                      {.name = "forces",
                       .forms = kTable,
                       .help = "motors, cylinders and loads",
                       .fallback_note = "none",
                       .table = &forces_table()},
                      {.name = "passive",
                       .forms = kTable,
                       .help = "springs, dampers and friction",
                       .fallback_note = "none",
                       .table = &passive_table()}},
                     flexible_mechanism_keys())};
  return table;
}

}  // namespace alembert::study
