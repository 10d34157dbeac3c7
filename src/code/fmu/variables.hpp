#pragma once

#include <string>
#include <vector>

#include "alembert/code/program.hpp"

/// The variables of a unit, in the order of their value references.
namespace alembert::code {

enum class Role { Input, Output, State, Rate, Parameter };

struct FmuVariable {
  Role role = Role::Input;
  std::string name;  ///< unique in the unit
  std::string unit;
  double start = 0.0;  ///< of inputs and parameters
};

/// Inputs, outputs, states, their rates (where the program has derivatives), parameters.
[[nodiscard]] std::vector<FmuVariable> fmu_variables(const Program& program);

[[nodiscard]] std::string model_description(const Program& program,
                                            const std::vector<FmuVariable>& variables,
                                            const std::string& guid, double duration);

}  // namespace alembert::code
