#include "report/parts/result_table.hpp"

#include <cmath>

namespace alembert::report {

Table with_rows(Table table, const document::ResultTree& rows,
                const std::vector<document::ResultColumn>& columns) {
  table.header = headings_of(rows, columns);
  table.rows = cells_of(rows, columns, significant);
  return table;
}

std::string known_or_blank(double value, int digits) {
  return std::isfinite(value) ? significant(value, digits) : "";
}

}  // namespace alembert::report
