#include "model/equations/interpreter/tape.hpp"

#include <algorithm>

namespace alembert::model::equations {

namespace {

constexpr std::uint32_t kUnset = ~std::uint32_t{0};

std::vector<NodeId> roots_of(const FunctionNodes& function, bool jacobians) {
  std::vector<NodeId> roots = function.values;
  if (jacobians) {
    for (const auto* entries : {&function.by_state, &function.by_input, &function.by_parameter}) {
      for (const Entry& entry : *entries) {
        roots.push_back(entry.node);
      }
    }
  }
  return roots;
}

class TapeBuilder {
 public:
  explicit TapeBuilder(const Program& program)
      : program_(program), graph_(program.graph), slots_(graph_.nodes().size(), kUnset) {}

  TapeSet build() {
    find_dynamic();
    const std::vector<bool> needed = needed_for_all();
    lay_out(needed);
    result_.start = tape(program_.start, true);
    result_.f = tape(program_.f, false);
    result_.g = tape(program_.g, false);
    FunctionNodes f_state = program_.f;
    f_state.by_input.clear();
    f_state.by_parameter.clear();
    result_.f_state = tape(f_state, true);
    FunctionNodes f_slopes = program_.f;
    f_slopes.values.clear();
    f_slopes.by_input.clear();
    result_.f_slopes = tape(f_slopes, true);
    result_.f_jacobians = tape(program_.f, true);
    result_.g_jacobians = tape(program_.g, true);
    return std::move(result_);
  }

 private:
  // What depends on time, states or inputs.
  void find_dynamic() {
    const auto& nodes = graph_.nodes();
    dynamic_.assign(nodes.size(), false);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const Node& node = nodes[k];
      const int arguments = argument_count(node.op);
      dynamic_[k] = node.op == Op::Time || node.op == Op::State || node.op == Op::Input ||
                    (arguments > 0 && dynamic_[node.a]) || (arguments > 1 && dynamic_[node.b]) ||
                    (arguments > 2 && dynamic_[node.c]);
    }
  }

  std::vector<bool> needed_for_all() const {
    std::vector<NodeId> roots = roots_of(program_.start, true);
    for (const FunctionNodes* function : {&program_.f, &program_.g}) {
      const std::vector<NodeId> more = roots_of(*function, true);
      roots.insert(roots.end(), more.begin(), more.end());
    }
    return graph_.needed_for(roots);
  }

  void lay_out(const std::vector<bool>& needed) {
    const auto count = static_cast<NodeId>(graph_.nodes().size());
    for (NodeId id = 0; id < count; ++id) {
      if (needed[id] && graph_[id].op == Op::Constant) {
        slots_[id] = static_cast<std::uint32_t>(result_.constants.size());
        result_.constants.push_back(graph_[id].value);
      }
    }
    result_.parameter_slot = static_cast<std::uint32_t>(result_.constants.size());
    result_.prepared_slot =
        result_.parameter_slot + static_cast<std::uint32_t>(program_.parameters.size());
    place_leaves(Op::Parameter, result_.parameter_slot);
    std::uint32_t next = result_.prepared_slot;
    for (NodeId id = 0; id < count; ++id) {
      if (needed[id] && !is_leaf(graph_[id].op) && !dynamic_[id]) {
        slots_[id] = next++;
        result_.prepare.code.push_back(instruction(id));
      }
    }
    result_.time_slot = next;
    result_.state_slot = result_.time_slot + 1;
    result_.input_slot = result_.state_slot + static_cast<std::uint32_t>(program_.states.size());
    result_.temporary_slot =
        result_.input_slot + static_cast<std::uint32_t>(program_.inputs.size());
    result_.size = result_.temporary_slot;
    place_leaves(Op::Time, result_.time_slot);
    place_leaves(Op::State, result_.state_slot);
    place_leaves(Op::Input, result_.input_slot);
  }

  void place_leaves(Op op, std::uint32_t first) {
    for (std::size_t k = 0; k < slots_.size(); ++k) {
      const Node& node = graph_[static_cast<NodeId>(k)];
      if (node.op == op) {
        slots_[k] = first + node.a;
      }
    }
  }

  Instruction instruction(NodeId id) const {
    const Node& node = graph_[id];
    const int arguments = argument_count(node.op);
    const bool table = node.op == Op::Table || node.op == Op::TableSlope;
    return {node.op, slots_[id], slots_[node.a],
            table           ? node.b
            : arguments > 1 ? slots_[node.b]
                            : 0,
            arguments > 2 ? slots_[node.c] : 0};
  }

