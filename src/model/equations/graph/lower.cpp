#include "model/equations/graph/lower.hpp"

namespace alembert::model::equations {

namespace {

NodeId leaf_of(const Symbol& symbol, Graph& graph) {
  switch (symbol.kind) {
    case SymbolKind::Time:
      return graph.leaf(Op::Time);
    case SymbolKind::Constant:
      return graph.constant(symbol.value);
    case SymbolKind::Input:
      return graph.leaf(Op::Input, symbol.index);
    case SymbolKind::Parameter:
      return graph.leaf(Op::Parameter, symbol.index);
    case SymbolKind::State:
      return graph.leaf(Op::State, symbol.index);
    case SymbolKind::Definition:
      break;
  }
  return 0;
}

// Operations that the graph has under the same meaning.
Op op_of(Form form) {
  switch (form) {
    case Form::Negate:
      return Op::Neg;
    case Form::Not:
      return Op::Not;
    case Form::Add:
      return Op::Add;
    case Form::Subtract:
      return Op::Sub;
    case Form::Multiply:
      return Op::Mul;
    case Form::Divide:
      return Op::Div;
    case Form::Less:
      return Op::Less;
    case Form::LessEqual:
      return Op::LessEqual;
    case Form::Equal:
      return Op::Equal;
    case Form::NotEqual:
      return Op::NotEqual;
    case Form::And:
      return Op::And;
    case Form::Or:
      return Op::Or;
    case Form::If:
      return Op::Select;
    case Form::Min:
      return Op::Min;
    case Form::Max:
      return Op::Max;
    case Form::Abs:
      return Op::Abs;
    case Form::Sign:
      return Op::Sign;
    case Form::Floor:
      return Op::Floor;
    case Form::Sqrt:
      return Op::Sqrt;
    case Form::Exp:
      return Op::Exp;
    case Form::Log:
      return Op::Log;
    case Form::Sin:
      return Op::Sin;
    case Form::Cos:
      return Op::Cos;
    case Form::Tan:
      return Op::Tan;
    case Form::Asin:
      return Op::Asin;
    case Form::Acos:
      return Op::Acos;
    case Form::Atan:
      return Op::Atan;
    case Form::Sinh:
      return Op::Sinh;
    case Form::Cosh:
      return Op::Cosh;
    case Form::Tanh:
      return Op::Tanh;
    default:
      return Op::Atan2;
  }
}

}  // namespace

Lowering::Lowering(const Resolved& resolved, Graph& graph)
    : resolved_(resolved), graph_(graph), symbol_nodes_(resolved.symbols.size()) {
  for (std::size_t k = 0; k < resolved.symbols.size(); ++k) {
    if (resolved.symbols[k].kind != SymbolKind::Definition) {
      symbol_nodes_[k] = leaf_of(resolved.symbols[k], graph);
    }
  }
}

void Lowering::equations() {
  nodes_.resize(resolved_.equations.syntax.nodes.size());
  for (const std::uint32_t k : resolved_.order) {
    const Statement& statement = resolved_.equations.syntax.statements[k];
    range(resolved_.equations, statement.first, statement.root);
    symbol_nodes_[resolved_.statement_symbols[k]] = nodes_[statement.root];
  }
}

NodeId Lowering::expression(const ResolvedText& text) {
  nodes_.resize(text.syntax.nodes.size());
  const std::uint32_t root = text.syntax.statements[0].root;
  range(text, 0, root);
  return nodes_[root];
}

void Lowering::range(const ResolvedText& text, std::uint32_t first, std::uint32_t root) {
  for (std::uint32_t id = first; id <= root; ++id) {
    nodes_[id] = node(text, id);
  }
}

NodeId Lowering::node(const ResolvedText& text, std::uint32_t id) {
  const SyntaxNode& node = text.syntax.nodes[id];
  switch (node.form) {
    case Form::Number:
      return graph_.constant(node.number);
    case Form::Name:
      return symbol_nodes_[text.symbols[id]];
    case Form::Table:
      return graph_.table(Op::Table, nodes_[node.arguments[0]], text.symbols[id]);
    default:
      break;
  }
  return operation(node, nodes_[node.arguments[0]], nodes_[node.arguments[1]],
                   nodes_[node.arguments[2]]);
}

NodeId Lowering::operation(const SyntaxNode& node, NodeId a, NodeId b, NodeId c) {
  switch (node.form) {
    case Form::Power:
      return graph_.power(a, b);
    case Form::Greater:
      return graph_.make(Op::Less, b, a);
    case Form::GreaterEqual:
      return graph_.make(Op::LessEqual, b, a);
    case Form::SmoothMax:
    case Form::SmoothMin:
    case Form::SmoothAbs:
    case Form::SmoothSign:
      return smooth(node.form, a, b, c);
    default:
      break;
  }
  // Arguments that an operation does not have must not tell equal nodes apart.
  return graph_.make(op_of(node.form), a, node.argument_count > 1 ? b : 0,
                     node.argument_count > 2 ? c : 0);
}

// |x| ≈ r = √(x² + w²),  sign x ≈ x/r,  max(a, b) ≈ (a + b + √((a - b)² + w²))/2, min with - √.
NodeId Lowering::smooth(Form form, NodeId a, NodeId b, NodeId c) {
  const auto hypotenuse = [this](NodeId x, NodeId w) {
    return graph_.make(
        Op::Sqrt, graph_.make(Op::Add, graph_.make(Op::Mul, x, x), graph_.make(Op::Mul, w, w)));
  };
  if (form == Form::SmoothAbs) {
    return hypotenuse(a, b);
  }
  if (form == Form::SmoothSign) {
    // At (0, 0) it is sign(0) = 0, with slope 0; a fixed width other than 0 needs no such care.
    const NodeId root = hypotenuse(a, b);
    const NodeId quotient = graph_.make(Op::Div, a, root);
    const bool wide = graph_.is_constant(b) && graph_[b].value * graph_[b].value > 0.0;
    return wide ? quotient : graph_.make(Op::Select, root, quotient, graph_.constant(0.0));
  }
  const NodeId root = hypotenuse(graph_.make(Op::Sub, a, b), c);
  const NodeId sum = graph_.make(Op::Add, a, b);
  return graph_.make(Op::Mul, graph_.constant(0.5),
                     graph_.make(form == Form::SmoothMax ? Op::Add : Op::Sub, sum, root));
}

}  // namespace alembert::model::equations
