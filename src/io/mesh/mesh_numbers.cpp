#include "io/mesh/mesh_numbers.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "alembert/core/error.hpp"

namespace alembert::io {

long long whole_number(std::string_view word, const TextLines& lines) {
  long long value = 0;
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc{} || stop != end || word.empty()) {
    lines.fail(fmt::format("must be a whole number, got '{}'", word));
  }
  return value;
}

double finite_number(std::string_view word, const TextLines& lines) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  double value = 0.0;
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc{} || stop != end || word.empty() || !std::isfinite(value)) {
    lines.fail(fmt::format("must be a finite number, got '{}'", word));
  }
  return value;
}

void MeshCollector::add_node(long long number, const Eigen::Vector3d& place,
                             const TextLines& lines) {
  if (number < 1) lines.fail(fmt::format("nodes are numbered from 1, got {}", number));
  const auto [entry, fresh] = index_.emplace(number, static_cast<Eigen::Index>(nodes_.size()));
  if (!fresh) lines.fail(fmt::format("node {} is there twice", number));
  nodes_.push_back({number, place});
}

void MeshCollector::add_cell(model::CellKind kind, long long number, std::vector<long long> nodes) {
  cells_.push_back({kind, number, std::move(nodes)});
}

void MeshCollector::add_to_set(const std::string& name, long long node) {
  sets_[name].push_back(node);
}

model::Mesh MeshCollector::finished(const std::string& file) const {
  const auto index_of = [&](long long node, const std::string& whose) {
    const auto found = index_.find(node);
    if (found == index_.end()) {
      throw DataError({.file = file},
                      fmt::format("{} has node {}, which is not there", whose, node));
    }
    return found->second;
  };
  if (cells_.empty()) {
    throw DataError({.file = file},
                    "has no elements that are read: quadrilaterals, bricks with eight nodes, "
                    "tetrahedra with four or ten");
  }
  model::Mesh mesh{.nodes = nodes_, .cells = {}, .node_sets = {}};
  for (const NumberedCell& cell : cells_) {
    model::MeshCell made{.number = cell.number, .kind = cell.kind};
    for (const long long node : cell.nodes) {
      made.nodes.push_back(index_of(node, fmt::format("element {}", cell.number)));
    }
    mesh.cells.push_back(std::move(made));
  }
  for (const auto& [name, nodes] : sets_) {
    std::vector<Eigen::Index>& set = mesh.node_sets[name];
    for (const long long node : nodes) {
      set.push_back(index_of(node, fmt::format("set \"{}\"", name)));
    }
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
  }
  return mesh;
}

}  // namespace alembert::io
