#include "model/equations/graph/derivative.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace alembert::model::equations {

namespace {

// Derivatives of one node: variable and node, sorted by variable; absent means zero.
using Gradient = std::vector<std::pair<std::uint32_t, NodeId>>;

constexpr NodeId kNone = ~NodeId{0};

class Differentiation {
 public:
  Differentiation(Graph& graph, const DerivativeLimits& limits) : graph_(graph), limits_(limits) {}

  std::vector<Entry> run(const std::vector<NodeId>& roots, const std::vector<NodeId>& variables) {
    const std::size_t count = graph_.nodes().size();
    const std::vector<bool> needed = graph_.needed_for(roots);
    find_last_users(needed, roots);
    gradients_.resize(count);
    for (std::uint32_t v = 0; v < variables.size(); ++v) {
      if (variables[v] < count) {
        gradients_[variables[v]] = {{v, graph_.constant(1.0)}};
      }
    }
    for (NodeId id = 0; id < count; ++id) {
      if (needed[id] && !is_leaf(graph_[id].op)) {
        gradients_[id] = gradient(id);
        kept_entries_ += gradients_[id].size();
        check_limits();
        release_arguments(id);
      }
    }
    return collect(roots);
  }

 private:
  // The last node that uses a node; kNone for roots, whose gradients are the result.
  void find_last_users(const std::vector<bool>& needed, const std::vector<NodeId>& roots) {
    last_user_.assign(needed.size(), 0);
    for (NodeId id = 0; id < needed.size(); ++id) {
      const Node& node = graph_[id];
      const int arguments = needed[id] ? argument_count(node.op) : 0;
      if (arguments > 0) last_user_[node.a] = id;
      if (arguments > 1) last_user_[node.b] = id;
      if (arguments > 2) last_user_[node.c] = id;
    }
    for (const NodeId root : roots) {
      last_user_[root] = kNone;
    }
  }

  // Sums of many terms would otherwise keep the gradient of every part of the sum.
  void release_arguments(NodeId id) {
    const Node& node = graph_[id];
    const int arguments = argument_count(node.op);
    const std::array<NodeId, 3> used{node.a, node.b, node.c};
    for (int k = 0; k < arguments; ++k) {
      const NodeId argument = used[static_cast<std::size_t>(k)];
      if (last_user_[argument] == id && !is_leaf(graph_[argument].op)) {
        kept_entries_ -= gradients_[argument].size();
        Gradient().swap(gradients_[argument]);
      }
    }
  }

  void check_limits() const {
    if (graph_.nodes().size() > limits_.nodes) {
      throw std::length_error("operations");
    }
    check_entries(kept_entries_);
  }

  void check_entries(std::size_t count) const {
    if (count > limits_.entries) {
      throw std::length_error("entries of Jacobians");
    }
  }

  std::vector<Entry> collect(const std::vector<NodeId>& roots) const {
    std::vector<Entry> entries;
    for (std::uint32_t row = 0; row < roots.size(); ++row) {
      for (const auto& [variable, node] : gradients_[roots[row]]) {
        if (!graph_.is_constant(node, 0.0)) {
          entries.push_back({row, variable, node});
        }
      }
      check_entries(entries.size());  // rows may share a gradient
    }
    return entries;
  }

  // By value: new nodes move the list of nodes.
  Gradient gradient(NodeId id) {
    const Node node = graph_[id];
    switch (node.op) {
      case Op::Min:
        return chosen(graph_.make(Op::LessEqual, node.a, node.b), node.a, node.b);
      case Op::Max:
        return chosen(graph_.make(Op::LessEqual, node.b, node.a), node.a, node.b);
      case Op::Select:
        return chosen(node.a, node.b, node.c);
      case Op::Add:
        return merged(node.a, node.b, [this](NodeId da, NodeId db) {
          return da == kNone ? db : db == kNone ? da : graph_.make(Op::Add, da, db);
        });
      case Op::Sub:
        return merged(node.a, node.b, [this](NodeId da, NodeId db) {
          return db == kNone   ? da
                 : da == kNone ? graph_.make(Op::Neg, db)
                               : graph_.make(Op::Sub, da, db);
        });
      default:
        break;
    }
    return argument_count(node.op) == 1 ? chain(id, node) : product_rule(id, node);
  }

