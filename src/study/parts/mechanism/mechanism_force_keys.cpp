#include "study/parts/mechanism/mechanism_force_keys.hpp"

namespace alembert::study {
namespace {

using model::planar::Force;
using model::planar::ForceKind;
using model::planar::PassiveForce;
using model::planar::PassiveKind;

bool acts_at_a_point(const Force& force) { return force.kind == ForceKind::Point; }
bool acts_otherwise(const Force& force) { return force.kind != ForceKind::Point; }
bool has_friction(const PassiveForce& passive) { return passive.coulomb > 0.0; }

BoundKeys<Force> made_force_keys() {
  BoundKeys<Force> keys;
  keys.key("kind", &Force::kind,
           {.help = "torque on a body, force at a point, or push of a cylinder", .required = true})
      .key("of", &Force::of, {.help = "body (torque) or cylinder (cylinder)"})
      .used_when(acts_otherwise, "has no place with kind = \"{kind}\", which needs \"at\"")
      .key("at", &Force::of, {.help = "body.point (point)"})
      .used_when(acts_at_a_point, "has no place with kind = \"{kind}\", which needs \"of\"")
      .key("relative-to", &Force::relative_to,
           {.help = "the body that takes the reaction (torque)"})
      .used_when("kind", {"torque"})
      .key("axis", &Force::axis,
           {.help = "direction (point)", .size = 2, .fallback_note = "[1, 0]"})
      .used_when("kind", {"point"})
      .key("on-body", &Force::on_body, {.help = "the direction turns with the body (point)"})
      .used_when("kind", {"point"})
      .key("known", &Force::known, {.help = "false: nothing measures it, it is to be found"});
  return keys;
}

BoundKeys<PassiveForce> made_passive_keys() {
  BoundKeys<PassiveForce> keys;
  keys.other({.name = "between",
              .forms = kTexts,
              .help = "the two points (length, slide) or bodies (angle)",
              .required = true})
      .key("kind", &PassiveForce::kind, {.help = "what it resists: s"})
      .key("axis", &PassiveForce::axis,
           {.help = "direction on the first body (slide)", .size = 2, .fallback_note = "[1, 0]"})
      .used_when("kind", {"slide"})
      .key("stiffness", &PassiveForce::stiffness, {.help = "of a spring", .unit = "N/m, N m/rad"})
      .key("free", &PassiveForce::free, {.help = "s without tension", .unit = "m, rad"})
      .key("preload", &PassiveForce::preload, {.help = "tension there", .unit = "N, N m"})
      .key("damping", &PassiveForce::damping,
           {.help = "viscous", .unit = "N s/m, N m s/rad", .range = at_least(0.0)})
      .key("coulomb", &PassiveForce::coulomb,
           {.help = "dry friction, smooth", .unit = "N, N m", .range = at_least(0.0)})
      .key("breakaway", &PassiveForce::breakaway,
           {.help = "friction at low rates, at least coulomb",
            .unit = "N, N m",
            .range = at_least(0.0),
            .fallback_note = "coulomb"})
      .used_when(has_friction, "has no place without coulomb")
      .key("stribeck-rate", &PassiveForce::stribeck_rate,
           {.help = "rate at which it falls to coulomb", .unit = "m/s, rad/s", .range = above(0.0)})
      .used_when(has_friction, "has no place without coulomb")
      .key("smooth-rate", &PassiveForce::smooth_rate,
           {.help = "rate from which friction has its full size",
            .unit = "m/s, rad/s",
            .range = above(0.0)})
      .used_when(has_friction, "has no place without coulomb");
  return keys;
}

}  // namespace

const BoundKeys<Force>& mechanism_force_keys() {
  static const BoundKeys<Force> keys = made_force_keys();
  return keys;
}

const BoundKeys<PassiveForce>& mechanism_passive_keys() {
  static const BoundKeys<PassiveForce> keys = made_passive_keys();
  return keys;
}

}  // namespace alembert::study
