#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "alembert/document/result_tree.hpp"
#include "alembert/document/table.hpp"

/// Tables of a document whose cells come from a described result.
namespace alembert::document {

/// The table with the headings and the cells of a list; numbers as significant() has them where a
/// column says nothing else.
[[nodiscard]] Table with_rows(Table table, const ResultTree& rows,
                              const std::vector<ResultColumn>& columns);

/// The items of a list that have an entry below the path.
[[nodiscard]] ResultTree rows_having(const ResultTree& rows, std::string_view path);

/// A number as significant() has it, nothing for one that is not finite. For a column with
/// `unknown` = "".
[[nodiscard]] std::string known_or_blank(double value, int digits);

}  // namespace alembert::document
