#include "model/equations/graph/share_powers.hpp"

#include <set>
#include <utility>

namespace alembert::model::equations {

namespace {

// The powers a^(b-1) of a graph as pairs (a, b).
std::set<std::pair<NodeId, NodeId>> lowered_powers(const Graph& graph) {
  std::set<std::pair<NodeId, NodeId>> result;
  for (const Node& node : graph.nodes()) {
    if (node.op == Op::Pow && graph[node.b].op == Op::Sub &&
        graph.is_constant(graph[node.b].b, 1.0)) {
      result.emplace(node.a, graph[node.b].a);
    }
  }
  return result;
}

}  // namespace

Graph share_powers(const Graph& graph, const std::vector<std::vector<NodeId>*>& roots) {
  const auto lowered = lowered_powers(graph);
  Graph result(graph.curves());
  std::vector<NodeId> moved;
  moved.reserve(graph.nodes().size());
  for (const Node& node : graph.nodes()) {
    const auto at = [&moved](NodeId id) { return moved[id]; };
    if (node.op == Op::Constant) {
      moved.push_back(result.constant(node.value));
    } else if (is_leaf(node.op)) {
      moved.push_back(result.leaf(node.op, node.a));
    } else if (node.op == Op::Table) {
      moved.push_back(result.table(node.op, at(node.a), node.b));
    } else if (node.op == Op::Pow && lowered.contains({node.a, node.b})) {
      const NodeId exponent = result.make(Op::Sub, at(node.b), result.constant(1.0));
      const NodeId power = result.make(Op::Pow, at(node.a), exponent);
      moved.push_back(result.make(Op::PowUp, at(node.a), at(node.b), power));
    } else {
      const int arguments = argument_count(node.op);
      moved.push_back(result.make(node.op, at(node.a), arguments > 1 ? at(node.b) : 0,
                                  arguments > 2 ? at(node.c) : 0));
    }
  }
  for (std::vector<NodeId>* list : roots) {
    for (NodeId& root : *list) {
      root = moved[root];
    }
  }
  return result;
}

}  // namespace alembert::model::equations
