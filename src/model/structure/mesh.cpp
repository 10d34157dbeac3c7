#include "alembert/model/structure/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"

namespace alembert::model {
namespace {

[[noreturn]] void refuse_cell(const MeshCell& cell, std::string rule) {
  throw InvalidInput({.function = "add_mesh",
                      .argument = fmt::format("element {}", cell.number),
                      .rule = std::move(rule)});
}

void check_cell(const Mesh& mesh, const MeshCell& cell) {
  if (static_cast<Eigen::Index>(cell.nodes.size()) != node_count(cell.kind)) {
    refuse_cell(
        cell, fmt::format("must have {} nodes, got {}", node_count(cell.kind), cell.nodes.size()));
  }
  for (const Eigen::Index node : cell.nodes) {
    if (node < 0 || node >= static_cast<Eigen::Index>(mesh.nodes.size())) {
      refuse_cell(cell, "must have nodes of the mesh");
    }
  }
}

// Quadrilaterals are elements of the x-y plane.
void check_plane(const Mesh& mesh, const MeshCell& cell) {
  double height = 0.0;
  double size = 0.0;
  const Eigen::Vector3d& first = mesh.nodes[static_cast<std::size_t>(cell.nodes[0])].place;
  for (const Eigen::Index node : cell.nodes) {
    const Eigen::Vector3d step = mesh.nodes[static_cast<std::size_t>(node)].place - first;
    height = std::max(height, std::abs(step.z()));
    size = std::max(size, step.norm());
  }
  constexpr double kFlat = 1e-6;  // of the size: coordinates of files are rounded
  if (height > kFlat * size) {
    refuse_cell(cell, "must lie in a plane z = const: plates are meshed in x and y");
  }
}

// Corners of the faces of an element.
std::vector<std::vector<Eigen::Index>> faces_of(const MeshCell& cell) {
  using Faces = std::vector<std::vector<std::size_t>>;
  static const Faces hex = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                            {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  static const Faces tet = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  static const Faces quad = {{0, 1, 2, 3}};
  const Faces& local = cell.kind == CellKind::Hex8    ? hex
                       : cell.kind == CellKind::Quad4 ? quad
                                                      : tet;
  std::vector<std::vector<Eigen::Index>> faces;
  for (const auto& corners : local) {
    faces.emplace_back();
    for (const std::size_t corner : corners) faces.back().push_back(cell.nodes[corner]);
  }
  return faces;
}

// Faces that one element alone has.
std::vector<std::vector<Eigen::Index>> outer_faces(const Mesh& mesh) {
  std::map<std::vector<Eigen::Index>, std::pair<int, std::vector<Eigen::Index>>> seen;
  for (const MeshCell& cell : mesh.cells) {
    for (std::vector<Eigen::Index>& face : faces_of(cell)) {
      std::vector<Eigen::Index> key = face;
      std::sort(key.begin(), key.end());
      auto& [count, corners] = seen[std::move(key)];
      ++count;
      corners = std::move(face);
    }
  }
  std::vector<std::vector<Eigen::Index>> outer;
  for (auto& [key, entry] : seen) {
    if (entry.first == 1) outer.push_back(std::move(entry.second));
  }
  return outer;
}

template <std::size_t count>
std::array<Eigen::Index, count> nodes_as(const std::vector<Eigen::Index>& nodes) {
  std::array<Eigen::Index, count> all{};
  std::copy_n(nodes.begin(), count, all.begin());
  return all;
}

void add_cell(CellKind kind, const std::vector<Eigen::Index>& nodes,
              const MeshProperties& properties, StructureBuilder& builder) {
  switch (kind) {
    case CellKind::Quad4:
      return builder.add_quad4(nodes_as<4>(nodes), properties.material, properties.thickness,
                               properties.state);
    case CellKind::Hex8:
      return builder.add_hex8(nodes_as<8>(nodes), properties.material,
                              properties.incompatible_modes);
    case CellKind::Tet4:
      return builder.add_tet4(nodes_as<4>(nodes), properties.material);
    case CellKind::Tet10:
      return builder.add_tet10(nodes_as<10>(nodes), properties.material);
  }
}

}  // namespace

Eigen::Index node_count(CellKind kind) {
  switch (kind) {
    case CellKind::Quad4:
    case CellKind::Tet4:
      return 4;
    case CellKind::Hex8:
      return 8;
    case CellKind::Tet10:
      return 10;
  }
  return 0;
}

void add_mesh(const Mesh& mesh, const MeshProperties& properties, StructureBuilder& builder) {
  check::positive("add_mesh", "scale", properties.scale);
  if (mesh.cells.empty()) {
    throw InvalidInput(
        {.function = "add_mesh", .argument = "mesh", .rule = "must have at least one element"});
  }
  std::vector<bool> used(mesh.nodes.size(), false);
  for (const MeshCell& cell : mesh.cells) {
    check_cell(mesh, cell);
    if (cell.kind == CellKind::Quad4) check_plane(mesh, cell);
    for (const Eigen::Index node : cell.nodes) used[static_cast<std::size_t>(node)] = true;
  }
  std::vector<Eigen::Index> index(mesh.nodes.size(), -1);
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    if (!used[i]) continue;
    index[i] = builder.add_node(properties.scale * mesh.nodes[i].place, mesh.nodes[i].number);
  }
  const auto placed = [&](std::vector<Eigen::Index> nodes) {
    for (Eigen::Index& node : nodes) node = index[static_cast<std::size_t>(node)];
    return nodes;
  };
  for (const MeshCell& cell : mesh.cells) {
    try {
      add_cell(cell.kind, placed(cell.nodes), properties, builder);
    } catch (const InvalidInput& error) {
      if (error.parts().argument != "places") throw;
      refuse_cell(cell, error.parts().rule);
    }
  }
  for (const std::vector<Eigen::Index>& face : outer_faces(mesh)) builder.add_face(placed(face));
  for (const auto& [name, nodes] : mesh.node_sets) {
    std::vector<Eigen::Index> known;
    for (const Eigen::Index node : nodes) {
      if (node < 0 || node >= static_cast<Eigen::Index>(index.size())) {
        throw InvalidInput({.function = "add_mesh",
                            .argument = fmt::format("set \"{}\"", name),
                            .rule = "must have nodes of the mesh"});
      }
      if (used[static_cast<std::size_t>(node)]) known.push_back(node);
    }
    builder.add_node_set(name, placed(known));
  }
}

}  // namespace alembert::model
