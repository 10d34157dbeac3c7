#include "alembert/document/table.hpp"

#include <fmt/format.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/document/words.hpp"

namespace alembert::document {

std::vector<std::vector<std::string>> text_cells(const Table& table) {
  std::vector<std::vector<std::string>> cells = table.rows;
  if (table.values.size() == 0) return cells;
  if (table.values.rows() < static_cast<Eigen::Index>(cells.size())) {
    throw InvalidInput({.function = "text_cells",
                        .argument = "values",
                        .rule = fmt::format("must have a row for each of the {} rows of table '{}'",
                                            cells.size(), table.id),
                        .value = fmt::format("{}", table.values.rows())});
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (const double value : table.values.row(static_cast<Eigen::Index>(i))) {
      cells[i].push_back(std::isnan(value) ? "" : significant(value));
    }
  }
  return cells;
}

std::vector<std::string> number_headings(const Table& table) {
  const auto count = static_cast<std::size_t>(table.values.cols());
  if (count > table.header.size()) {
    throw InvalidInput(
        {.function = "number_headings",
         .argument = "header",
         .rule = fmt::format("must name the {} columns of numbers of table '{}'", count, table.id),
         .value = fmt::format("{}", table.header.size())});
  }
  return {table.header.end() - static_cast<std::ptrdiff_t>(count), table.header.end()};
}

}  // namespace alembert::document
