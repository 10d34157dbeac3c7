#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/csv/cell.hpp"
#include "io/csv/layout.hpp"

/// The header of a text table: names, and units beside or below them.
namespace alembert::io::csv {

[[nodiscard]] bool is_number(const Cell& cell, char decimal_mark);
[[nodiscard]] bool is_text(const Cell& cell, char decimal_mark);

/// Whether a line holds words and no number.
[[nodiscard]] bool is_line_of_words(std::string_view line, const Dialect& dialect);

/// Whether the line below the names holds their units, which do not stand beside them.
[[nodiscard]] bool is_line_of_units(std::string_view line, const Layout& layout);

/// The texts of the header cells. A header over columns of blank-separated numbers may itself use
/// commas: it does if that gives as many names as there are columns (0: not known).
[[nodiscard]] std::vector<std::string> header_texts(std::string_view line, char separator,
                                                    std::size_t columns);

/// Adds a column for each text; one without a name is c1, c2, ...
void set_names(const std::vector<std::string>& texts, Layout& layout);

/// Adds the columns that a header line names, and how many spare cells a row may have.
/// @param columns as for header_texts. @throws DataError naming `file` for an open quote.
void read_names(std::string_view line, std::size_t columns, const std::string& file,
                Layout& layout);

/// Takes the units of the columns from a line of their own.
void read_units(std::string_view line, Layout& layout);

}  // namespace alembert::io::csv
