#include "alembert/identify/modes/shape_geometry.hpp"

#include <fmt/format.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;

// Directions that differ by less than this (singular value of unit vectors) are one.
constexpr double kSameDirection = 1e-6;

using Rows = std::vector<Index>;

// Nodes that move together: one, or those of a rigid group.
struct MovingPart {
  Rows nodes;
  Rows sensors = {};
};

void check_node(const char* function, const std::string& item, Index node, Index nodes) {
  if (node < nodes) return;
  throw InvalidInput({.function = function,
                      .argument = item,
                      .rule = fmt::format("must be below the number of nodes, {}", nodes),
                      .value = fmt::format("{}", node)});
}

// Rigid groups first, then every other node alone, each with its sensors.
std::vector<MovingPart> moving_parts(const char* function, const ShapeGeometry& geometry,
                                     const std::vector<SensorPlace>& sensors) {
  const Index nodes = geometry.positions.rows();
  constexpr auto kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> part_of(static_cast<std::size_t>(nodes), kNone);
  std::vector<MovingPart> parts;
  for (const Rows& group : geometry.rigid) {
    for (const Index node : group) {
      check_node(function, "geometry.rigid", node, nodes);
      std::size_t& own = part_of[static_cast<std::size_t>(node)];
      if (own != kNone) {
        throw InvalidInput({.function = function,
                            .argument = "geometry.rigid",
                            .rule = "must name each node once",
                            .value = fmt::format("{} twice", node)});
      }
      own = parts.size();
    }
    parts.push_back({.nodes = group});
  }
  for (Index node = 0; node < nodes; ++node) {
    std::size_t& own = part_of[static_cast<std::size_t>(node)];
    if (own != kNone) continue;
    own = parts.size();
    parts.push_back({.nodes = {node}});
  }
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    const Index node = sensors[i].node;
    check_node(function, fmt::format("sensors[{}].node", i), node, nodes);
    if (node < 0) continue;
    parts[part_of[static_cast<std::size_t>(node)]].sensors.push_back(static_cast<Index>(i));
  }
  return parts;
}

// The motion of a point at r from the centre of its part, u = t + ω × r, as a matrix on (t, ω h):
// [I, -[r]x / h]; for a single node [I, 0].
MatrixXd motion_of_point(const Vector3d& r, double size) {
  MatrixXd map = MatrixXd::Zero(3, 6);
  map.leftCols<3>().setIdentity();
  if (!(size > 0.0)) return map;
  map.rightCols<3>() << 0.0, r.z(), -r.y(), -r.z(), 0.0, r.x(), r.y(), -r.x(), 0.0;
  map.rightCols<3>() /= size;
  return map;
}

class PartMotion {
 public:
  PartMotion(const ShapeGeometry& geometry, const MovingPart& part)
      : geometry_(geometry), part_(part) {
    for (const Index node : part.nodes) centre_ += position(node);
    centre_ /= static_cast<double>(part.nodes.size());
    for (const Index node : part.nodes) size_ += (position(node) - centre_).squaredNorm();
    size_ = std::sqrt(size_ / static_cast<double>(part.nodes.size()));
  }

  void find(const std::vector<SensorPlace>& sensors, const Eigen::VectorXcd& shape,
            Eigen::MatrixXcd& motion) const {
    const auto count = static_cast<Index>(part_.sensors.size());
    MatrixXd rows(count, 6);
    MatrixXd entries(count, 2);
    for (Index k = 0; k < count; ++k) {
      const Index sensor = part_.sensors[static_cast<std::size_t>(k)];
      const SensorPlace& place = sensors[static_cast<std::size_t>(sensor)];
      rows.row(k) = place.direction.transpose() * map(place.node);
      entries.row(k) << shape(sensor).real(), shape(sensor).imag();
    }
    // (t, ω h) = D⁺ φ
    Eigen::JacobiSVD<MatrixXd> parts(rows, Eigen::ComputeThinU | Eigen::ComputeThinV);
    parts.setThreshold(kSameDirection);
    const MatrixXd body = parts.solve(entries);
    for (const Index node : part_.nodes) {
      const MatrixXd u = map(node) * body;
      motion.row(node).real() = u.col(0).transpose();
      motion.row(node).imag() = u.col(1).transpose();
    }
  }

 private:
  [[nodiscard]] Vector3d position(Index node) const {
    return geometry_.positions.row(node).transpose();
  }
  [[nodiscard]] MatrixXd map(Index node) const {
    return motion_of_point(position(node) - centre_, size_);
  }

  const ShapeGeometry& geometry_;
  const MovingPart& part_;
  Vector3d centre_ = Vector3d::Zero();
  double size_ = 0.0;
};

}  // namespace

Eigen::MatrixXcd node_motion(const ShapeGeometry& geometry, const std::vector<SensorPlace>& sensors,
                             const Eigen::VectorXcd& shape) {
  if (shape.size() != static_cast<Index>(sensors.size())) {
    throw InvalidInput(
        {.function = "node_motion",
         .argument = "shape",
         .rule = fmt::format("must have an entry for each of {} sensors", sensors.size()),
         .value = fmt::format("{}", shape.size())});
  }
  Eigen::MatrixXcd motion = Eigen::MatrixXcd::Zero(geometry.positions.rows(), 3);
  for (const MovingPart& part : moving_parts("node_motion", geometry, sensors)) {
    if (!part.sensors.empty()) PartMotion(geometry, part).find(sensors, shape, motion);
  }
  return motion;
}

std::vector<Index> still_nodes(const ShapeGeometry& geometry,
                               const std::vector<SensorPlace>& sensors) {
  Rows still;
  for (const MovingPart& part : moving_parts("still_nodes", geometry, sensors)) {
    if (part.sensors.empty()) still.insert(still.end(), part.nodes.begin(), part.nodes.end());
  }
  return still;
}

}  // namespace alembert::identify