  template <class Combine>
  Gradient merged(NodeId a, NodeId b, const Combine& combine) {
    const Gradient& left = gradients_[a];
    const Gradient& right = gradients_[b];
    Gradient result;
    std::size_t i = 0;
    std::size_t k = 0;
    while (i < left.size() || k < right.size()) {
      const std::uint32_t variable = std::min(i < left.size() ? left[i].first : kNone,
                                              k < right.size() ? right[k].first : kNone);
      const NodeId da = i < left.size() && left[i].first == variable ? left[i++].second : kNone;
      const NodeId db = k < right.size() && right[k].first == variable ? right[k++].second : kNone;
      result.emplace_back(variable, combine(da, db));
    }
    return result;
  }

  Gradient chosen(NodeId condition, NodeId a, NodeId b) {
    return merged(a, b, [this, condition](NodeId da, NodeId db) {
      const NodeId zero = graph_.constant(0.0);
      return graph_.make(Op::Select, condition, da == kNone ? zero : da, db == kNone ? zero : db);
    });
  }

  Gradient chain(NodeId id, const Node& node) {
    const Gradient inner = gradients_[node.a];
    if (inner.empty()) {
      return {};
    }
    const NodeId slope = slope_of(id, node);
    if (graph_.is_constant(slope, 0.0)) {
      return {};
    }
    Gradient result;
    for (const auto& [variable, da] : inner) {
      result.emplace_back(variable, graph_.make(Op::Mul, slope, da));
    }
    return result;
  }

  NodeId number(double value) { return graph_.constant(value); }
  NodeId square(NodeId a) { return graph_.make(Op::Mul, a, a); }
  NodeId minus(NodeId a, NodeId b) { return graph_.make(Op::Sub, a, b); }

  // f'(a) of the function f of one argument, whose value is node id.
  NodeId slope_of(NodeId id, const Node& node) {
    const NodeId a = node.a;
    switch (node.op) {
      case Op::Neg:
        return number(-1.0);
      case Op::Abs:
        return graph_.make(Op::Select, graph_.make(Op::LessEqual, number(0.0), a), number(1.0),
                           number(-1.0));
      case Op::Sqrt:
        return graph_.make(Op::Mul, number(0.5), graph_.make(Op::SafeInverse, id));
      case Op::Exp:
        return id;
      case Op::Log:
        return graph_.make(Op::SafeInverse, a);
      case Op::Sin:
        return graph_.make(Op::Cos, a);
      case Op::Cos:
        return graph_.make(Op::Neg, graph_.make(Op::Sin, a));
      case Op::Tan:
        return graph_.make(Op::Add, number(1.0), square(id));
      case Op::Asin:
        return root_slope(a);
      case Op::Acos:
        return graph_.make(Op::Neg, root_slope(a));
      case Op::Atan:
        return graph_.make(Op::Div, number(1.0), graph_.make(Op::Add, number(1.0), square(a)));
      case Op::Sinh:
        return graph_.make(Op::Cosh, a);
      case Op::Cosh:
        return graph_.make(Op::Sinh, a);
      case Op::Tanh:
        return minus(number(1.0), square(id));
      case Op::SafeInverse:
        return graph_.make(Op::Neg, square(id));
      case Op::Table:
        return graph_.table(Op::TableSlope, a, node.b);
      default:
        return number(0.0);  // sign, floor, not
    }
  }

  // 1/√(1 - a²), with (1 - a)(1 + a) keeping the digits near the ends.
  NodeId root_slope(NodeId a) {
    const NodeId product =
        graph_.make(Op::Mul, minus(number(1.0), a), graph_.make(Op::Add, number(1.0), a));
    return graph_.make(Op::SafeInverse, graph_.make(Op::Sqrt, product));
  }

