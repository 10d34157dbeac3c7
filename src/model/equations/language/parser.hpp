#pragma once

#include <string_view>

#include "model/equations/language/syntax.hpp"

namespace alembert::model::equations {

/// Reads statements.
/// @throws EquationError
[[nodiscard]] Syntax parse_statements(std::string_view part, std::string_view text);

/// Reads one expression as the only statement, of the given name.
/// @throws EquationError
[[nodiscard]] Syntax parse_expression(std::string_view part, std::string_view text);

}  // namespace alembert::model::equations
