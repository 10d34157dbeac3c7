#include "alembert/model/time_formula.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "alembert/model/equation_engine.hpp"
#include "model/equations/graph/lower.hpp"
#include "model/equations/graph/program.hpp"

namespace alembert::model {

namespace equations {
namespace {

constexpr std::string_view kPart = "formula";
// The formula becomes the right side of this definition, on lines of its own.
constexpr std::string_view kDefined = "value_of_the_formula";
constexpr DerivativeLimits kFormulaLimits{.nodes = 1000000, .entries = 1000};

Resolved resolved_formula(std::string_view text, const EquationSetup& setup) {
  try {
    return resolve(std::string(kDefined) + " =\n" + std::string(text), setup);
  } catch (const EquationError& error) {
    const Place& place = error.place();
    if (place.file != "equations") throw;
    const Position position{place.line > 1 ? place.line - 1 : 1, place.line > 1 ? place.column : 1};
    fail(kPart, position, error.reason());
  }
}

// The derivative of a node with respect to the time.
NodeId time_derivative(Graph& graph, NodeId node) {
  const std::vector<Entry> entries =
      differentiate(graph, {node}, {graph.leaf(Op::Time)}, kFormulaLimits);
  return entries.empty() ? graph.constant(0.0) : entries.front().node;
}

void note_unused(const Resolved& resolved, Program& program) {
  for (std::uint32_t k = 2; k < resolved.symbols.size(); ++k) {  // after t and pi
    const auto& used = resolved.equations.symbols;
    const bool is_constant = resolved.symbols[k].kind == SymbolKind::Constant;
    if (is_constant && std::find(used.begin(), used.end(), k) == used.end()) {
      program.unused.push_back(resolved.symbols[k].name);
    }
  }
}

std::shared_ptr<const Program> formula_program(std::string_view text,
                                               const std::vector<EquationConstant>& constants) {
  for (const EquationConstant& constant : constants) {
    if (!std::isfinite(constant.value)) fail("constants." + constant.name, {}, "is not finite");
  }
  EquationSetup setup;
  setup.constants = constants;
  setup.outputs = {{std::string(kDefined), ""}};
  const Resolved resolved = resolved_formula(text, setup);
  const std::vector<Statement>& statements = resolved.equations.syntax.statements;
  if (statements.size() > 1) {
    const Position at = statements[1].position;
    fail(kPart, {at.line - 1, at.column}, "a motion is one expression, without equations");
  }
  auto program = std::make_shared<Program>();
  Lowering lowering(resolved, program->graph);
  lowering.equations();
  NodeId node = lowering.symbol(resolved.outputs.front());
  try {
    for (const char* primes : {"", "'", "''"}) {
      program->outputs.push_back(std::string(kDefined) + primes);
      program->g.values.push_back(node);
      if (program->outputs.size() < 3) node = time_derivative(program->graph, node);
    }
  } catch (const std::length_error&) {
    fail(kPart, {1, 1}, "the formula is too long to be differentiated twice");
  }
  program->depends_on_time = true;
  note_unused(resolved, *program);
  return program;
}

}  // namespace
}  // namespace equations

TimeFormula::TimeFormula(std::string_view text, const std::vector<EquationConstant>& constants)
    : model_(equations::formula_program(text, constants)) {}

Eigen::MatrixX3d TimeFormula::sample(const Eigen::Ref<const Eigen::VectorXd>& times) const {
  EquationEvaluator evaluator(CompiledEquations(model_, {.kind = EngineKind::Interpreter}));
  Eigen::MatrixX3d values(times.size(), 3);
  std::array<double, 3> row{};
  for (Eigen::Index k = 0; k < times.size(); ++k) {
    evaluator.outputs(times(k), nullptr, nullptr, row.data());
    values.row(k) << row[0], row[1], row[2];
  }
  return values;
}

bool TimeFormula::uses(std::string_view constant) const {
  const std::vector<std::string>& unused = model_.unused();
  return std::find(unused.begin(), unused.end(), constant) == unused.end();
}

}  // namespace alembert::model
