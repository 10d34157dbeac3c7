#include "reproductions/manipulator/links.hpp"

#include <cmath>
#include <numbers>

namespace alembert::reproductions::manipulator {
namespace {

using model::flexible::FlexibleBody;
using model::flexible::FlexibleDescription;
using model::flexible::Lump;
using model::planar::Body;

constexpr double kModulus = 69e9;  // [MultibodyThesis, section 4.2]

/// What the variants have otherwise.
struct Numbers {
  double mass_bc, mass_4, mass_12;
  double inertia_1, inertia_3, inertia_6, inertia_8, inertia_9, inertia_10;
};

// [MultibodyThesis, tables 4.1 and 4.5], nodes by their numbers there.
constexpr Numbers kTable = {.mass_bc = 0.444,
                            .mass_4 = 0.4,
                            .mass_12 = 1.537,
                            .inertia_1 = 0.013,
                            .inertia_3 = 0.0229,
                            .inertia_6 = 0.0,
                            .inertia_8 = 0.0,
                            .inertia_9 = 0.0,
                            .inertia_10 = 0.0};
// Fitted to [MultibodyThesis, table 5.5]: eight frequencies, eight groups of numbers.
constexpr Numbers kCalib = {.mass_bc = 0.459,
                            .mass_4 = 0.3206,
                            .mass_12 = 0.9227,
                            .inertia_1 = 0.0151,
                            .inertia_3 = 0.01425,
                            .inertia_6 = 4.2e-4,
                            .inertia_8 = 4.2e-4,
                            .inertia_9 = 7.4e-4,
                            .inertia_10 = 2.95e-3};

FlexibleBody rod(const char* name, double length, double diameter, double mass, int elements,
                 std::vector<Lump> lumps) {
  return {.name = name,
          .section = model::flexible::round_section(diameter, kModulus, mass / length),
          .elements = elements,
          .lumps = std::move(lumps)};
}

void add_bodies(double inner, FlexibleDescription& made) {
  const double q1 = reference_pose()(0);
  const double q2 = reference_pose()(1);
  const Eigen::Vector2d B = 0.5 * Eigen::Vector2d(std::cos(q1), std::sin(q1));
  const Eigen::Vector2d C = B + 0.85 * Eigen::Vector2d(std::cos(q2), std::sin(q2));
  made.mechanism.bodies = {
      {.name = "AB", .points = {{"A", {0.0, 0.0}}, {"B", {0.5, 0.0}}}},
      {.name = "AD", .points = {{"A", {0.0, 0.0}}, {"M", {0.425, 0.0}}, {"D", {0.85, 0.0}}}},
      {.name = "BC",
       .points = {{"B", {0.0, 0.0}}, {"M", {0.425, 0.0}}, {"C", {0.85, 0.0}}},
       .start = Eigen::Vector3d(B.x(), B.y(), q2)},
      {.name = "CE",
       .points = {{"C", {0.0, 0.0}}, {"D", {0.5, 0.0}}, {"N", {inner, 0.0}}, {"E", {1.2, 0.0}}},
       .start = Eigen::Vector3d(C.x(), C.y(), q1 + std::numbers::pi)},
      {.name = "EF", .points = {{"E", {0.0, 0.0}}, {"F", {0.282, 0.0}}}}};
}

void add_joints(FlexibleDescription& made) {
  const std::vector<std::pair<const char*, const char*>> pins = {
      {"ground", "AB.A"}, {"ground", "AD.A"}, {"AB.B", "BC.B"},
      {"BC.C", "CE.C"},   {"AD.D", "CE.D"},   {"CE.E", "EF.E"}};
  for (const auto& [a, b] : pins) made.mechanism.joints.push_back({.a = a, .b = b});
  for (const char* angle : {"angle(AB)", "angle(AD)", "angle(EF)"}) {
    made.mechanism.coordinates.push_back(model::planar::parse_coordinate(angle));
  }
  // As in the thesis the torque on EF has no reaction on CE.
  for (const char* body : {"AB", "AD", "EF"}) {
    made.mechanism.forces.push_back({.name = std::string("T_") + body, .of = body});
  }
}

}  // namespace

FlexibleDescription links(Variant variant, double inner) {
  const Numbers& n = variant == Variant::Table ? kTable : kCalib;
  FlexibleDescription made;
  made.mechanism.gravity.setZero();
  add_bodies(inner, made);
  add_joints(made);
  made.bodies = {
      rod("AB", 0.5, 0.030, 1.052, 1, {{"A", 7.644, n.inertia_1}, {"B", 0.392, 0.0}}),
      rod("AD", 0.85, 0.030, 1.596, 2,
          {{"A", 9.517, n.inertia_3}, {"M", n.mass_4, 0.0}, {"D", 0.648, 0.0}}),
      rod("BC", 0.85, 0.016, n.mass_bc, 2, {{"B", 0.671, n.inertia_6}, {"C", 0.383, n.inertia_8}}),
      rod("CE", 1.2, 0.024, 1.343, 3,
          {{"C", 0.658, n.inertia_9}, {"D", 0.308, n.inertia_10}, {"E", n.mass_12, 0.0}}),
      rod("EF", 0.282, 0.020, 0.190, 1, {{"E", 0.095, 0.0015}, {"F", 0.046, 0.0}})};
  return made;
}

Eigen::VectorXd reference_pose() { return Eigen::Vector3d(1.0821, 2.6354, 4.7123); }

}  // namespace alembert::reproductions::manipulator
