#include "alembert/study/detail/structure_template.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/io/mesh.hpp"
#include "alembert/model/structure/mesh.hpp"
#include "study/tasks/reduce/reduce_keys.hpp"
#include "study/templates/writer.hpp"

namespace alembert::study {
namespace {

using model::Mesh;

Mesh read_mesh_file(const std::filesystem::path& file, const io::ReadLimits& limits) {
  const std::string ending = file.extension().string();
  if (ending == ".msh") return io::read_gmsh(file, limits);
  if (ending == ".inp") return io::read_abaqus_mesh(file, limits);
  throw DataError({.file = file.string()},
                  "a study of a structure takes a mesh (.msh, .inp), no record; matrices are named "
                  "in [structure] by mass and stiffness");
}

std::string lower(std::string text) {
  for (char& letter : text) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return text;
}

// A set whose name says that it does not move; "": none.
std::string fixed_set(const Mesh& mesh) {
  for (const auto& [name, nodes] : mesh.node_sets) {
    for (const char* word : {"fix", "clamp", "wall", "ground", "support", "encastre"}) {
      if (lower(name).find(word) != std::string::npos) return name;
    }
  }
  return "";
}

// Nodes that elements have.
std::set<Eigen::Index> nodes_in_use(const Mesh& mesh) {
  std::set<Eigen::Index> used;
  for (const model::MeshCell& cell : mesh.cells) used.insert(cell.nodes.begin(), cell.nodes.end());
  return used;
}

struct BoxOfNodes {
  Eigen::Vector3d low, high;
};

BoxOfNodes box_of(const Mesh& mesh, const std::vector<Eigen::Index>& nodes) {
  BoxOfNodes box{mesh.nodes[static_cast<std::size_t>(nodes.front())].place, {}};
  box.high = box.low;
  for (const Eigen::Index node : nodes) {
    const Eigen::Vector3d& place = mesh.nodes[static_cast<std::size_t>(node)].place;
    box.low = box.low.cwiseMin(place);
    box.high = box.high.cwiseMax(place);
  }
  return box;
}

// The nodes nearest to the corners of the box around several: four of a face.
std::vector<long long> corner_nodes(const Mesh& mesh, const std::vector<Eigen::Index>& nodes) {
  const BoxOfNodes box = box_of(mesh, nodes);
  std::set<long long> numbers;
  for (int corner = 0; corner < 8; ++corner) {
    Eigen::Vector3d at;
    for (int d = 0; d < 3; ++d) at(d) = (corner >> d & 1) == 0 ? box.low(d) : box.high(d);
    const auto distance = [&](Eigen::Index node) {
      return (mesh.nodes[static_cast<std::size_t>(node)].place - at).squaredNorm();
    };
    const auto nearest =
        std::min_element(nodes.begin(), nodes.end(),
                         [&](Eigen::Index a, Eigen::Index b) { return distance(a) < distance(b); });
    numbers.insert(mesh.nodes[static_cast<std::size_t>(*nearest)].number);
  }
  return {numbers.begin(), numbers.end()};
}

// A small set that is not fixed; else the nodes at the far end along the longest side.
std::vector<long long> master_nodes(const Mesh& mesh, const std::string& fixed) {
  const std::set<Eigen::Index> used = nodes_in_use(mesh);
  const std::set<Eigen::Index> still =
      fixed.empty() ? std::set<Eigen::Index>{}
                    : std::set<Eigen::Index>(mesh.node_sets.at(fixed).begin(),
                                             mesh.node_sets.at(fixed).end());
  std::vector<Eigen::Index> moving;
  std::set_difference(used.begin(), used.end(), still.begin(), still.end(),
                      std::back_inserter(moving));
  if (moving.empty()) return {};
  const BoxOfNodes box = box_of(mesh, moving);
  Eigen::Index along = 0;
  const double length = (box.high - box.low).maxCoeff(&along);
  std::vector<Eigen::Index> end;
  for (const Eigen::Index node : moving) {
    const double place = mesh.nodes[static_cast<std::size_t>(node)].place(along);
    if (place >= box.high(along) - 1e-6 * length) end.push_back(node);
  }
  return corner_nodes(mesh, end);
}

bool is_plane(const Mesh& mesh) { return mesh.cells.front().kind == model::CellKind::Quad4; }

}  // namespace

std::string structure_template(const std::filesystem::path& file, const std::string& name,
                               const io::ReadLimits& limits) {
  constexpr double kMillimetres = 10.0;  // no structure of metres is larger here
  const Mesh mesh = read_mesh_file(file, limits);
  const std::string fixed = fixed_set(mesh);
  const std::vector<long long> masters = master_nodes(mesh, fixed);
  if (masters.empty()) {
    throw DataError({.file = file.string()}, "all nodes belong to the set that does not move");
  }
  std::vector<Eigen::Index> all(mesh.nodes.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Eigen::Index>(i);
  const BoxOfNodes box = box_of(mesh, all);
  const double largest = (box.high - box.low).maxCoeff();
  std::vector<std::string> sets;
  for (const auto& [set, nodes] : mesh.node_sets) sets.push_back(set);
  const TableSpec& root = reduce_root_table();
  const auto inner = [&](const char* table) -> const TableSpec& {
    return *root.find(table, nullptr)->table;
  };
  TemplateWriter writer("reduce");
  writer.comment(
      "A study for `alembert run`. Lines that begin with # are comments; keys written in them show "
      "the defaults.");
  writer.comment(fmt::format(
      "The mesh has {} nodes, {} elements and {}; its largest size is {}. Confirm what is guessed: "
      "the unit (scale), the material (steel), what is fixed ({}), the masters (corners of the far "
      "end), the modes (the first three that are elastic).",
      mesh.nodes.size(), mesh.cells.size(),
      sets.empty() ? std::string("no sets of nodes") : "the sets " + join(sets, ", "),
      shortest(largest), fixed.empty() ? "nothing" : "the set " + fixed));
  writer.table(root, {{"title", "\"Small model\""}});
  TemplateWriter::Assignments structure;
  if (!fixed.empty()) structure.push_back({"fixed", fmt::format("[{{ set = \"{}\" }}]", fixed)});
  writer.table(inner("structure"), structure);
  TemplateWriter::Assignments keys = {{"file", fmt::format("\"{}\"", name)}};
  if (largest > kMillimetres) keys.push_back({"scale", "0.001"});
  writer.table(*inner("structure").find("mesh", nullptr)->table, keys);
  const int rigid = !fixed.empty() ? 0 : is_plane(mesh) ? 3 : 6;
  std::vector<std::string> numbers;
  for (const long long number : masters) numbers.push_back(std::to_string(number));
  writer.table(inner("reduce"),
               {{"masters", fmt::format("[{{ nodes = [{}] }}]", join(numbers, ", "))},
                {"modes", fmt::format("[{}, {}, {}]", rigid + 1, rigid + 2, rigid + 3)}});
  return writer.text();
}

}  // namespace alembert::study
