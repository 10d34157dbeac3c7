#include "alembert/identify/mechanism/mechanism_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "core/mapped.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using model::planar::MechanismDescription;
using model::planar::PassiveForce;
using model::planar::PassiveKind;

/// A name and the number behind it.
struct Slot {
  std::string name;
  std::string unit;
  double* value = nullptr;
  bool positive = false;
};

void add_body(model::planar::Body& body, std::vector<Slot>& slots) {
  if (body.name == "ground") return;
  slots.push_back({body.name + ".mass", "kg", &body.mass, true});
  slots.push_back({body.name + ".inertia", "kg m^2", &body.inertia, true});
  slots.push_back({body.name + ".centre.x", "m", &body.centre.x()});
  slots.push_back({body.name + ".centre.y", "m", &body.centre.y()});
}

void add_passive(PassiveForce& passive, std::vector<Slot>& slots) {
  const bool turns = passive.kind == PassiveKind::Angle;
  const std::string s = turns ? "rad" : "m";
  const std::string force = turns ? "N m" : "N";
  const std::string name = passive.name + ".";
  slots.push_back({name + "stiffness", turns ? "N m/rad" : "N/m", &passive.stiffness});
  slots.push_back({name + "free", s, &passive.free});
  slots.push_back({name + "preload", force, &passive.preload});
  slots.push_back({name + "damping", turns ? "N m s/rad" : "N s/m", &passive.damping, true});
  slots.push_back({name + "coulomb", force, &passive.coulomb, true});
  if (passive.breakaway) {
    slots.push_back({name + "breakaway", force, &*passive.breakaway, true});
  }
  slots.push_back({name + "stribeck-rate", s + "/s", &passive.stribeck_rate, true});
  slots.push_back({name + "smooth-rate", s + "/s", &passive.smooth_rate, true});
}

// All of them; the pointers live as long as the values stay where they are.
std::vector<Slot> slots_of(MechanismValues& values) {
  std::vector<Slot> slots;
  for (model::planar::Body& body : values.description.bodies) add_body(body, slots);
  for (PassiveForce& passive : values.description.passive) add_passive(passive, slots);
  for (std::size_t i = 0; i < values.description.forces.size(); ++i) {
    slots.push_back(
        {values.description.forces[i].name + ".gain", "", &values.gains(static_cast<Index>(i))});
  }
  for (model::planar::Sensor& sensor : values.description.sensors) {
    slots.push_back(
        {sensor.name + ".offset", model::planar::sensor_unit(sensor.kind), &sensor.offset});
  }
  for (std::size_t i = 0; i < values.description.parameters.size(); ++i) {
    slots.push_back(
        {values.description.parameters[i].name, "m", &values.lengths(static_cast<Index>(i))});
  }
  return slots;
}

const Slot& slot_of(const std::vector<Slot>& slots, const std::string& name) {
  const auto found =
      std::find_if(slots.begin(), slots.end(), [&](const Slot& one) { return one.name == name; });
  if (found != slots.end()) return *found;
  const std::vector<std::string> names = mapped(slots, [](const Slot& one) { return one.name; });
  throw InvalidInput(
      {.function = "mechanism_parameter",
       .argument = "name",
       .rule = "must be a number of the mechanism such as \"BODY.mass\"" + suggestion(name, names),
       .value = fmt::format("\"{}\"", name)});
}

MechanismParameter described(const Slot& slot) {
  return {.name = slot.name, .unit = slot.unit, .value = *slot.value, .positive = slot.positive};
}

}  // namespace

MechanismValues values_of(const MechanismDescription& description) {
  return {.description = description,
          .gains = VectorXd::Ones(static_cast<Index>(description.forces.size())),
          .lengths = VectorXd::Zero(static_cast<Index>(description.parameters.size()))};
}

std::vector<MechanismParameter> mechanism_parameters(const MechanismDescription& description) {
  MechanismValues values = values_of(description);
  return mapped(slots_of(values), described);
}

MechanismParameter mechanism_parameter(const MechanismDescription& description,
                                       const std::string& name) {
  MechanismValues values = values_of(description);
  return described(slot_of(slots_of(values), name));
}

MechanismValues with_parameters(const MechanismValues& given, const std::vector<std::string>& names,
                                const Eigen::Ref<const VectorXd>& values) {
  check::size("with_parameters", "values", values.size(), static_cast<long long>(names.size()));
  MechanismValues made = given;
  const std::vector<Slot> slots = slots_of(made);
  for (std::size_t i = 0; i < names.size(); ++i) {
    *slot_of(slots, names[i]).value = values(static_cast<Index>(i));
  }
  return made;
}

optimize::Parameter unknown_parameter(const MechanismDescription& description,
                                      const std::string& name) {
  const MechanismParameter found = mechanism_parameter(description, name);
  optimize::Parameter made{.name = name, .guess = found.value};
  if (found.positive) made.lower = 0.0;
  return made;
}

}  // namespace alembert::identify
