#include <fmt/core.h>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "model/planar/layout/layout_parts.hpp"

namespace alembert::model::planar {

namespace {

ScalarFunction resisted(const Layout& layout, const std::string& what,
                        const PassiveForce& passive) {
  if (passive.kind == PassiveKind::Angle) {
    return relative_angle(find_body(layout, what, passive.a), find_body(layout, what, passive.b));
  }
  const int a = find_point(layout, what, passive.a);
  const int b = find_point(layout, what, passive.b);
  const bool slide = passive.kind == PassiveKind::Slide;
  ScalarFunction s =
      projection(a, b, slide ? layout.points[static_cast<std::size_t>(a)].body : layout.ground(),
                 slide ? unit_axis(what, passive.axis) : Eigen::Vector2d::UnitX());
  if (!slide) s.shape = ScalarFunction::Shape::Distance;
  return s;
}

void check_breakaway(const std::string& what, const PassiveForce& passive) {
  if (!passive.breakaway) return;
  check::finite(what, "breakaway", *passive.breakaway);
  if (*passive.breakaway >= passive.coulomb) return;
  throw InvalidInput({.function = what,
                      .argument = "breakaway",
                      .rule = fmt::format("must be at least coulomb, {}", passive.coulomb),
                      .value = fmt::format("{}", *passive.breakaway)});
}

}  // namespace

void add_passive(Layout& layout, const PassiveForce& passive) {
  const std::string what = fmt::format("Mechanism: passive force '{}'", passive.name);
  check::finite(what, "stiffness", passive.stiffness);
  check::finite(what, "free", passive.free);
  check::finite(what, "preload", passive.preload);
  check::non_negative(what, "damping", passive.damping);
  check::non_negative(what, "coulomb", passive.coulomb);
  check_breakaway(what, passive);
  check::positive(what, "stribeck_rate", passive.stribeck_rate);
  check::positive(what, "smooth_rate", passive.smooth_rate);
  layout.passive.push_back({.function = resisted(layout, what, passive),
                            .stiffness = passive.stiffness,
                            .free = passive.free,
                            .preload = passive.preload,
                            .damping = passive.damping,
                            .coulomb = passive.coulomb,
                            .breakaway = passive.breakaway.value_or(passive.coulomb),
                            .stribeck_rate = passive.stribeck_rate,
                            .smooth_rate = passive.smooth_rate});
}

}  // namespace alembert::model::planar
