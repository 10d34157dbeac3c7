#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/io/mat.hpp"
#include "alembert/io/matrix_market.hpp"
#include "alembert/io/mesh.hpp"
#include "alembert/io/structure_matrix.hpp"
#include "alembert/io/table.hpp"
#include "alembert/model/structure/assembly.hpp"
#include "study/tasks/reduce/read_reduce.hpp"
#include "study/tasks/reduce/reduce_keys.hpp"

namespace alembert::study {
namespace {

using model::Direction;
using model::SparseMatrix;
using model::Structure;

// A matrix of the table; `number` is its place among structure.matrices.
io::StructureMatrix read_sparse(const TableReader& table, const std::string& key,
                                std::size_t number, const FileContext& files) {
  const std::filesystem::path path = files.find(table, key);
  if (io::is_structure_matrix(path)) {
    std::vector<std::string> names;
    if (table.has("matrices")) names = table.texts("matrices");
    return io::read_structure_matrix(path, number < names.size() ? names[number] : "",
                                     files.limits);
  }
  const std::string ending = path.extension().string();
  if (ending == ".mtx") return {.name = key, .values = io::read_matrix_market_sparse(path)};
  if (ending == ".mat") return {.name = key, .values = io::read_mat_sparse(path, "", files.limits)};
  return {.name = key, .values = io::read_matrix(path, "", files.limits).sparseView()};
}

// Nodes and directions as the files of the matrices name them. Places are not known.
void add_labels(const std::vector<io::RowLabel>& labels, Structure& structure) {
  std::map<long long, Eigen::Index> index;
  for (const io::RowLabel& label : labels) {
    const auto [entry, fresh] =
        index.emplace(label.node, static_cast<Eigen::Index>(structure.nodes.size()));
    if (fresh) structure.nodes.push_back({label.node, Eigen::Vector3d::Zero()});
    // A scalar point of Nastran has one coordinate without direction.
    structure.coordinates.push_back(
        {entry->second, static_cast<Direction>(std::max(1, label.direction) - 1)});
  }
}

double whole_entry(const std::filesystem::path& path, const Eigen::MatrixXd& rows, Eigen::Index row,
                   Eigen::Index column) {
  const double value = rows(row, column);
  if (value == std::floor(value) && std::abs(value) < 1e15) return value;
  throw DataError(
      {.file = path.string(), .line = static_cast<std::size_t>(row + 1)},
      fmt::format("node numbers and directions must be whole, got {}", shortest(value)));
}

// "node.direction" of each row, by CalculiX.
void read_row_names(const std::filesystem::path& path, const FileContext& files,
                    Structure& structure) {
  const std::vector<io::RowLabel> labels = io::read_calculix_rows(path, files.limits);
  const auto count = static_cast<Eigen::Index>(labels.size());
  if (count != structure.size()) {
    throw DataError({.file = path.string()},
                    fmt::format("must have a line for each of the {} rows of K, got {}",
                                structure.size(), count));
  }
  add_labels(labels, structure);
}

// Node and direction of each row, by a table without header.
void read_node_table(const TableReader& table, const FileContext& files, Structure& structure) {
  const std::filesystem::path path = files.find(table, "nodes");
  if (path.extension() == ".dof") return read_row_names(path, files, structure);
  const Eigen::MatrixXd rows = io::read_matrix(path, "", files.limits);
  if (rows.rows() != structure.size() || (rows.cols() != 2 && rows.cols() != 5)) {
    throw DataError({.file = path.string()},
                    fmt::format("structure.nodes must have a line of 2 or 5 numbers for each of "
                                "the {} rows of K, got {} x {}",
                                structure.size(), rows.rows(), rows.cols()));
  }
  std::map<long long, Eigen::Index> index;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const auto number = static_cast<long long>(whole_entry(path, rows, i, 0));
    const double direction = whole_entry(path, rows, i, 1);
    if (direction < 1.0 || direction > 6.0) {
      throw DataError(
          {.file = path.string(), .line = static_cast<std::size_t>(i + 1)},
          fmt::format("directions count from 1 (x) to 6 (rz), got {}", shortest(direction)));
    }
    const auto [entry, fresh] =
        index.emplace(number, static_cast<Eigen::Index>(structure.nodes.size()));
    if (fresh) {
      Eigen::Vector3d place = Eigen::Vector3d::Zero();
      if (rows.cols() == 5) place = rows.row(i).tail(3).transpose();
      structure.nodes.push_back({number, place});
    }
    structure.coordinates.push_back(
        {entry->second, static_cast<Direction>(static_cast<int>(direction) - 1)});
  }
}

// Brings M, K and D to the rows that any of them has.
void join_rows(const TableReader& table, std::vector<io::StructureMatrix>& matrices,
               Structure& structure) {
  std::set<io::RowLabel> all;
  for (const io::StructureMatrix& one : matrices) all.insert(one.labels.begin(), one.labels.end());
  if (all.empty()) return;
  for (const io::StructureMatrix& one : matrices) {
    if (!one.labels.empty()) continue;
    table.fail("mass", "and stiffness must both name their rows by node and direction, or neither");
  }
  if (table.has("nodes")) {
    table.fail("nodes", "must not be given: the matrices name their rows by node and direction");
  }
  const std::vector<io::RowLabel> labels(all.begin(), all.end());
  for (io::StructureMatrix& one : matrices) one.values = io::with_rows_of(one, labels);
  add_labels(labels, structure);
}

Structure read_matrices_of(const TableReader& table, const FileContext& files) {
  Structure structure;
  std::vector<io::StructureMatrix> matrices = {read_sparse(table, "mass", 0, files),
                                               read_sparse(table, "stiffness", 1, files)};
  if (table.has("damping")) matrices.push_back(read_sparse(table, "damping", 2, files));
  join_rows(table, matrices, structure);
  structure.M = matrices[0].values;
  structure.K = matrices[1].values;
  if (matrices.size() > 2) structure.D = matrices[2].values;
  if (table.has("nodes")) read_node_table(table, files, structure);
  return structure;
}

// Rows of two opposite corners; none if there are none.
Eigen::MatrixXd read_cutouts(const TableReader& table, Eigen::Index columns) {
  if (!table.has("cutouts")) return Eigen::MatrixXd(0, columns);
  const Eigen::MatrixXd rows = table.rows("cutouts");
  if (rows.cols() != columns) {
    table.fail("cutouts",
               fmt::format("must have rows of {} numbers, got {}", columns, rows.cols()));
  }
  return rows;
}

model::PlateGrid read_plate(const TableReader& table) {
  model::PlateGrid grid = plate_keys().read(table);
  const Eigen::MatrixXd rows = read_cutouts(table, 4);
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    grid.cutouts.push_back({rows(i, 0), rows(i, 1), rows(i, 2), rows(i, 3)});
  }
  return grid;
}

