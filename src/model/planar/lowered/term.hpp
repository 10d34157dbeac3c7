#pragma once

// Numbers that are nodes of an expression graph, so that the formulas of mechanisms, which are
// written for any scalar, build the graph.

#include <cmath>

#include "model/equations/graph/graph.hpp"

namespace alembert::model::planar {

/// A node, or a constant as long as nothing else is known of it.
struct Term {
  equations::Graph* graph = nullptr;  ///< null: a constant
  equations::NodeId id = 0;
  double value = 0.0;  ///< of a constant

  Term() = default;
  Term(double number) : value(number) {}  // NOLINT: meant to convert, as scalars do
  Term(equations::Graph& in, equations::NodeId node) : id(node) {
    if (in.is_constant(node)) {
      value = in[node].value;
    } else {
      graph = &in;
    }
  }

  [[nodiscard]] bool is_constant() const { return graph == nullptr; }
  [[nodiscard]] bool is(double number) const { return is_constant() && value == number; }
};

/// The node of a term in a graph.
inline equations::NodeId node_of(const Term& term, equations::Graph& graph) {
  return term.is_constant() ? graph.constant(term.value) : term.id;
}

inline Term combined(equations::Op op, const Term& a, const Term& b) {
  equations::Graph* const graph = a.is_constant() ? b.graph : a.graph;
  if (graph == nullptr) return equations::evaluate(op, a.value, b.value, 0.0, nullptr);
  const equations::NodeId first = node_of(a, *graph);
  const equations::NodeId second = node_of(b, *graph);
  return {*graph, graph->make(op, first, second)};
}

inline Term operator+(const Term& a, const Term& b) { return combined(equations::Op::Add, a, b); }
inline Term operator-(const Term& a, const Term& b) { return combined(equations::Op::Sub, a, b); }
/// Zero times a term is zero: what a mechanism multiplies is finite.
inline Term operator*(const Term& a, const Term& b) {
  if (a.is(0.0) || b.is(0.0)) return 0.0;
  return combined(equations::Op::Mul, a, b);
}
inline Term operator/(const Term& a, const Term& b) {
  if (a.is(0.0)) return 0.0;
  return combined(equations::Op::Div, a, b);
}
inline Term applied(equations::Op op, const Term& a) {
  if (a.is_constant()) return equations::evaluate(op, a.value, 0.0, 0.0, nullptr);
  return {*a.graph, a.graph->make(op, a.id)};
}
inline Term operator-(const Term& a) { return applied(equations::Op::Neg, a); }
inline Term sqrt(const Term& a) { return applied(equations::Op::Sqrt, a); }
inline Term sin(const Term& a) { return applied(equations::Op::Sin, a); }
inline Term cos(const Term& a) { return applied(equations::Op::Cos, a); }
inline Term exp(const Term& a) { return applied(equations::Op::Exp, a); }
inline Term tanh(const Term& a) { return applied(equations::Op::Tanh, a); }

}  // namespace alembert::model::planar
