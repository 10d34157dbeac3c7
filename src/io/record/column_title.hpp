#pragma once

#include <string>
#include <string_view>

#include "alembert/signal/record.hpp"

/// Titles of columns with their units.
namespace alembert::io {

/// Splits `F1 [N]`, `F1[N]` or `F1 (N)` into name and unit. An index is no unit: `y[1]`, `y (1)`.
/// A last `[]` says that there is no unit.
[[nodiscard]] signal::Channel parse_title_cell(std::string_view text);
/// The text that parse_title_cell reads as this name and unit, where there is one.
[[nodiscard]] std::string title_cell(const signal::Channel& channel);

/// A unit without brackets around it.
[[nodiscard]] std::string_view bare_unit(std::string_view text);

}  // namespace alembert::io