model::BlockGrid read_block(const TableReader& table) {
  model::BlockGrid grid = block_keys().read(table);
  const Eigen::MatrixXd rows = read_cutouts(table, 6);
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    grid.cutouts.push_back(
        {rows(i, 0), rows(i, 1), rows(i, 2), rows(i, 3), rows(i, 4), rows(i, 5)});
  }
  return grid;
}

// What the mesh refuses is said at its table.
template <typename Make>
void made_at(const TableReader& table, const std::string& key, const Make& make) {
  try {
    make();
  } catch (const InvalidInput& error) {
    throw StudyError(table.place(key), table.name(key) + ": " + error.reason());
  }
}

void add_foreign_mesh(const TableReader& table, const FileContext& files,
                      model::StructureBuilder& builder) {
  const std::filesystem::path path = files.find(table, "file");
  const std::string ending = path.extension().string();
  if (ending != ".msh" && ending != ".inp") {
    table.fail("file", fmt::format("must end in .msh or .inp, got \"{}\"", ending));
  }
  const model::Mesh mesh = ending == ".msh" ? io::read_gmsh(path, files.limits)
                                            : io::read_abaqus_mesh(path, files.limits);
  model::add_mesh(mesh, mesh_keys().read(table), builder);
}

Structure read_mesh(const TableReader& table, const FileContext& files) {
  model::StructureBuilder builder;
  const std::string key = table.has("plate") ? "plate" : table.has("block") ? "block" : "mesh";
  made_at(table, key, [&] {
    if (key == "plate") {
      model::add_plate(read_plate(table.table("plate")), builder);
    } else if (key == "block") {
      model::add_block(read_block(table.table("block")), builder);
    } else {
      add_foreign_mesh(table.table("mesh"), files, builder);
    }
  });
  Structure free_structure = builder.build();
  if (!table.has("fixed")) return free_structure;
  for (const Eigen::Index row : read_rows(table, "fixed", free_structure)) {
    const model::StructureCoordinate& one =
        free_structure.coordinates[static_cast<std::size_t>(row)];
    builder.fix(one.node, one.direction);
  }
  Structure built;
  made_at(table, "fixed", [&] { built = builder.build(); });
  return built;
}

bool is_inside(const Eigen::Vector3d& place, const Eigen::VectorXd& box) {
  // A rounding of coordinates must not leave out a node on the edge.
  const double margin = 1e-9 * box.cwiseAbs().maxCoeff();
  for (Eigen::Index d = 0; d < 3; ++d) {
    const double low = std::min(box(d), box(d + 3)) - margin;
    const double high = std::max(box(d), box(d + 3)) + margin;
    if (place(d) < low || place(d) > high) return false;
  }
  return true;
}

