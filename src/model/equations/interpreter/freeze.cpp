#include "model/equations/interpreter/freeze.hpp"

#include <fmt/format.h>

#include <limits>

namespace alembert::model::equations {

namespace {

class Freezing {
 public:
  explicit Freezing(const Program& program) : source_(program.graph), nu_(program.inputs.size()) {
    result_.program.graph = Graph(source_.curves());
    result_.program.states = program.states;
    result_.program.inputs = program.inputs;
    result_.program.parameters = program.parameters;
    result_.program.pairs = program.pairs;
  }

  FrozenModel build(const std::vector<NodeId>& values) {
    mark(values);
    for (NodeId id = 0; id < source_.nodes().size(); ++id) {
      moved_.push_back(needed_[id] ? node(id) : 0);
      dynamic_.push_back(is_dynamic(id));
    }
    for (const NodeId value : values) result_.program.f.values.push_back(moved_[value]);
    for (std::size_t k = 0; k < result_.is_floor.size(); ++k) {
      result_.program.inputs.push_back(fmt::format("switch {}", k));
      result_.program.outputs.push_back(fmt::format("switch {}", k));
    }
    differentiate_all();
    result_.tapes = make_tapes(result_.program);
    return std::move(result_);
  }

 private:
  Graph& graph() { return result_.program.graph; }

  void mark(const std::vector<NodeId>& values) {
    needed_.assign(source_.nodes().size(), false);
    for (const NodeId value : values) needed_[value] = true;
    for (std::size_t k = needed_.size(); k-- > 0;) {
      const Node& node = source_[static_cast<NodeId>(k)];
      const int arguments = needed_[k] ? argument_count(node.op) : 0;
      if (arguments > 0) needed_[node.a] = true;
      if (arguments > 1) needed_[node.b] = true;
      if (arguments > 2) needed_[node.c] = true;
    }
  }

  [[nodiscard]] bool is_dynamic(NodeId id) const {
    const Node& node = source_[id];
    const int arguments = argument_count(node.op);
    return node.op == Op::Time || node.op == Op::State || node.op == Op::Input ||
           (arguments > 0 && dynamic_[node.a]) || (arguments > 1 && dynamic_[node.b]) ||
           (arguments > 2 && dynamic_[node.c]);
  }

  NodeId node(NodeId id) {
    const Node& node = source_[id];
    if (node.op == Op::Constant) return graph().constant(node.value);
    if (is_leaf(node.op)) return graph().leaf(node.op, node.a);
    const NodeId a = moved_[node.a];
    if (node.op == Op::Table || node.op == Op::TableSlope) return graph().table(node.op, a, node.b);
    const int arguments = argument_count(node.op);
    const NodeId b = arguments > 1 ? moved_[node.b] : 0;
    const NodeId c = arguments > 2 ? moved_[node.c] : 0;
    if (!is_dynamic(id)) return graph().make(node.op, a, b, c);
    return frozen(node.op, a, b, c);
  }

  // The operation on the side that the switch is on.
  NodeId frozen(Op op, NodeId a, NodeId b, NodeId c) {
    const NodeId zero = graph().constant(0.0);
    switch (op) {
      case Op::Abs:
        return graph().make(Op::Mul, side(a), a);
      case Op::Sign:
        return side(a);
      case Op::Min:
        return graph().make(Op::Select, graph().make(Op::Less, difference(a, b), zero), a, b);
      case Op::Max:
        return graph().make(Op::Select, graph().make(Op::Less, zero, difference(a, b)), a, b);
      case Op::Less:
      case Op::LessEqual:
      case Op::Equal:
      case Op::NotEqual:
        return graph().make(op, difference(a, b), zero);
      case Op::Floor:
        return whole(a);
      default:
        return graph().make(op, a, b, c);
    }
  }

  NodeId difference(NodeId a, NodeId b) { return side(graph().make(Op::Sub, a, b)); }

  NodeId next_input() { return graph().leaf(Op::Input, nu_ + result_.is_floor.size()); }

  // The sign of s as an input; equal switch functions share it.
  NodeId side(NodeId s) {
    std::vector<NodeId>& known = result_.program.g.values;
    for (std::size_t k = 0; k < known.size(); ++k) {
      if (known[k] == s) return graph().leaf(Op::Input, nu_ + k);
    }
    const NodeId input = next_input();
    known.push_back(s);
    result_.is_floor.push_back(false);
    return input;
  }

  // n = floor(a) as an input; s = a - n - 1/2 stays within ±1/2 as long as n holds.
  NodeId whole(NodeId a) {
    const NodeId input = next_input();
    const NodeId middle = graph().make(Op::Add, input, graph().constant(0.5));
    result_.program.g.values.push_back(graph().make(Op::Sub, a, middle));
    result_.is_floor.push_back(true);
    return input;
  }

  void differentiate_all() {
    // The model was within its limits before; holding kinks adds little.
    constexpr DerivativeLimits kNoLimit{std::numeric_limits<std::size_t>::max(),
                                        std::numeric_limits<std::size_t>::max()};
    std::vector<NodeId> x;
    std::vector<NodeId> p;
    for (std::size_t k = 0; k < result_.program.states.size(); ++k) {
      x.push_back(graph().leaf(Op::State, k));
    }
    for (std::size_t k = 0; k < result_.program.parameters.size(); ++k) {
      p.push_back(graph().leaf(Op::Parameter, k));
    }
    for (FunctionNodes* function : {&result_.program.f, &result_.program.g}) {
      function->by_state = differentiate(graph(), function->values, x, kNoLimit);
      function->by_parameter = differentiate(graph(), function->values, p, kNoLimit);
    }
  }

  const Graph& source_;
  std::size_t nu_;
  FrozenModel result_;
  std::vector<bool> needed_, dynamic_;
  std::vector<NodeId> moved_;
};

}  // namespace

FrozenModel freeze(const Program& program) { return Freezing(program).build(program.f.values); }

}  // namespace alembert::model::equations
