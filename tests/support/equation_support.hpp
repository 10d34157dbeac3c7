#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
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

/// Equal to the last bit, the sign of a zero included; one NaN is as good as another.
inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return (std::isnan(x) && std::isnan(y)) ||
           std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

/// What makes the rich model jump.
enum class Jumps { OfStatesToo, OfInputsOnly };

/// Every operation, with tables, logic and a second-order equation.
inline model::EquationModel rich_model(Jumps jumps = Jumps::OfStatesToo) {
  using model::TableInterpolation;
  model::EquationSetup setup;
  setup.inputs = {{"u", ""}, {"v", ""}};
  setup.outputs = {{"y", ""}, {"q''", ""}, {"z", ""}};
  setup.parameters = {{"a", ""}, {"b", ""}, {"c", ""}, {"n", ""}};
  setup.constants = {{"g", 9.81, ""}};
  setup.starts = {{"q", "a*b"}, {"z", "exp(-c)"}, {"q'", "sqrt(g)*0.1"}};
  setup.tables = {{"soft", {-3, -1, 0, 1, 3}, {-2, -1, 0, 1, 2}, TableInterpolation::Cubic, "", ""},
                  {"map", {-1, 0.5, 2}, {0.1, 0.3, -0.2}, TableInterpolation::Linear, "", ""}};
  const std::string stepped = jumps == Jumps::OfStatesToo ? "q" : "u";
  const std::string compared = jumps == Jumps::OfStatesToo ? "z" : "v";
  return model::parse_equations("j = sign(" + stepped + ")*0.01 + floor(10*" + stepped + ")*0.001" +
                                    "\nk = " + stepped + " > 0 and not " + compared +
                                    " < -0.5 or u == v" + R"(
    e   = abs(q' - z)^n*tanh(z) + j
    s   = table("soft", q) + table("map", z)*cosh(0.1*q) + sinh(0.1*z)
    w   = if(k, sin(t)*a, cos(t)*b) + (u != v)/3
    q'' = -c*q' - s + u*0.5 - e + max(q - 1, 0) - min(q + 1, 0) + w*0.1
    z'  = -z + atan2(q, 1 + q^2) + log(1 + exp(v)) - tan(0.1*q) + asin(0.3*sin(z)) - acos(0.2)
    y   = smooth_max(q, z, 0.1) + smooth_min(q, z, a) + smooth_abs(q, 0.2) + smooth_sign(z, b)
          + (1 + q^2)^(-3) + atan(z)^3 + pow(2 + sin(q), n)
  )",
                                setup);
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
