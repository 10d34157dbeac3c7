#pragma once

#include <string_view>

#include "alembert/identify/equation_fit.hpp"

namespace alembert::identify {

/// What fit_equations() was given, and the model that it made of it.
struct FitProblem {
  std::string_view equations;
  const model::EquationSetup& setup;
  const model::CompiledEquations& model;
  const Experiments& data;
  const EquationFitOptions& options;
};

}  // namespace alembert::identify
