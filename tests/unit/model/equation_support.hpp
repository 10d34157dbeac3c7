#pragma once

#include <string>
#include <utility>
#include <vector>

#include "alembert/model/equation_engine.hpp"

namespace alembert::test {

using NamedValues = std::vector<std::pair<std::string, double>>;

/// A setup whose parameters have these names, with the output y.
inline model::EquationSetup setup_with(const NamedValues& parameters) {
  model::EquationSetup setup;
  setup.outputs = {{"y", ""}};
  for (const auto& [name, value] : parameters) {
    setup.parameters.push_back({name, ""});
  }
  return setup;
}

inline std::vector<double> values_of(const NamedValues& parameters) {
  std::vector<double> values;
  for (const auto& [name, value] : parameters) {
    values.push_back(value);
  }
  return values;
}

/// y and its derivatives with respect to the parameters, for the text `y = expression`.
inline model::EquationJacobians evaluated(const std::string& expression,
                                          const NamedValues& parameters) {
  const model::CompiledEquations compiled(
      model::parse_equations("y = " + expression, setup_with(parameters)),
      {.kind = model::EngineKind::Interpreter});
  model::EquationEvaluator evaluator(compiled);
  evaluator.set_parameters(values_of(parameters));
  model::EquationJacobians result = evaluator.output_jacobians();
  evaluator.outputs(0.0, nullptr, nullptr, result);
  return result;
}

/// The error of a text as `part:line:column: reason`, "" if there is none.
inline std::string equation_error(const std::string& text, const model::EquationSetup& setup = {}) {
  try {
    (void)model::parse_equations(text, setup);
  } catch (const model::EquationError& error) {
    return error.what();
  }
  return "";
}

}  // namespace alembert::test
