#include "report/tasks/reduce/mesh_drawing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>
#include <vector>

namespace alembert::report {
namespace {

constexpr std::size_t kMostEdges = 4000;
constexpr Eigen::Index kFrames = 24;
constexpr double kSwing = 0.08;  // largest motion, as a part of the mesh

using Edge = std::pair<Eigen::Index, Eigen::Index>;

std::set<Edge> edges_of(const model::Structure& structure) {
  std::set<Edge> edges;
  for (const std::vector<Eigen::Index>& face : structure.faces) {
    for (std::size_t i = 0; i < face.size(); ++i) {
      const Eigen::Index a = face[i];
      const Eigen::Index b = face[(i + 1) % face.size()];
      if (a != b) edges.emplace(std::min(a, b), std::max(a, b));
    }
  }
  return edges;
}

bool is_flat(const model::Structure& structure) {
  return std::all_of(structure.nodes.begin(), structure.nodes.end(), [&](const auto& node) {
    return node.place.z() == structure.nodes.front().place.z();
  });
}

// Flat meshes from above, others from a corner.
Eigen::Matrix<double, 2, 3> view_of(const model::Structure& structure) {
  Eigen::Matrix<double, 2, 3> view;
  if (is_flat(structure)) {
    view << 1, 0, 0, 0, 1, 0;
  } else {
    const double c = std::cos(std::numbers::pi / 6);
    view << c, -c, 0, 0.5, 0.5, 1;
  }
  return view;
}

// Motion of each node in space.
std::vector<Eigen::Vector3d> node_motion(const model::Structure& structure,
                                         const Eigen::VectorXd& shape) {
  std::vector<Eigen::Vector3d> motion(structure.nodes.size(), Eigen::Vector3d::Zero());
  for (std::size_t row = 0; row < structure.coordinates.size(); ++row) {
    const model::StructureCoordinate& one = structure.coordinates[row];
    const int direction = static_cast<int>(one.direction);
    if (direction > 2) continue;  // rotations are not drawn
    motion[static_cast<std::size_t>(one.node)](direction) = shape(static_cast<Eigen::Index>(row));
  }
  return motion;
}

double span_of(const model::Structure& structure) {
  Eigen::Vector3d low = structure.nodes.front().place;
  Eigen::Vector3d high = low;
  for (const model::StructureNode& node : structure.nodes) {
    low = low.cwiseMin(node.place);
    high = high.cwiseMax(node.place);
  }
  return (high - low).maxCoeff();
}

}  // namespace

std::optional<Animation> shape_animation(const model::Structure& structure,
                                         const Eigen::VectorXd& shape, const std::string& id,
                                         const std::string& title) {
  const std::set<Edge> edges = edges_of(structure);
  if (edges.empty() || edges.size() > kMostEdges) return std::nullopt;
  const std::vector<Eigen::Vector3d> motion = node_motion(structure, shape);
  double largest = 0.0;
  for (const Eigen::Vector3d& one : motion) largest = std::max(largest, one.norm());
  if (largest == 0.0) return std::nullopt;
  const double factor = kSwing * span_of(structure) / largest;
  const Eigen::Matrix<double, 2, 3> view = view_of(structure);
  Animation animation{.id = id, .title = title};
  animation.bodies.assign(structure.nodes.size(), "");
  animation.times = Eigen::VectorXd::LinSpaced(kFrames + 1, 0.0, 1.0);
  animation.poses.setZero(kFrames + 1, static_cast<Eigen::Index>(3 * structure.nodes.size()));
  for (Eigen::Index frame = 0; frame <= kFrames; ++frame) {
    // Largest at the first frame, which is what a print shows.
    const double swing = factor * std::cos(2.0 * std::numbers::pi * animation.times(frame));
    for (std::size_t i = 0; i < structure.nodes.size(); ++i) {
      const Eigen::Vector2d at = view * (structure.nodes[i].place + swing * motion[i]);
      animation.poses.block(frame, static_cast<Eigen::Index>(3 * i), 1, 2) = at.transpose();
    }
  }
  for (const auto& [a, b] : edges) {
    animation.links.push_back({static_cast<int>(a), static_cast<int>(b), Eigen::Vector2d::Zero(),
                               Eigen::Vector2d::Zero()});
    animation.traces.push_back({view * structure.nodes[static_cast<std::size_t>(a)].place,
                                view * structure.nodes[static_cast<std::size_t>(b)].place});
  }
  return animation;
}

}  // namespace alembert::report
