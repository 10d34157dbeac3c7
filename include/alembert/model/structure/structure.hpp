#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <map>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"

/// Structures: sparse M and K with a table that says which node and direction each row belongs to.
namespace alembert::model {

using SparseMatrix = Eigen::SparseMatrix<double>;

/// Direction of a coordinate: along an axis, or a rotation about it.
enum class Direction { X, Y, Z, RX, RY, RZ };
constexpr auto enum_names(Direction) {
  return std::to_array<EnumName<Direction>>({{Direction::X, "x"},
                                             {Direction::Y, "y"},
                                             {Direction::Z, "z"},
                                             {Direction::RX, "rx"},
                                             {Direction::RY, "ry"},
                                             {Direction::RZ, "rz"}});
}

/// What a row of the matrices is.
struct StructureCoordinate {
  Eigen::Index node = 0;  ///< index into Structure::nodes
  Direction direction = Direction::X;
};

/// A node: its number in the user's mesh, and where it is.
struct StructureNode {
  long long number = 0;
  Eigen::Vector3d place = Eigen::Vector3d::Zero();  ///< m
};

/// M x'' + D x' + K x = f, sparse, both triangles stored.
struct Structure {
  SparseMatrix M;                         ///< mass, symmetric, positive semidefinite
  SparseMatrix K;                         ///< stiffness, symmetric, positive semidefinite
  SparseMatrix D = {};                    ///< damping; without entries: none
  std::vector<StructureNode> nodes = {};  ///< empty: the rows have numbers only
  std::vector<StructureCoordinate> coordinates = {};  ///< one for each row, or empty
  /// Polygons (or lines of two nodes) to draw, as indices into `nodes`.
  std::vector<std::vector<Eigen::Index>> faces = {};
  std::map<std::string, std::vector<Eigen::Index>> node_sets = {};  ///< indices into `nodes`

  [[nodiscard]] Eigen::Index size() const { return K.rows(); }
  [[nodiscard]] bool has_nodes() const { return !nodes.empty(); }
};

/// What is worth knowing of a structure that can be used.
struct StructureCheck {
  std::vector<Eigen::Index> massless;     ///< rows without mass
  std::vector<Eigen::Index> unstiffened;  ///< rows without stiffness
  Eigen::Index parts = 0;                 ///< groups of rows that no entry of K or M connects
};

/// "row 12 (node 6, y)", counted from 1.
[[nodiscard]] std::string row_words(const Structure& structure, Eigen::Index row);

/// Checks sizes, finite entries, symmetry (to 1e-9 of the largest entry), diagonals that are not
/// negative, rows that have neither mass nor stiffness, and the table of nodes.
/// @throws InvalidInput naming the matrix, the rule and the entry.
[[nodiscard]] StructureCheck check_structure(const Structure& structure);

}  // namespace alembert::model
