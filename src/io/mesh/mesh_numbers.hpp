#pragma once

#include <Eigen/Core>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "alembert/model/structure/mesh.hpp"
#include "io/file/text_lines.hpp"

namespace alembert::io {

/// A whole number. @throws DataError at the line last read.
[[nodiscard]] long long whole_number(std::string_view word, const TextLines& lines);

/// A finite number. @throws DataError at the line last read.
[[nodiscard]] double finite_number(std::string_view word, const TextLines& lines);

/// Collects a mesh whose elements may come before their nodes.
class MeshCollector {
 public:
  /// @throws DataError at the line last read if the number was there before.
  void add_node(long long number, const Eigen::Vector3d& place, const TextLines& lines);
  void add_cell(model::CellKind kind, long long number, std::vector<long long> nodes);
  /// Adds a node to a set.
  void add_to_set(const std::string& name, long long node);
  /// @throws DataError if an element or a set has a node that is not there, or nothing was read.
  [[nodiscard]] model::Mesh finished(const std::string& file) const;

 private:
  struct NumberedCell {
    model::CellKind kind;
    long long number;
    std::vector<long long> nodes;
  };
  std::vector<model::StructureNode> nodes_;
  std::unordered_map<long long, Eigen::Index> index_;
  std::vector<NumberedCell> cells_;
  std::map<std::string, std::vector<long long>> sets_;
};

}  // namespace alembert::io
