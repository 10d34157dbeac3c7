#include "alembert/model/detail/added_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "model/equations/graph/jacobians.hpp"

namespace alembert::model {
namespace {

using equations::Graph;
using equations::NodeId;
using equations::Op;

NodeId node_of(Graph& graph, const AddedTerm& term) {
  const NodeId z = graph.leaf(term.of_input ? Op::Input : Op::State, term.argument);
  switch (term.form) {
    case TermForm::Constant:
      return graph.constant(1.0);
    case TermForm::Linear:
      return z;
    case TermForm::Square:
      return graph.make(Op::Mul, z, z);
    case TermForm::Cube:
      return graph.make(Op::Mul, z, graph.make(Op::Mul, z, z));
    case TermForm::Drag:
      return graph.make(Op::Mul, z, graph.make(Op::Abs, z));
    case TermForm::SmoothSign:
      break;
  }
  const NodeId squares =
      graph.make(Op::Add, graph.make(Op::Mul, z, z), graph.constant(term.width * term.width));
  return graph.make(Op::Div, z, graph.make(Op::Sqrt, squares));
}

std::string new_name(const equations::Program& program, std::size_t number) {
  std::string name = fmt::format("missing{}", number + 1);
  const auto taken = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  while (taken(program.parameters) || taken(program.states) || taken(program.inputs)) name += '_';
  return name;
}

}  // namespace

EquationModel with_terms(const EquationModel& model, const std::vector<AddedTerm>& terms) {
  auto program = std::make_shared<equations::Program>(model.program());
  Graph& graph = program->graph;
  for (std::size_t j = 0; j < terms.size(); ++j) {
    const NodeId q = graph.leaf(Op::Parameter, program->parameters.size());
    program->parameters.push_back(new_name(*program, j));
    NodeId& slope = program->f.values.at(terms[j].equation);
    slope = graph.make(Op::Add, slope, graph.make(Op::Mul, q, node_of(graph, terms[j])));
  }
  try {
    equations::add_derivatives(*program);
  } catch (const std::length_error& error) {
    throw InvalidInput(
        {.function = "with_terms",
         .rule = fmt::format("the model with the terms has too many {}", error.what())});
  }
  return EquationModel(std::move(program));
}

std::optional<std::size_t> velocity_of(const EquationModel& model, std::size_t state) {
  const equations::Program& program = model.program();
  const equations::Node& node = program.graph[program.f.values[state]];
  if (node.op != Op::State || node.a == state) return {};
  return node.a;
}

std::string term_text(const EquationModel& model, const AddedTerm& term) {
  return term_text(term,
                   term.of_input ? model.inputs()[term.argument] : model.states()[term.argument]);
}

std::string term_text(const AddedTerm& term, const std::string& z) {
  switch (term.form) {
    case TermForm::Constant:
      return "1";
    case TermForm::Linear:
      return z;
    case TermForm::Square:
      return z + "^2";
    case TermForm::Cube:
      return z + "^3";
    case TermForm::Drag:
      return fmt::format("{0}*abs({0})", z);
    case TermForm::SmoothSign:
      break;
  }
  return fmt::format("smooth_sign({}, {:.6g})", z, term.width);
}

double term_value(const AddedTerm& term, double z) {
  switch (term.form) {
    case TermForm::Constant:
      return 1.0;
    case TermForm::Linear:
      return z;
    case TermForm::Square:
      return z * z;
    case TermForm::Cube:
      return z * z * z;
    case TermForm::Drag:
      return z * std::abs(z);
    case TermForm::SmoothSign:
      break;
  }
  return z / std::sqrt(z * z + term.width * term.width);
}

}  // namespace alembert::model
