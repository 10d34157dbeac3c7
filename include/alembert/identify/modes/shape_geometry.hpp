#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

/// Where the sensors of a mode shape stand, and how the structure looks.
namespace alembert::identify {

/// Nodes in space with the lines and surfaces between them.
struct ShapeGeometry {
  std::vector<std::string> nodes;                   ///< their names
  Eigen::MatrixXd positions;                        ///< nodes x 3, in any one unit of length
  std::vector<std::vector<Eigen::Index>> lines;     ///< polylines, as rows of `positions`
  std::vector<std::vector<Eigen::Index>> surfaces;  ///< polygons, as rows of `positions`
  /// Groups of nodes that move as one rigid body, such as the floor of a building; each node is in
  /// one group at most.
  std::vector<std::vector<Eigen::Index>> rigid = {};
};

/// What a sensor measures: the motion of a node in a direction.
struct SensorPlace {
  Eigen::Index node = -1;  ///< row of ShapeGeometry::positions; -1: the sensor has no place
  Eigen::Vector3d direction = Eigen::Vector3d::Zero();  ///< of unit length
};

/// The motion of every node that a shape tells of. With the directions d_i of the sensors at a node
/// as rows of D and their entries φ of the shape, the node moves by the shortest u with
///
///   D u = φ  in the sense of least squares,   u = D⁺ φ,
///
/// so that three perpendicular sensors give u itself, one gives φ d, and directions without sensor
/// stand still, as nodes without sensor do. The nodes of a rigid group move by
///
///   u_k = t + ω × (x_k - c),   c the mean of their positions,
///
/// with the shortest (t, ω h) that fits all sensors of the group, h the rms distance from c.
///
/// @param sensors one per entry of the shape.
/// @returns nodes x 3. @throws InvalidInput if sizes disagree a sensor names no node, or a
///   node is in two rigid groups.
[[nodiscard]] Eigen::MatrixXcd node_motion(const ShapeGeometry& geometry,
                                           const std::vector<SensorPlace>& sensors,
                                           const Eigen::VectorXcd& shape);

/// The nodes that no sensor moves, as rows of `positions`. @throws InvalidInput as node_motion().
[[nodiscard]] std::vector<Eigen::Index> still_nodes(const ShapeGeometry& geometry,
                                                    const std::vector<SensorPlace>& sensors);

}  // namespace alembert::identify
