#pragma once

#include <Eigen/Core>
#include <map>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/model/structure/assembly.hpp"

/// Meshes from elsewhere: nodes, elements and named sets of nodes.
namespace alembert::model {

/// Kind of an element. Nodes go as in quad4(), hex8(), tet4() and tet10().
enum class CellKind { Quad4, Hex8, Tet4, Tet10 };
constexpr auto enum_names(CellKind) {
  return std::to_array<EnumName<CellKind>>({{CellKind::Quad4, "quad4"},
                                            {CellKind::Hex8, "hex8"},
                                            {CellKind::Tet4, "tet4"},
                                            {CellKind::Tet10, "tet10"}});
}
/// How many nodes it has.
[[nodiscard]] Eigen::Index node_count(CellKind kind);

/// An element of a mesh.
struct MeshCell {
  long long number = 0;  ///< in the user's mesh
  CellKind kind = CellKind::Hex8;
  std::vector<Eigen::Index> nodes = {};  ///< indices into Mesh::nodes
};

struct Mesh {
  std::vector<StructureNode> nodes;
  std::vector<MeshCell> cells;
  std::map<std::string, std::vector<Eigen::Index>> node_sets;  ///< indices into nodes, by name
};

/// What a mesh is made of, and the unit of its places.
struct MeshProperties {
  Material material = {};
  double thickness = 1.0;                 ///< of quadrilaterals, m
  PlaneState state = PlaneState::Stress;  ///< of quadrilaterals
  bool incompatible_modes = true;         ///< of bricks
  double scale = 1.0;                     ///< m per unit of the mesh: 0.001 for millimetres
};

/// Adds the nodes that elements have, with their numbers and sets, the elements, and the outer
/// faces to draw.
/// @throws InvalidInput naming the element: inverted or flat, nodes that are not there, or a
///   quadrilateral that does not lie in a plane z = const.
void add_mesh(const Mesh& mesh, const MeshProperties& properties, StructureBuilder& builder);

}  // namespace alembert::model
