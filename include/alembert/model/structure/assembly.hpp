#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "alembert/model/structure/elements.hpp"
#include "alembert/model/structure/structure.hpp"

namespace alembert::model {

/// Puts a structure together from nodes and elements.
///
///   StructureBuilder builder;
///   const auto a = builder.add_node({0, 0, 0});
///   const auto b = builder.add_node({1, 0, 0});
///   builder.add_plane_beam({a, b}, steel, section);
///   builder.fix(a, Direction::X); ...
///   const Structure structure = builder.build();
///
/// A node has the directions that its elements give it. Rows are sorted by node, then direction.
class StructureBuilder {
 public:
  /// Adds a node. Returns its index, from 0. @param number in the user's mesh; 0: its index + 1.
  Eigen::Index add_node(const Eigen::Vector3d& place, long long number = 0);
  [[nodiscard]] Eigen::Index nodes() const { return static_cast<Eigen::Index>(nodes_.size()); }

  /// Adds an element with these directions at each of its nodes.
  /// @throws InvalidInput if a node is not there or the sizes do not agree.
  void add(const ElementMatrices& element, std::span<const Eigen::Index> nodes,
           std::span<const Direction> directions);
  void add_quad4(const std::array<Eigen::Index, 4>& nodes, const Material& material,
                 double thickness, PlaneState state);
  void add_hex8(const std::array<Eigen::Index, 8>& nodes, const Material& material,
                bool incompatible_modes = true);
  void add_tet4(const std::array<Eigen::Index, 4>& nodes, const Material& material);
  void add_tet10(const std::array<Eigen::Index, 10>& nodes, const Material& material);
  void add_plane_beam(const std::array<Eigen::Index, 2>& nodes, const Material& material,
                      const BeamSection& section);
  void add_space_beam(const std::array<Eigen::Index, 2>& nodes, const Material& material,
                      const SpaceSection& section);
  /// Adds a bar of space.
  void add_bar(const std::array<Eigen::Index, 2>& nodes, const Material& material, double area);
  /// Adds a mass (kg), or an inertia (kg m²) for a rotation.
  void add_mass(Eigen::Index node, Direction direction, double mass);
  /// Adds a spring (N/m or N m/rad) between the same direction of two nodes.
  void add_spring(Eigen::Index a, Eigen::Index b, Direction direction, double stiffness);
  /// Adds a spring to the ground.
  void add_ground_spring(Eigen::Index node, Direction direction, double stiffness);
  /// Adds a damper (N s/m or N m s/rad) between the same direction of two nodes.
  void add_damper(Eigen::Index a, Eigen::Index b, Direction direction, double damping);
  /// Adds a damper to the ground.
  void add_ground_damper(Eigen::Index node, Direction direction, double damping);
  /// Ties a node to another as one rigid body: its motion is that of the other one's, rotations
  /// included, u = u' + θ' x r. The tied node has no coordinates of its own.
  /// @throws InvalidInput if a node is tied twice, to itself, or to one that is tied itself.
  void add_rigid_link(Eigen::Index node, Eigen::Index to);
  /// Adds a polygon, or a line of two nodes, to draw.
  void add_face(std::vector<Eigen::Index> nodes);
  /// Names nodes; a set that is there grows.
  void add_node_set(const std::string& name, const std::vector<Eigen::Index>& nodes);
  /// Takes a direction of a node away: it does not move.
  void fix(Eigen::Index node, Direction direction);

  /// The structure. @throws InvalidInput if nothing can move, or a tied node is fixed.
  [[nodiscard]] Structure build() const;

 private:
  [[nodiscard]] std::int64_t id(const char* function, Eigen::Index node, Direction direction) const;
  [[nodiscard]] Eigen::MatrixXd places(std::span<const Eigen::Index> nodes, int columns) const;

  struct Entry {
    std::int64_t row, column;  // six directions of each node
    double value;
  };
  std::vector<Eigen::Vector3d> nodes_;
  std::vector<long long> numbers_;
  /// Entries of tied nodes as those of the nodes that they are tied to.
  [[nodiscard]] std::vector<Entry> without_links(const std::vector<Entry>& entries) const;
  void check_links() const;

  std::vector<Entry> mass_, stiffness_, damping_;
  std::map<Eigen::Index, Eigen::Index> links_;  // tied node and what it is tied to
  std::set<std::int64_t> fixed_;
  std::vector<std::vector<Eigen::Index>> faces_;
  std::map<std::string, std::vector<Eigen::Index>> node_sets_;
};

/// A rectangle of the plane, m.
struct Rectangle {
  double x0 = 0.0, y0 = 0.0, x1 = 0.0, y1 = 0.0;
};

/// A plate in the x-y plane, made of quadrilaterals between the lines x = lines_x(i), y =
/// lines_y(j).
struct PlateGrid {
  std::vector<double> x, y;             ///< lines, rising, m
  std::vector<Rectangle> cutouts = {};  ///< elements whose middle lies inside are left out
  Material material = {};
  double thickness = 1.0;  ///< m
  PlaneState state = PlaneState::Stress;
};

/// Adds the nodes and elements of a plate; nodes without element are left out. Nodes are numbered
/// along y first.
/// @throws InvalidInput if lines do not rise, or nothing is left.
void add_plate(const PlateGrid& grid, StructureBuilder& builder);

/// A box of space, m.
struct Box {
  double x0 = 0.0, y0 = 0.0, z0 = 0.0, x1 = 0.0, y1 = 0.0, z1 = 0.0;
};

/// A block of bricks between planes x = x(i), y = y(j), z = z(k).
struct BlockGrid {
  std::vector<double> x, y, z;    ///< planes, rising, m
  std::vector<Box> cutouts = {};  ///< elements whose middle lies inside are left out
  Material material = {};
  bool incompatible_modes = true;
};

/// Adds the nodes and elements of a block, and its outer faces to draw; nodes without element are
/// left out. Nodes are numbered along z first, then y.
/// @throws InvalidInput if planes do not rise, or nothing is left.
void add_block(const BlockGrid& grid, StructureBuilder& builder);

}  // namespace alembert::model
