#include <algorithm>
#include <cmath>
#include <numbers>

#include "alembert/core/random.hpp"
#include "model/planar/assembly.hpp"
#include "model/planar/assembly_words.hpp"
#include "model/planar/start_pose.hpp"

namespace alembert::model::planar {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr std::uint64_t kOtherSeed = 20240301;
constexpr double kSamePose = 1e-4;  // of the size of the mechanism, rad: a double root is met to √ε
constexpr int kMostStarts = 240;  // six assemblies of a 3-RPR platform were met within 60
constexpr int kFewestStarts = 12;
constexpr double kMostWork = 2e9;  // multiplications, about a second
constexpr std::size_t kMostOthers = 32;
constexpr std::size_t kMostMirrors = 12;

// An angle within half a turn of another.
double near_angle(double angle, double other) {
  return other + std::remainder(angle - other, 2.0 * std::numbers::pi);
}

VectorXd near_pose(VectorXd q, const VectorXd& other) {
  for (Index i = 2; i < q.size(); i += 3) q(i) = near_angle(q(i), other(i));
  return q;
}

bool same_pose(const Layout& layout, const VectorXd& a, const VectorXd& b) {
  for (Index i = 0; i < a.size(); ++i) {
    const double distance =
        i % 3 == 2 ? std::abs(near_angle(a(i), b(i)) - b(i)) : std::abs(a(i) - b(i)) / layout.size;
    if (distance > kSamePose) return false;
  }
  return true;
}

// So many starts that the search ends within about a second.
int affordable_starts(const Layout& layout) {
  const double unknowns = layout.unknowns();
  const double start = 60.0 * unknowns * unknowns * (layout.rows() + unknowns);
  return std::clamp(static_cast<int>(kMostWork / start), kFewestStarts, kMostStarts);
}

// All bodies mirrored at the line through two points.
VectorXd mirrored(const VectorXd& q, const Eigen::Vector2d& from, const Eigen::Vector2d& to) {
  const Eigen::Vector2d along = (to - from).normalized();
  const double angle = std::atan2(along.y(), along.x());
  VectorXd result = q;
  for (Index b = 0; b + 2 < q.size(); b += 3) {
    const Eigen::Vector2d arm = q.segment<2>(b) - from;
    result.segment<2>(b) = from + 2.0 * arm.dot(along) * along - arm;
    result(b + 2) = 2.0 * angle - q(b + 2);
  }
  return result;
}

// Poses mirrored at lines through points of the present one that lie apart.
std::vector<VectorXd> mirrored_poses(const Layout& layout, const MechanismState& state) {
  std::vector<Eigen::Vector2d> places;
  for (std::size_t i = 0; i < layout.points.size(); ++i) {
    Eigen::Vector2d place = state.arms[i];
    const int body = layout.points[i].body;
    if (body != layout.ground()) place += state.q.segment<2>(3 * body);
    places.push_back(place);
  }
  std::vector<VectorXd> poses;
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = 0; j < i && poses.size() < kMostMirrors; ++j) {
      if ((places[i] - places[j]).norm() < kSamePose * layout.size) continue;
      poses.push_back(mirrored(state.q, places[j], places[i]));
    }
  }
  return poses;
}

// Anywhere within the reach of the mechanism.
VectorXd scattered_pose(const Layout& layout, RandomStream& random) {
  VectorXd q(layout.unknowns());
  for (Index i = 0; i < q.size(); ++i) {
    q(i) = i % 3 == 2 ? random.uniform(-std::numbers::pi, std::numbers::pi)
                      : 3.0 * layout.size * random.uniform(-1.0, 1.0);
  }
  return q;
}

}  // namespace

Assemblies Mechanism::assemblies(const MechanismState& state) const {
  Assemblies found;
  if (!state.positioned) return found;
  const Layout& layout = *layout_;
  const std::vector<VectorXd> mirrors = mirrored_poses(layout, state);
  RandomStream random(kOtherSeed);
  found.starts = affordable_starts(layout);
  std::vector<VectorXd> poses = {state.q};
  MechanismState trial = state;
  for (int start = 0; start < found.starts && poses.size() <= kMostOthers; ++start) {
    const auto mirror = static_cast<std::size_t>(start);
    if (mirror < mirrors.size()) {
      trial.q = mirrors[mirror];
    } else if (start % 2 == 0) {
      start_pose(layout, description_, state.z, 1, random, trial.q);
    } else {
      trial.q = scattered_pose(layout, random);
    }
    if (!close_joints(layout, state.z, layout.rows(), trial).closed()) continue;
    const bool known = std::any_of(poses.begin(), poses.end(), [&](const VectorXd& pose) {
      return same_pose(layout, pose, trial.q);
    });
    if (!known) poses.push_back(near_pose(trial.q, state.q));
  }
  std::sort(poses.begin() + 1, poses.end(), [](const VectorXd& a, const VectorXd& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  });
  describe_assemblies(*this, layout, state, poses, found);
  return found;
}

}  // namespace alembert::model::planar
