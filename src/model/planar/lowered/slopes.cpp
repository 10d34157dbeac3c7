#include "model/planar/lowered/slopes.hpp"

#include "model/equations/graph/derivative.hpp"

namespace alembert::model::planar {

namespace {

using equations::Graph;
using equations::Node;
using equations::NodeId;
using equations::Op;

constexpr equations::DerivativeLimits kMostOfGraph{.nodes = 2'000'000, .entries = 20'000'000};

std::vector<NodeId> nodes_of(const Terms& terms, Graph& graph) {
  std::vector<NodeId> nodes;
  for (const Term& term : terms) nodes.push_back(node_of(term, graph));
  return nodes;
}

/// Rebuilds what depends on the leaves that are replaced.
class Substitution {
 public:
  Substitution(const Terms& leaves, const Terms& values, Graph& graph) : graph_(graph) {
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      if (!leaves[i].is_constant()) known_[leaves[i].id] = values[i];
    }
  }

  Terms run(const Terms& roots) {
    const std::vector<NodeId> nodes = nodes_of(roots, graph_);
    const std::vector<bool> needed = graph_.needed_for(nodes);
    moved_.resize(needed.size());
    for (NodeId id = 0; id < needed.size(); ++id) {
      if (needed[id]) moved_[id] = rebuilt(id);
    }
    Terms made;
    for (const NodeId node : nodes) made.push_back(moved_[node]);
    return made;
  }

 private:
  Term rebuilt(NodeId id) {
    const auto replaced = known_.find(id);
    if (replaced != known_.end()) return replaced->second;
    const Node node = graph_[id];  // a copy: the graph grows
    const int count = argument_count(node.op);
    if (count == 0) return {graph_, id};
    const Term& a = moved_[node.a];
    if (count == 1) return applied(node.op, a);
    const Term& b = moved_[node.b];
    if (count == 2) return node.op == Op::Mul ? a * b : combined(node.op, a, b);
    const Term& c = moved_[node.c];
    return {graph_,
            graph_.make(node.op, node_of(a, graph_), node_of(b, graph_), node_of(c, graph_))};
  }

  Graph& graph_;
  std::unordered_map<NodeId, Term> known_;
  Terms moved_;
};

}  // namespace

TermRows slopes_of(const Terms& roots, const Terms& leaves, Graph& graph) {
  TermRows rows(roots.size(), Terms(leaves.size()));
  const std::vector<NodeId> from = nodes_of(roots, graph);
  const std::vector<NodeId> by = nodes_of(leaves, graph);
  for (const equations::Entry& entry : equations::differentiate(graph, from, by, kMostOfGraph)) {
    rows[entry.row][entry.column] = Term(graph, entry.node);
  }
  return rows;
}

Terms substituted(const Terms& roots, const Terms& leaves, const Terms& values, Graph& graph) {
  return Substitution(leaves, values, graph).run(roots);
}

}  // namespace alembert::model::planar
