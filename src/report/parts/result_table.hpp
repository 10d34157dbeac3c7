#pragma once

#include <string>
#include <vector>

#include "alembert/document/result_tree.hpp"
#include "report/page/vocabulary.hpp"

/// Tables whose cells come from a described result.
namespace alembert::report {

/// The table with the headings and the cells of a list.
[[nodiscard]] Table with_rows(Table table, const document::ResultTree& rows,
                              const std::vector<document::ResultColumn>& columns);

/// A number as significant() has it, nothing for one that is not finite: a column that has it needs
/// `unknown` = "".
[[nodiscard]] std::string known_or_blank(double value, int digits);

}  // namespace alembert::report
