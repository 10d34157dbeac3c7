#include "model/equations/graph/graph.hpp"

#include <cstring>
#include <utility>

namespace alembert::model::equations {

namespace {

constexpr double kLargestProductExponent = 16.0;

// Bits of a number, so that 0 and -0 stay apart and NaN is equal to itself.
std::uint64_t bits_of(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

bool commutes(Op op) {
  return op == Op::Add || op == Op::Mul || op == Op::Equal || op == Op::NotEqual || op == Op::And ||
         op == Op::Or;
}

}  // namespace

std::size_t Graph::Hash::operator()(const Node& node) const {
  std::uint64_t hash = static_cast<std::uint64_t>(node.op);
  for (const std::uint64_t part :
       {std::uint64_t{node.a}, std::uint64_t{node.b}, std::uint64_t{node.c}, bits_of(node.value)}) {
    hash = (hash ^ part) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29U;
  }
  return static_cast<std::size_t>(hash);
}

bool Graph::Same::operator()(const Node& x, const Node& y) const {
  return x.op == y.op && x.a == y.a && x.b == y.b && x.c == y.c &&
         bits_of(x.value) == bits_of(y.value);
}

NodeId Graph::intern(const Node& node) {
  const auto [entry, is_new] = known_.try_emplace(node, static_cast<NodeId>(nodes_.size()));
  if (is_new) {
    nodes_.push_back(node);
  }
  return entry->second;
}

NodeId Graph::constant(double value) { return intern({.op = Op::Constant, .value = value}); }

NodeId Graph::leaf(Op op, std::size_t index) {
  return intern({.op = op, .a = static_cast<NodeId>(index)});
}

NodeId Graph::table(Op op, NodeId argument, std::size_t table) {
  if (is_constant(argument)) {
    return constant(evaluate(op, nodes_[argument].value, 0.0, 0.0, &curves_[table]));
  }
  return intern({.op = op, .a = argument, .b = static_cast<NodeId>(table)});
}

bool Graph::fold(Op op, NodeId a, NodeId b, NodeId c, double* value) const {
  const int count = argument_count(op);
  if (!is_constant(a) || (count > 1 && !is_constant(b)) || (count > 2 && !is_constant(c))) {
    return false;
  }
  *value = evaluate(op, nodes_[a].value, nodes_[b].value, nodes_[c].value, nullptr);
  return true;
}

NodeId Graph::make(Op op, NodeId a, NodeId b, NodeId c) {
  double value = 0.0;
  if (fold(op, a, b, c, &value)) {
    return constant(value);
  }
  if (op == Op::Add || op == Op::Sub) {
    return simplified_sum(op, a, b);
  }
  if (op == Op::Mul || op == Op::Div) {
    return simplified_product(op, a, b);
  }
  if (op == Op::Neg && nodes_[a].op == Op::Neg) {
    return nodes_[a].a;
  }
  if (op == Op::Select) {
    if (b == c) {
      return b;
    }
    if (is_constant(a)) {
      return nodes_[a].value != 0.0 ? b : c;
    }
  }
  if (commutes(op) && a > b) {
    std::swap(a, b);
  }
  return intern({.op = op, .a = a, .b = b, .c = c});
}

// x + 0 = x holds but for the sign of a zero.
NodeId Graph::simplified_sum(Op op, NodeId a, NodeId b) {
  if (is_constant(b, 0.0)) {
    return a;
  }
  if (is_constant(a, 0.0)) {
    return op == Op::Add ? b : make(Op::Neg, b);
  }
  if (nodes_[b].op == Op::Neg) {  // x + (-y) = x - y
    return make(op == Op::Add ? Op::Sub : Op::Add, a, nodes_[b].a);
  }
  if (op == Op::Add && nodes_[a].op == Op::Neg) {  // -x + y = y - x
    return make(Op::Sub, b, nodes_[a].a);
  }
  if (op == Op::Add && a > b) {
    std::swap(a, b);
  }
  return intern({.op = op, .a = a, .b = b});
}

// Signs move outwards, where sums absorb them.
NodeId Graph::simplified_product(Op op, NodeId a, NodeId b) {
  if (op == Op::Mul && is_constant(b)) {
    std::swap(a, b);
  }
  if (op == Op::Mul && is_constant(a, 1.0)) {
    return b;
  }
  if (op == Op::Div && is_constant(b, 1.0)) {
    return a;
  }
  if ((op == Op::Mul && is_constant(a, -1.0)) || (op == Op::Div && is_constant(b, -1.0))) {
    return make(Op::Neg, op == Op::Mul ? b : a);
  }
  if (nodes_[a].op == Op::Neg) {
    return make(Op::Neg, make(op, nodes_[a].a, b));
  }
  if (nodes_[b].op == Op::Neg) {
    return make(Op::Neg, make(op, a, nodes_[b].a));
  }
  if (op == Op::Mul && a > b) {
    std::swap(a, b);
  }
  return intern({.op = op, .a = a, .b = b});
}

std::vector<bool> Graph::needed_for(const std::vector<NodeId>& roots) const {
  std::vector<bool> needed(nodes_.size(), false);
  for (const NodeId root : roots) {
    needed[root] = true;
  }
  for (std::size_t k = nodes_.size(); k-- > 0;) {
    const Node& node = nodes_[k];
    const int arguments = needed[k] ? argument_count(node.op) : 0;
    if (arguments > 0) needed[node.a] = true;
    if (arguments > 1) needed[node.b] = true;
    if (arguments > 2) needed[node.c] = true;
  }
  return needed;
}

NodeId Graph::power(NodeId a, NodeId b) {
  if (!is_constant(b) || is_constant(a)) {
    return make(Op::Pow, a, b);
  }
  const double exponent = nodes_[b].value;
  if (exponent == 0.5) {
    return make(Op::Sqrt, a);
  }
  const double magnitude = std::fabs(exponent);
  if (magnitude != std::floor(magnitude) || magnitude > kLargestProductExponent) {
    return make(Op::Pow, a, b);
  }
  NodeId result = constant(1.0);
  NodeId square = a;
  for (unsigned rest = static_cast<unsigned>(magnitude); rest > 0; rest >>= 1U) {
    if ((rest & 1U) != 0) {
      result = make(Op::Mul, result, square);
    }
    if (rest > 1) {
      square = make(Op::Mul, square, square);
    }
  }
  return exponent < 0.0 ? make(Op::Div, constant(1.0), result) : result;
}

}  // namespace alembert::model::equations
