#include "model/equations/graph/jacobians.hpp"

namespace alembert::model::equations {
namespace {

std::vector<NodeId> leaves(Graph& graph, Op op, std::size_t count) {
  std::vector<NodeId> result;
  for (std::size_t k = 0; k < count; ++k) {
    result.push_back(graph.leaf(op, k));
  }
  return result;
}

}  // namespace

void add_derivatives(Program& program) {
  const auto x = leaves(program.graph, Op::State, program.states.size());
  const auto u = leaves(program.graph, Op::Input, program.inputs.size());
  const auto p = leaves(program.graph, Op::Parameter, program.parameters.size());
  DerivativeLimits limits{kMaxNodes, kMaxEntries};
  const auto by = [&](const FunctionNodes& function, const std::vector<NodeId>& variables) {
    std::vector<Entry> entries = differentiate(program.graph, function.values, variables, limits);
    limits.entries -= entries.size();
    return entries;
  };
  for (FunctionNodes* function : {&program.f, &program.g}) {
    function->by_state = by(*function, x);
    function->by_input = by(*function, u);
    function->by_parameter = by(*function, p);
  }
  program.start.by_parameter = by(program.start, p);
}

}  // namespace alembert::model::equations
