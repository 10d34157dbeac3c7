#include "io/csv/header.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "io/csv/cell.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/record/column_title.hpp"

namespace alembert::io::csv {
namespace {

// The texts of the header cells. With blanks as separator, a unit in brackets belongs to the
// name before it.
std::vector<std::string> title_texts(std::string_view line, char separator) {
  std::vector<std::string> texts;
  for (const Cell& cell : split_line(line, separator)) {
    const bool unit = !cell.text.empty() && (cell.text.front() == '[' || cell.text.front() == '(');
    if (separator == kBlanks && unit && !texts.empty()) {
      texts.back() += ' ';
      texts.back() += plain_text(cell);
    } else {
      texts.push_back(plain_text(cell));
    }
  }
  while (texts.size() > 1 && trimmed(texts.back()).empty()) {
    texts.pop_back();
  }
  return texts;
}

bool any_unit(const Layout& layout) {
  return std::any_of(layout.columns.begin(), layout.columns.end(),
                     [](const signal::Channel& column) { return !column.unit.empty(); });
}

void require_closed_quotes(std::string_view line, const Layout& layout, const std::string& file) {
  for (const Cell& cell : split_line(line, layout.dialect.separator)) {
    const auto column = static_cast<std::size_t>(cell.begin - line.data()) + 1;
    if (!cell.closed) {
      throw DataError(Place{.file = file, .line = layout.header_line, .column = column},
                      "a quoted name has no closing quote");
    }
  }
}

}  // namespace

bool is_number(const Cell& cell, char decimal_mark) {
  return kind_of_cell(cell.text, decimal_mark) == CellKind::Number;
}

bool is_text(const Cell& cell, char decimal_mark) {
  return kind_of_cell(cell.text, decimal_mark) == CellKind::Malformed;
}

bool is_line_of_words(std::string_view line, const Dialect& dialect) {
  const std::vector<Cell> cells = split_line(line, dialect.separator);
  const auto is = [&](auto test) {
    return [&dialect, test](const Cell& cell) { return test(cell, dialect.decimal_mark); };
  };
  return std::any_of(cells.begin(), cells.end(), is(is_text)) &&
         std::none_of(cells.begin(), cells.end(), is(is_number));
}

bool is_line_of_units(std::string_view line, const Layout& layout) {
  return !any_unit(layout) && is_line_of_words(line, layout.dialect);
}

std::vector<std::string> header_texts(std::string_view line, char separator, std::size_t columns) {
  if (separator == kBlanks) {
    for (const char other : {',', ';', '\t'}) {
      std::vector<std::string> texts = title_texts(line, other);
      if (texts.size() > 1 && texts.size() == columns) {
        return texts;
      }
    }
  }
  return title_texts(line, separator);
}

void set_names(const std::vector<std::string>& texts, Layout& layout) {
  for (const std::string& text : texts) {
    signal::Channel channel = parse_title_cell(text);
    if (channel.name.empty()) {
      channel.name = fmt::format("c{}", layout.columns.size() + 1);
    }
    layout.columns.push_back(std::move(channel));
  }
}

void read_names(std::string_view line, std::size_t columns, const std::string& file,
                Layout& layout) {
  require_closed_quotes(line, layout, file);
  const char separator = layout.dialect.separator;
  const std::vector<std::string> texts = header_texts(line, separator, columns);
  const std::size_t cells = split_line(line, separator).size();
  layout.spare = std::max<std::size_t>(1, cells - std::min(cells, texts.size()));
  set_names(texts, layout);
}

void read_units(std::string_view line, Layout& layout) {
  const std::vector<Cell> cells = split_line(line, layout.dialect.separator);
  for (std::size_t c = 0; c < std::min(cells.size(), layout.columns.size()); ++c) {
    layout.columns[c].unit = to_utf8(bare_unit(plain_text(cells[c])));
  }
}

}  // namespace alembert::io::csv