  Tape tape(const FunctionNodes& function, bool jacobians) {
    Tape result;
    const std::vector<bool> wanted = graph_.needed_for(roots_of(function, jacobians));
    std::uint32_t next = result_.temporary_slot;
    for (NodeId id = 0; id < wanted.size(); ++id) {
      if (wanted[id] && dynamic_[id] && !is_leaf(graph_[id].op)) {
        slots_[id] = next++;
        result.code.push_back(instruction(id));
      }
    }
    result_.size = std::max(result_.size, next);
    for (const NodeId node : function.values) {
      result.values.push_back(slots_[node]);
    }
    if (jacobians) {
      result.by_state = entry_slots(function.by_state);
      result.by_input = entry_slots(function.by_input);
      result.by_parameter = entry_slots(function.by_parameter);
    }
    return result;
  }

  std::vector<EntrySlot> entry_slots(const std::vector<Entry>& entries) const {
    std::vector<EntrySlot> result;
    for (const Entry& entry : entries) {
      result.push_back({entry.row, entry.column, slots_[entry.node]});
    }
    return result;
  }

  const Program& program_;
  const Graph& graph_;
  std::vector<std::uint32_t> slots_;
  std::vector<bool> dynamic_;
  TapeSet result_;
};

}  // namespace

TapeSet make_tapes(const Program& program) { return TapeBuilder(program).build(); }

Tape needed_part(Tape tape, const TapeSet& tapes) {
  std::vector<bool> needed(tapes.size, false);
  for (const std::uint32_t slot : tape.values) {
    needed[slot] = true;
  }
  for (const auto* entries : {&tape.by_state, &tape.by_input, &tape.by_parameter}) {
    for (const EntrySlot& entry : *entries) {
      needed[entry.slot] = true;
    }
  }
  std::vector<Instruction> code;
  for (auto i = tape.code.rbegin(); i != tape.code.rend(); ++i) {
    if (!needed[i->target]) {
      continue;
    }
    const int arguments = argument_count(i->op);
    needed[i->a] = true;
    if (arguments > 1) needed[i->b] = true;
    if (arguments > 2) needed[i->c] = true;
    code.push_back(*i);
  }
  std::reverse(code.begin(), code.end());
  tape.code = std::move(code);
  return tape;
}

Tape without_inputs(const Tape& tape, const TapeSet& tapes) {
  Tape rest = tape;
  rest.by_input.clear();
  return needed_part(std::move(rest), tapes);
}

// The operations that make up most models stand here and not only in evaluate, so that they cost no
// call; evaluate serves the rest.
void run(const Tape& tape, const std::vector<Curve>& curves, double* r) {
  for (const Instruction& i : tape.code) {
    switch (i.op) {
      case Op::Add:
        r[i.target] = r[i.a] + r[i.b];
        break;
      case Op::Sub:
        r[i.target] = r[i.a] - r[i.b];
        break;
      case Op::Mul:
        r[i.target] = r[i.a] * r[i.b];
        break;
      case Op::Div:
        r[i.target] = r[i.a] / r[i.b];
        break;
      case Op::Neg:
        r[i.target] = -r[i.a];
        break;
      case Op::Sqrt:
        r[i.target] = std::sqrt(r[i.a]);
        break;
      case Op::Abs:
        r[i.target] = std::fabs(r[i.a]);
        break;
      case Op::Min:
        r[i.target] = r[i.a] < r[i.b] ? r[i.a] : r[i.b];
        break;
      case Op::Max:
        r[i.target] = r[i.a] > r[i.b] ? r[i.a] : r[i.b];
        break;
      case Op::Less:
        r[i.target] = truth(r[i.a] < r[i.b]);
        break;
      case Op::LessEqual:
        r[i.target] = truth(r[i.a] <= r[i.b]);
        break;
      case Op::Select:
        r[i.target] = r[i.a] != 0.0 ? r[i.b] : r[i.c];
        break;
      case Op::Sin:
        r[i.target] = std::sin(r[i.a]);
        break;
      case Op::Cos:
        r[i.target] = std::cos(r[i.a]);
        break;
      case Op::Exp:
        r[i.target] = std::exp(r[i.a]);
        break;
      case Op::Pow:
        r[i.target] = std::pow(r[i.a], r[i.b]);
        break;
      case Op::PowUp:
        r[i.target] = pow_up(r[i.a], r[i.b], r[i.c]);
        break;
      case Op::PowSlope:
        r[i.target] = pow_slope(r[i.a], r[i.b], r[i.c]);
        break;
      case Op::SafeInverse:
        r[i.target] = safe_inverse(r[i.a]);
        break;
      case Op::Table:
        r[i.target] = curve_value(curves[i.b], r[i.a]);
        break;
      case Op::TableSlope:
        r[i.target] = curve_slope(curves[i.b], r[i.a]);
        break;
      default:
        r[i.target] = evaluate(i.op, r[i.a], r[i.b], r[i.c], nullptr);
        break;
    }
  }
}

}  // namespace alembert::model::equations
