#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "io/csv/layout.hpp"

namespace alembert::io::csv {

/// How many lines stand before the header of a table: serial number, operator, settings, as loggers
/// write them. They count as such only where a header of as many names as the rows have cells
/// follows (and perhaps a line of units), right above at least two rows of numbers; else 0, so that
/// a table whose header does not fit its rows stays an error.
[[nodiscard]] std::size_t preamble_lines(const std::vector<std::string_view>& lines,
                                         const Dialect& dialect);

/// Whether one of the lines is a row of numbers.
[[nodiscard]] bool has_row(const std::vector<std::string_view>& lines, const Dialect& dialect);

}  // namespace alembert::io::csv
