#include "model/planar/assembly_words.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "alembert/core/text.hpp"
#include "model/planar/assembly.hpp"

namespace alembert::model::planar {

namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;

// Of the size of the mechanism, and in rad: what differs by less is the same.
constexpr double kDiffers = 1e-4;
// Of the size of the mechanism, and of a turn: what is smaller is printed as 0.
constexpr double kRounding = 1e-12;

/// A pin between two bodies, and pins of these that stay where they are: A - B - C.
struct Dyad {
  std::string a, b, c;
};

std::string body_of(const std::string& point) { return point.substr(0, point.find('.')); }

// "crank.A" is a point, "slider" a body.
bool is_pin(const Joint& joint) { return joint.kind == JointKind::Revolute; }

/// Positions of points in two poses.
class Comparison {
 public:
  Comparison(const Mechanism& mechanism, const Layout& layout, const MechanismState& state,
             const VectorXd& other)
      : mechanism_(mechanism), here_(state), there_(state), size_(layout.size) {
    there_.q = other;
    set_positions(layout, there_);
  }

  [[nodiscard]] bool stays(const std::string& point) const {
    return (here(point) - there(point)).norm() <= kDiffers * size_;
  }
  [[nodiscard]] Vector2d here(const std::string& point) const {
    return mechanism_.position_of(point, here_);
  }
  [[nodiscard]] Vector2d there(const std::string& point) const {
    return mechanism_.position_of(point, there_);
  }

 private:
  const Mechanism& mechanism_;
  const MechanismState& here_;
  MechanismState there_;
  double size_;
};

// A pin of a body that stays, other than this joint.
std::optional<std::string> staying_pin(const MechanismDescription& description,
                                       const std::string& body, const Joint& without,
                                       const Comparison& compared) {
  for (const Joint& joint : description.joints) {
    if (&joint == &without || !is_pin(joint)) continue;
    for (const std::string& end : {joint.a, joint.b}) {
      if (body_of(end) == body && compared.stays(end)) return end;
    }
  }
  return std::nullopt;
}

// Pins that lie on the other side of the line between two that stay.
std::vector<Dyad> turned_dyads(const MechanismDescription& description,
                               const Comparison& compared) {
  std::vector<Dyad> dyads;
  for (const Joint& joint : description.joints) {
    if (!is_pin(joint) || body_of(joint.a) == "ground" || body_of(joint.b) == "ground") continue;
    if (compared.stays(joint.a)) continue;
    const auto a = staying_pin(description, body_of(joint.a), joint, compared);
    const auto c = staying_pin(description, body_of(joint.b), joint, compared);
    if (a && c) dyads.push_back({*a, joint.a, *c});
  }
  return dyads;
}

// "coupler.B above the line from crank.A to rocker.C"
std::string side_words(const Dyad& dyad, const Vector2d& a, const Vector2d& b, const Vector2d& c) {
  const Vector2d line = c - a;
  const double cross = line.x() * (b.y() - a.y()) - line.y() * (b.x() - a.x());
  const bool flat = std::abs(line.x()) >= std::abs(line.y());
  // Left of a line that leads to the right is above it.
  const bool first = (cross > 0.0) == (flat ? line.x() > 0.0 : line.y() > 0.0);
  const char* const side = flat ? (first ? "above" : "below") : (first ? "left of" : "right of");
  return fmt::format("{} {} the line from {} to {}", dyad.b, side, dyad.a, dyad.c);
}

// A number to print: 0 where it is rounding beside the scale.
double rounded(double value, double scale) {
  return std::abs(value) < kRounding * scale ? 0.0 : value;
}

// "rod at (0.1, -0.2) m and -33 deg"
std::string place_words(const Layout& layout, const VectorXd& q, int index) {
  const double degrees = std::remainder(q(3 * index + 2) * 180.0 / std::numbers::pi, 360.0);
  return fmt::format("{} at ({:.4g}, {:.4g}) m and {:.4g} deg",
                     layout.bodies[static_cast<std::size_t>(index)],
                     rounded(q(3 * index), layout.size), rounded(q(3 * index + 1), layout.size),
                     rounded(degrees, 360.0));
}

// The bodies whose poses differ from those of any other assembly.
std::vector<int> moving_bodies(const Layout& layout, const std::vector<VectorXd>& poses) {
  std::vector<int> bodies;
  for (int b = 0; b < layout.ground(); ++b) {
    for (const VectorXd& pose : poses) {
      const double way = (pose - poses.front()).segment<2>(3 * b).norm() / layout.size;
      const double turn = std::abs(pose(3 * b + 2) - poses.front()(3 * b + 2));
      if (way <= kDiffers && turn <= kDiffers) continue;
      bodies.push_back(b);
      break;
    }
  }
  return bodies;
}

std::string pose_words(const Layout& layout, const std::vector<int>& bodies, const VectorXd& q) {
  std::vector<std::string> words;
  for (const int b : bodies) {
    words.push_back(place_words(layout, q, b));
  }
  return join(words, ", ");
}

}  // namespace

void describe_assemblies(const Mechanism& mechanism, const Layout& layout,
                         const MechanismState& state, const std::vector<VectorXd>& poses,
                         Assemblies& found) {
  if (poses.size() < 2) return;
  const std::vector<int> bodies = moving_bodies(layout, poses);
  std::vector<std::string> taken;
  for (std::size_t i = 1; i < poses.size(); ++i) {
    const Comparison compared(mechanism, layout, state, poses[i]);
    std::vector<std::string> words;
    for (const Dyad& dyad : turned_dyads(mechanism.description(), compared)) {
      words.push_back(
          side_words(dyad, compared.there(dyad.a), compared.there(dyad.b), compared.there(dyad.c)));
      const std::string here =
          side_words(dyad, compared.here(dyad.a), compared.here(dyad.b), compared.here(dyad.c));
      if (std::find(taken.begin(), taken.end(), here) == taken.end()) taken.push_back(here);
    }
    const std::string where = pose_words(layout, bodies, poses[i]);
    const std::string sides = join(words, ", ");
    found.others.push_back({poses[i], sides.empty() ? where : sides + ": " + where});
  }
  const std::string where = pose_words(layout, bodies, poses.front());
  const std::string sides = join(taken, ", ");
  found.taken = sides.empty() ? where : sides + ": " + where;
}

}  // namespace alembert::model::planar
