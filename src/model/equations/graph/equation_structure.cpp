#include "alembert/model/equation_structure.hpp"

#include "model/equations/graph/program.hpp"

namespace alembert::model {

namespace {

using equations::argument_count;
using equations::Graph;
using equations::Node;
using equations::NodeId;
using equations::Op;

// Parameters on which a node depends.
std::vector<bool> parameters_in(const Graph& graph, NodeId node, std::size_t count) {
  std::vector<bool> found(count, false);
  const std::vector<bool> needed = graph.needed_for({node});
  for (NodeId id = 0; id < needed.size(); ++id) {
    if (needed[id] && graph[id].op == Op::Parameter) found[graph[id].a] = true;
  }
  return found;
}

bool jumps(Op op, bool comparisons) {
  if (op == Op::Sign || op == Op::Floor) return true;
  return comparisons &&
         (op == Op::Less || op == Op::LessEqual || op == Op::Equal || op == Op::NotEqual);
}

double value_of(const Graph& graph, const Node& node, const std::vector<double>& values) {
  const int count = argument_count(node.op);
  const bool table = node.op == Op::Table || node.op == Op::TableSlope;
  return equations::evaluate(node.op, values[node.a], count > 1 ? values[node.b] : 0.0,
                             count > 2 ? values[node.c] : 0.0,
                             table ? &graph.curves()[node.b] : nullptr);
}

}  // namespace

InputSlope input_slope(const EquationModel& model, std::size_t state, std::size_t input) {
  const equations::Program& program = model.program();
  for (const equations::Entry& entry : program.f.by_input) {
    if (entry.row != state || entry.column != input) continue;
    const Node& node = program.graph[entry.node];
    if (node.op != Op::Constant) return {InputSlope::Kind::Varying, 0.0};
    return {InputSlope::Kind::Constant, node.value};
  }
  return {};
}

std::vector<std::vector<bool>> parameters_in_slopes(const EquationModel& model, std::size_t state) {
  const equations::Program& program = model.program();
  const std::size_t count = program.parameters.size();
  std::vector<std::vector<bool>> contains(count, std::vector<bool>(count, false));
  for (const equations::Entry& entry : program.f.by_parameter) {
    if (entry.row == state) {
      contains[entry.column] = parameters_in(program.graph, entry.node, count);
    }
  }
  return contains;
}

JumpingParts::JumpingParts(const EquationModel& model, bool comparisons) : model_(model) {
  const equations::Program& program = model_.program();
  const std::vector<bool> needed = program.graph.needed_for(program.f.values);
  for (NodeId id = 0; id < needed.size(); ++id) {
    if (needed[id] && jumps(program.graph[id].op, comparisons)) watched_.push_back(id);
  }
  nodes_.resize(watched_.empty() ? 0 : watched_.back() + 1);
  values_.resize(watched_.size());
}

const std::vector<double>& JumpingParts::at(double t, const double* x, const double* u,
                                            const double* parameters) {
  const Graph& graph = model_.program().graph;
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    const Node& node = graph[id];
    switch (node.op) {
      case Op::Constant:
        nodes_[id] = node.value;
        break;
      case Op::Time:
        nodes_[id] = t;
        break;
      case Op::State:
        nodes_[id] = x[node.a];
        break;
      case Op::Input:
        nodes_[id] = u[node.a];
        break;
      case Op::Parameter:
        nodes_[id] = parameters[node.a];
        break;
      default:
        nodes_[id] = value_of(graph, node, nodes_);
    }
  }
  for (std::size_t k = 0; k < watched_.size(); ++k) values_[k] = nodes_[watched_[k]];
  return values_;
}

}  // namespace alembert::model
