#include "alembert/document/result_table.hpp"

#include <cmath>

#include "alembert/document/words.hpp"

namespace alembert::document {

Table with_rows(Table table, const ResultTree& rows, const std::vector<ResultColumn>& columns) {
  table.header = headings_of(rows, columns);
  table.rows = cells_of(rows, columns, significant);
  return table;
}

ResultTree rows_having(const ResultTree& rows, std::string_view path) {
  ResultTree list = ResultTree::empty_list();
  for (const ResultTree& row : rows.entries()) {
    if (row.find(path) != nullptr) list.item(row);
  }
  return list;
}

std::string known_or_blank(double value, int digits) {
  return std::isfinite(value) ? significant(value, digits) : "";
}

}  // namespace alembert::document
