#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/equations/graph/op.hpp"

namespace alembert::model::equations {

using NodeId = std::uint32_t;

/// One operation on earlier nodes. Leaves keep their index in a; tables keep theirs in b.
struct Node {
  Op op = Op::Constant;
  NodeId a = 0;
  NodeId b = 0;
  NodeId c = 0;
  double value = 0.0;  ///< of a constant
};

/// An expression graph in which equal expressions are one node, and arguments stand before users.
/// Constants are folded, and neutral elements dropped where that is exact for all numbers.
class Graph {
 public:
  explicit Graph(std::vector<Curve> curves = {}) : curves_(std::move(curves)) {}

  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  [[nodiscard]] const Node& operator[](NodeId id) const { return nodes_[id]; }
  [[nodiscard]] const std::vector<Curve>& curves() const { return curves_; }
  [[nodiscard]] bool is_constant(NodeId id) const { return nodes_[id].op == Op::Constant; }
  [[nodiscard]] bool is_constant(NodeId id, double value) const {
    return is_constant(id) && nodes_[id].value == value;
  }

  NodeId constant(double value);
  NodeId leaf(Op op, std::size_t index = 0);
  NodeId table(Op op, NodeId argument, std::size_t table);
  NodeId make(Op op, NodeId a, NodeId b = 0, NodeId c = 0);

  /// Marks the nodes on which the roots depend, the roots among them.
  [[nodiscard]] std::vector<bool> needed_for(const std::vector<NodeId>& roots) const;

  /// a^b, with small whole exponents as products and 1/2 as a root.
  NodeId power(NodeId a, NodeId b);

 private:
  struct Hash {
    std::size_t operator()(const Node& node) const;
  };
  struct Same {
    bool operator()(const Node& x, const Node& y) const;
  };

  NodeId intern(const Node& node);
  bool fold(Op op, NodeId a, NodeId b, NodeId c, double* value) const;
  NodeId simplified_sum(Op op, NodeId a, NodeId b);
  NodeId simplified_product(Op op, NodeId a, NodeId b);

  std::vector<Node> nodes_;
  std::vector<Curve> curves_;
  std::unordered_map<Node, NodeId, Hash, Same> known_;
};

}  // namespace alembert::model::equations
