#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "model/flexible/beam.hpp"

namespace alembert::model::flexible {

/// A component (x, y, angle) of a node: factor times an unknown displacement; -1 where it is held.
struct NodeComponent {
  int unknown = -1;
  double factor = 1.0;
};

/// A node: a point of a body, on the x axis of its frame for flexible ones.
struct Node {
  std::string name;                              ///< "EF.F", "CE#2" for nodes without a name
  int body = 0;                                  ///< of the moving bodies
  Eigen::Vector2d at = Eigen::Vector2d::Zero();  ///< in the frame of the body, m
  std::array<NodeComponent, 3> components = {};
};

/// An unknown displacement: along (x, y, angle) of the node that it belongs to first.
struct Unknown {
  std::string name;
  int node = 0;
  Eigen::Vector3d direction = Eigen::Vector3d::Zero();
};

struct Element {
  int body = 0;
  std::array<int, 2> nodes = {};
  std::array<NodeComponent, 6> components = {};
  BeamMatrices beam = {};
};

/// A point force along an axis, or a torque between two nodes.
struct LayoutForce {
  bool torque = true;
  int node = -1;      ///< -1: the ground
  int reaction = -1;  ///< of a torque; of a point force the body that turns the axis, or -1
  Eigen::Vector2d axis = Eigen::Vector2d::Zero();
};

/// A spring and damper between two points or two rotations.
struct LayoutSpring {
  bool turning = false;
  int a = -1, b = -1;  ///< nodes; -1: the ground
  Eigen::Vector2d ground_a = Eigen::Vector2d::Zero(), ground_b = Eigen::Vector2d::Zero();
  double stiffness = 0.0, free = 0.0, preload = 0.0, damping = 0.0;
};

/// What a flexible mechanism is made of, with names turned into numbers.
struct FlexibleLayout {
  std::vector<std::string> bodies;  ///< moving ones, in the order of q
  std::vector<bool> is_flexible;    ///< of each
  std::vector<Node> nodes;
  std::vector<Unknown> unknowns;
  std::vector<std::string> names;  ///< of the unknowns
  std::vector<Element> elements;
  Eigen::VectorXd lumps;   ///< masses and inertias of the unknowns
  Eigen::VectorXd masses;  ///< of the nodes, for gravity
  std::vector<LayoutForce> forces;
  std::vector<LayoutSpring> springs;
  std::vector<int> row_start;  ///< first entry of each row of the factors of M
  int zeroed = 0;              ///< how many of the last unknowns are zero

  [[nodiscard]] int size() const { return static_cast<int>(unknowns.size()); }
  [[nodiscard]] int elastic() const { return size() - zeroed; }
};

/// Nodes, unknowns and elements of a description that is checked here, no displacement zeroed yet.
/// @throws InvalidInput that names the culprit.
[[nodiscard]] FlexibleLayout make_layout(const FlexibleDescription& description,
                                         const std::vector<std::string>& moving);

/// Takes the unknowns in another order, the last `zeroed` of which are zero.
void reorder(const std::vector<int>& order, int zeroed, FlexibleLayout& layout);

/// The node "body.point", or the first of "body"; -1 for the ground.
/// @throws InvalidInput for an unknown name.
[[nodiscard]] int find_node(const FlexibleLayout& layout, const std::string& name);

}  // namespace alembert::model::flexible