  // ∂f/∂a da + ∂f/∂b db
  Gradient product_rule(NodeId id, const Node& node) {
    const bool has_a = !gradients_[node.a].empty();
    const bool has_b = !gradients_[node.b].empty();
    if (!has_a && !has_b) {
      return {};
    }
    const NodeId pa = has_a ? partial_a(id, node) : number(0.0);
    const NodeId pb = has_b ? partial_b(id, node) : number(0.0);
    Gradient result = merged(node.a, node.b, [this, pa, pb](NodeId da, NodeId db) {
      const NodeId left = term(pa, da);
      const NodeId right = term(pb, db);
      return left == kNone ? right : right == kNone ? left : graph_.make(Op::Add, left, right);
    });
    std::erase_if(result, [](const auto& entry) { return entry.second == kNone; });
    return result;
  }

  NodeId term(NodeId partial, NodeId da) {
    return da == kNone || graph_.is_constant(partial, 0.0) ? kNone
                                                           : graph_.make(Op::Mul, partial, da);
  }

  NodeId partial_a(NodeId id, const Node& node) {
    switch (node.op) {
      case Op::Mul:
        return node.b;
      case Op::Div:
        return graph_.make(Op::SafeInverse, node.b);
      case Op::Pow:
      case Op::PowUp:
        return graph_.make(Op::PowSlope, node.a, node.b, id);
      case Op::PowSlope:  // s = b a^(b-1): s (b - 1)/a
        return graph_.make(Op::Mul, graph_.make(Op::Mul, id, minus(node.b, number(1.0))),
                           graph_.make(Op::SafeInverse, node.a));
      case Op::PowLog:  // b log(a): b/a
        return where_positive(node.a, [&] {
          return graph_.make(Op::Mul, node.b, graph_.make(Op::SafeInverse, node.a));
        });
      case Op::Atan2:
        return safe_quotient(node.b, squares(node));
      default:
        return number(0.0);  // comparisons, and, or
    }
  }

  NodeId partial_b(NodeId id, const Node& node) {
    switch (node.op) {
      case Op::Mul:
        return node.a;
      case Op::Div:
        return quotient_slope(node.a, node.b);
      case Op::Pow:
      case Op::PowUp:
        return graph_.make(Op::PowLog, node.a, id);
      case Op::PowSlope:  // s = b c/a with c = a^b: (c + b c log(a))/a
        return graph_.make(
            Op::Mul,
            graph_.make(Op::Add, node.c,
                        graph_.make(Op::Mul, node.b, graph_.make(Op::PowLog, node.a, node.c))),
            graph_.make(Op::SafeInverse, node.a));
      case Op::PowLog:  // b log(a): log(a)
        return where_positive(node.a, [&] { return graph_.make(Op::Log, node.a); });
      case Op::Atan2:
        return graph_.make(Op::Neg, safe_quotient(node.a, squares(node)));
      default:
        return number(0.0);
    }
  }

  // -a/b², from a and not from a/b: infinity times 0 is no number.
  NodeId quotient_slope(NodeId a, NodeId b) {
    const NodeId inverse_b = graph_.make(Op::SafeInverse, b);
    return graph_.make(Op::Neg,
                       graph_.make(Op::Mul, graph_.make(Op::Mul, a, inverse_b), inverse_b));
  }

  // What `make` gives where a > 0, else 0.
  template <class Make>
  NodeId where_positive(NodeId a, const Make& make) {
    const NodeId value = make();
    return graph_.make(Op::Select, graph_.make(Op::Less, number(0.0), a), value, number(0.0));
  }

  // a/b, but 0 at b = 0.
  NodeId safe_quotient(NodeId a, NodeId b) {
    return graph_.make(Op::Select, b, graph_.make(Op::Div, a, b), number(0.0));
  }

  NodeId squares(const Node& node) { return graph_.make(Op::Add, square(node.a), square(node.b)); }

  Graph& graph_;
  DerivativeLimits limits_;
  std::vector<NodeId> last_user_;
  std::vector<Gradient> gradients_;
  std::size_t kept_entries_ = 0;  // in gradients_, but for those of the variables
};

}  // namespace

std::vector<Entry> differentiate(Graph& graph, const std::vector<NodeId>& roots,
                                 const std::vector<NodeId>& variables,
                                 const DerivativeLimits& limits) {
  return Differentiation(graph, limits).run(roots, variables);
}

}  // namespace alembert::model::equations