std::vector<Direction> read_directions(const TableReader& table) {
  std::vector<Direction> directions;
  if (!table.has("directions")) return directions;
  for (const std::string& name : table.texts("directions")) {
    const std::optional<Direction> direction = enum_named<Direction>(name);
    if (!direction) {
      table.fail("directions", fmt::format("must be among {}, got \"{}\"",
                                           join(all_names<Direction>(), ", "), name));
    }
    directions.push_back(*direction);
  }
  return directions;
}

std::vector<Eigen::Index> numbered_rows(const TableReader& table, const Structure& structure) {
  std::vector<Eigen::Index> rows;
  for (const double number : table.numbers("rows")) {
    if (number != std::floor(number) || number < 1.0 ||
        number > static_cast<double>(structure.size())) {
      table.fail("rows", fmt::format("must be whole numbers from 1 to {}, got {}", structure.size(),
                                     shortest(number)));
    }
    rows.push_back(static_cast<Eigen::Index>(number) - 1);
  }
  return rows;
}

void check_nodes_exist(const TableReader& table, const Structure& structure) {
  std::set<long long> known;
  for (const model::StructureNode& node : structure.nodes) known.insert(node.number);
  for (const double number : table.numbers("nodes")) {
    if (number == std::floor(number) && known.contains(static_cast<long long>(number))) continue;
    table.fail("nodes",
               fmt::format("must be numbers of nodes of the structure, got {}", shortest(number)));
  }
}

std::vector<bool> nodes_meant(const TableReader& table, const std::string& key,
                              const Structure& structure) {
  if (key == "nodes") check_nodes_exist(table, structure);
  const Eigen::VectorXd wanted = table.vector(key);
  std::vector<bool> meant;
  for (const model::StructureNode& node : structure.nodes) {
    meant.push_back(key == "box" ? is_inside(node.place, wanted)
                                 : (wanted.array() == static_cast<double>(node.number)).any());
  }
  return meant;
}

std::vector<bool> nodes_of_set(const TableReader& table, const Structure& structure) {
  const auto set = structure.node_sets.find(table.text("set"));
  if (set == structure.node_sets.end()) {
    std::vector<std::string> names;
    for (const auto& [name, nodes] : structure.node_sets) names.push_back(name);
    table.fail("set",
               fmt::format("must be a set of nodes of the mesh ({}), got \"{}\"",
                           names.empty() ? "it has none" : join(names, ", "), table.text("set")));
  }
  std::vector<bool> meant(structure.nodes.size(), false);
  for (const Eigen::Index node : set->second) meant[static_cast<std::size_t>(node)] = true;
  return meant;
}

// Rows of the nodes that a selection means.
std::vector<Eigen::Index> node_rows(const TableReader& table, const Structure& structure) {
  const std::string key = table.has("nodes") ? "nodes" : table.has("set") ? "set" : "box";
  if (!structure.has_nodes()) {
    table.fail(key,
               "needs the table of nodes of the structure (structure.nodes); without it rows "
               "are named by \"rows\"");
  }
  const std::vector<bool> meant =
      key == "set" ? nodes_of_set(table, structure) : nodes_meant(table, key, structure);
  const std::vector<Direction> directions = read_directions(table);
  std::vector<Eigen::Index> rows;
  for (Eigen::Index row = 0; row < structure.size(); ++row) {
    const model::StructureCoordinate& one = structure.coordinates[static_cast<std::size_t>(row)];
    const bool right_way = directions.empty() || std::find(directions.begin(), directions.end(),
                                                           one.direction) != directions.end();
    if (meant[static_cast<std::size_t>(one.node)] && right_way) rows.push_back(row);
  }
  if (rows.empty()) {
    table.fail(key, "must hold at least one node that moves in these directions");
  }
  return rows;
}

}  // namespace

std::vector<Eigen::Index> read_rows(const TableReader& table, const std::string& key,
                                    const Structure& structure) {
  std::vector<Eigen::Index> all;
  for (const TableReader& one : table.tables(key)) {
    for (const Eigen::Index row :
         one.has("rows") ? numbered_rows(one, structure) : node_rows(one, structure)) {
      if (std::find(all.begin(), all.end(), row) == all.end()) all.push_back(row);
    }
  }
  return all;
}

Structure read_large_structure(const TableReader& table, const FileContext& files) {
  Structure structure =
      table.has("mass") ? read_matrices_of(table, files) : read_mesh(table, files);
  try {
    (void)model::check_structure(structure);
  } catch (const InvalidInput& error) {
    const std::string& argument = error.parts().argument;
    const std::string key = argument == "K"   ? "stiffness"
                            : argument == "M" ? "mass"
                            : argument == "D" ? "damping"
                                              : "nodes";
    throw StudyError(table.place(table.has(key) ? key : "mass"),
                     table.name(key) + ": " + error.reason());
  }
  return structure;
}

}  // namespace alembert::study
