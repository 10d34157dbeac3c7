#include "alembert/model/structure/assembly.hpp"

#include <algorithm>
#include <string>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"

namespace alembert::model {
namespace {

constexpr std::int64_t kDirections = 6;
constexpr std::array kPlane = {Direction::X, Direction::Y};
constexpr std::array kSpace = {Direction::X, Direction::Y, Direction::Z};
constexpr std::array kSpaceBeam = {Direction::X,  Direction::Y,  Direction::Z,
                                   Direction::RX, Direction::RY, Direction::RZ};
constexpr std::array kPlaneBeam = {Direction::X, Direction::Y, Direction::RZ};

}  // namespace

Eigen::Index StructureBuilder::add_node(const Eigen::Vector3d& place, long long number) {
  check::all_finite("add_node", "place", place);
  nodes_.push_back(place);
  numbers_.push_back(number != 0 ? number : nodes());
  return nodes() - 1;
}

std::int64_t StructureBuilder::id(const char* function, Eigen::Index node,
                                  Direction direction) const {
  if (node < 0 || node >= nodes()) {
    throw InvalidInput({.function = function,
                        .argument = "node",
                        .rule = "must be in [0, " + std::to_string(nodes() - 1) + "]",
                        .value = std::to_string(node)});
  }
  return kDirections * node + static_cast<std::int64_t>(direction);
}

Eigen::MatrixXd StructureBuilder::places(std::span<const Eigen::Index> of, int columns) const {
  Eigen::MatrixXd rows(of.size(), columns);
  for (std::size_t i = 0; i < of.size(); ++i) {
    (void)id("add", of[i], Direction::X);
    rows.row(static_cast<Eigen::Index>(i)) =
        nodes_[static_cast<std::size_t>(of[i])].head(columns).transpose();
  }
  return rows;
}

void StructureBuilder::add(const ElementMatrices& element, std::span<const Eigen::Index> nodes,
                           std::span<const Direction> directions) {
  const auto size = static_cast<Eigen::Index>(nodes.size() * directions.size());
  check::shape("add", "stiffness", element.stiffness, size, size);
  check::shape("add", "mass", element.mass, size, size);
  std::vector<std::int64_t> ids;
  for (const Eigen::Index node : nodes) {
    for (const Direction direction : directions) ids.push_back(id("add", node, direction));
  }
  for (Eigen::Index c = 0; c < size; ++c) {
    for (Eigen::Index r = 0; r < size; ++r) {
      const std::int64_t row = ids[static_cast<std::size_t>(r)];
      const std::int64_t column = ids[static_cast<std::size_t>(c)];
      if (element.mass(r, c) != 0.0) mass_.push_back({row, column, element.mass(r, c)});
      stiffness_.push_back({row, column, element.stiffness(r, c)});
    }
  }
}

void StructureBuilder::add_quad4(const std::array<Eigen::Index, 4>& nodes, const Material& material,
                                 double thickness, PlaneState state) {
  add(quad4(places(nodes, 2), material, thickness, state), nodes, kPlane);
  faces_.emplace_back(nodes.begin(), nodes.end());
}

void StructureBuilder::add_hex8(const std::array<Eigen::Index, 8>& nodes, const Material& material,
                                bool incompatible_modes) {
  add(hex8(places(nodes, 3), material, incompatible_modes), nodes, kSpace);
}

void StructureBuilder::add_tet4(const std::array<Eigen::Index, 4>& nodes,
                                const Material& material) {
  add(tet4(places(nodes, 3), material), nodes, kSpace);
}

void StructureBuilder::add_tet10(const std::array<Eigen::Index, 10>& nodes,
                                 const Material& material) {
  add(tet10(places(nodes, 3), material), nodes, kSpace);
}

void StructureBuilder::add_space_beam(const std::array<Eigen::Index, 2>& nodes,
                                      const Material& material, const SpaceSection& section) {
  add(space_beam(places(nodes, 3), material, section), nodes, kSpaceBeam);
  faces_.emplace_back(nodes.begin(), nodes.end());
}

void StructureBuilder::add_plane_beam(const std::array<Eigen::Index, 2>& nodes,
                                      const Material& material, const BeamSection& section) {
  add(plane_beam(places(nodes, 2), material, section), nodes, kPlaneBeam);
  faces_.emplace_back(nodes.begin(), nodes.end());
}

void StructureBuilder::add_bar(const std::array<Eigen::Index, 2>& nodes, const Material& material,
                               double area) {
  add(bar(places(nodes, 3), material, area), nodes, kSpace);
  faces_.emplace_back(nodes.begin(), nodes.end());
}

void StructureBuilder::add_mass(Eigen::Index node, Direction direction, double mass) {
  check::non_negative("add_mass", "mass", mass);
  const std::int64_t at = id("add_mass", node, direction);
  mass_.push_back({at, at, mass});
  stiffness_.push_back({at, at, 0.0});
}

void StructureBuilder::add_spring(Eigen::Index a, Eigen::Index b, Direction direction,
                                  double stiffness) {
  check::non_negative("add_spring", "stiffness", stiffness);
  const std::int64_t from = id("add_spring", a, direction);
  const std::int64_t to = id("add_spring", b, direction);
  stiffness_.push_back({from, from, stiffness});
  stiffness_.push_back({to, to, stiffness});
  stiffness_.push_back({from, to, -stiffness});
  stiffness_.push_back({to, from, -stiffness});
}

void StructureBuilder::add_ground_spring(Eigen::Index node, Direction direction, double stiffness) {
  check::non_negative("add_ground_spring", "stiffness", stiffness);
  const std::int64_t at = id("add_ground_spring", node, direction);
  stiffness_.push_back({at, at, stiffness});
}

void StructureBuilder::add_damper(Eigen::Index a, Eigen::Index b, Direction direction,
                                  double damping) {
  check::non_negative("add_damper", "damping", damping);
  const std::int64_t from = id("add_damper", a, direction);
  const std::int64_t to = id("add_damper", b, direction);
  damping_.push_back({from, from, damping});
  damping_.push_back({to, to, damping});
  damping_.push_back({from, to, -damping});
  damping_.push_back({to, from, -damping});
}

void StructureBuilder::add_ground_damper(Eigen::Index node, Direction direction, double damping) {
  check::non_negative("add_ground_damper", "damping", damping);
  const std::int64_t at = id("add_ground_damper", node, direction);
  damping_.push_back({at, at, damping});
}

void StructureBuilder::add_face(std::vector<Eigen::Index> nodes) {
  for (const Eigen::Index node : nodes) (void)id("add_face", node, Direction::X);
  faces_.push_back(std::move(nodes));
}

void StructureBuilder::add_node_set(const std::string& name,
                                    const std::vector<Eigen::Index>& nodes) {
  for (const Eigen::Index node : nodes) (void)id("add_node_set", node, Direction::X);
  std::vector<Eigen::Index>& set = node_sets_[name];
  set.insert(set.end(), nodes.begin(), nodes.end());
}

void StructureBuilder::fix(Eigen::Index node, Direction direction) {
  fixed_.insert(id("fix", node, direction));
}

Structure StructureBuilder::build() const {
  check_links();
  const std::vector<Entry> stiffness = without_links(stiffness_);
  std::vector<std::int64_t> used;
  for (const Entry& entry : stiffness) {
    if (entry.row == entry.column) used.push_back(entry.row);
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  std::erase_if(used, [&](std::int64_t one) { return fixed_.contains(one); });
  if (used.empty()) {
    throw InvalidInput({.function = "build", .rule = "must have a coordinate that can move"});
  }
  // The row of each id; -1: it does not move.
  std::vector<int> rows(static_cast<std::size_t>(kDirections * nodes()), -1);
  for (std::size_t i = 0; i < used.size(); ++i) {
    rows[static_cast<std::size_t>(used[i])] = static_cast<int>(i);
  }
  const auto n = static_cast<Eigen::Index>(used.size());
  const auto assembled = [&](const std::vector<Entry>& entries) {
    std::vector<Eigen::Triplet<double>> kept;
    kept.reserve(entries.size());
    for (const Entry& entry : entries) {
      const int row = rows[static_cast<std::size_t>(entry.row)];
      const int column = rows[static_cast<std::size_t>(entry.column)];
      if (row >= 0 && column >= 0) kept.emplace_back(row, column, entry.value);
    }
    SparseMatrix A(n, n);
    A.setFromTriplets(kept.begin(), kept.end());
    return A;
  };
  Structure structure{.M = assembled(without_links(mass_)),
                      .K = assembled(stiffness),
                      .faces = faces_,
                      .node_sets = node_sets_};
  if (!damping_.empty()) structure.D = assembled(without_links(damping_));
  for (Eigen::Index i = 0; i < nodes(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    structure.nodes.push_back({numbers_[at], nodes_[at]});
  }
  for (const std::int64_t one : used) {
    structure.coordinates.push_back({one / kDirections, static_cast<Direction>(one % kDirections)});
  }
  return structure;
}

}  // namespace alembert::model
