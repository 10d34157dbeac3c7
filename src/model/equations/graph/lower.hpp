#pragma once

#include "model/equations/graph/graph.hpp"
#include "model/equations/language/resolve.hpp"

namespace alembert::model::equations {

/// Builds the graph of a checked text: definitions in order, then what hangs on them.
class Lowering {
 public:
  Lowering(const Resolved& resolved, Graph& graph);

  /// The node of a symbol; of a definition after all().
  [[nodiscard]] NodeId symbol(std::uint32_t index) const { return symbol_nodes_[index]; }
  /// Lowers the equations.
  void equations();
  /// Lowers a text of one expression.
  [[nodiscard]] NodeId expression(const ResolvedText& text);

 private:
  void range(const ResolvedText& text, std::uint32_t first, std::uint32_t root);
  [[nodiscard]] NodeId node(const ResolvedText& text, std::uint32_t id);
  [[nodiscard]] NodeId operation(const SyntaxNode& node, NodeId a, NodeId b, NodeId c);
  [[nodiscard]] NodeId smooth(Form form, NodeId a, NodeId b, NodeId c);

  const Resolved& resolved_;
  Graph& graph_;
  std::vector<NodeId> symbol_nodes_;
  std::vector<NodeId> nodes_;  // of the text at hand
};

}  // namespace alembert::model::equations
