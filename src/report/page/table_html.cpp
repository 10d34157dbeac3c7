#include "report/page/table_html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "report/page/text.hpp"

namespace alembert::report {
namespace {

constexpr std::size_t kLongText = 40;   // bytes above which a cell may wrap
constexpr std::size_t kLongTable = 48;  // rows above which the page shows a scrolling window

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// The parts of a cell that holds one number.
struct Number {
  std::size_t decimals = 0;
  bool point = false;
  bool exponent = false;
};

// Reads digits from position at; returns how many.
std::size_t skip_digits(std::string_view text, std::size_t& at) {
  const std::size_t begin = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  return at - begin;
}

std::optional<Number> parse_number(std::string_view text) {
  text = trimmed(text);
  if (text == "nan" || text == "inf" || text == "-inf") return Number{};
  std::size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  Number number;
  const std::size_t whole = skip_digits(text, at);
  if (at < text.size() && text[at] == '.') {
    number.point = true;
    number.decimals = skip_digits(text, ++at);
  }
  if (whole + number.decimals == 0) return std::nullopt;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    number.exponent = true;
    ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    if (skip_digits(text, at) == 0) return std::nullopt;
  }
  return at == text.size() ? std::optional(number) : std::nullopt;
}

// How a column is set: as text, as numbers at the right, or at the decimal point.
struct Column {
  bool numbers = false;
  bool wraps = false;  // has long text
  bool pad = false;
  bool points = false;
  std::size_t decimals = 0;
};

Column text_column(const Table& table, std::size_t c) {
  const bool wraps = std::any_of(table.rows.begin(), table.rows.end(), [c](const auto& row) {
    return c < row.size() && row[c].size() > kLongText;
  });
  return {.wraps = wraps};
}

Column judge(const Table& table, std::size_t c) {
  Column column;
  column.pad = true;
  for (const auto& row : table.rows) {
    if (c >= row.size() || row[c].empty() || row[c] == "-") continue;
    const std::optional<Number> number = parse_number(row[c]);
    if (!number) return text_column(table, c);
    column.numbers = true;
    column.pad = column.pad && !number->exponent;
    column.points = column.points || number->point;
    column.decimals = std::max(column.decimals, number->decimals);
  }
  return column;
}

// Figure spaces in the place of digits that other rows have after the point.
std::string padding(const std::string& cell, const Column& column) {
  const std::optional<Number> number = parse_number(cell);
  if (!column.pad || !column.points || !number) return {};
  std::string blanks = number->point ? "" : "\xE2\x80\x88";  // U+2008, as wide as a point
  for (std::size_t i = number->decimals; i < column.decimals; ++i) blanks += "\xE2\x80\x87";
  return blanks;
}

std::string status_cell(const std::string& cell) {
  if (cell == "ok") return "<td class=\"good\">\u2713 ok</td>";
  if (cell == "not ok") return "<td class=\"bad\">\u2717 not ok</td>";
  return fmt::format("<td>{}</td>", html(cell));
}

std::string cell_html(const std::string& cell, const Column& column) {
  if (!column.numbers) {
    return fmt::format("<td{}>{}</td>", column.wraps ? " class=\"w\"" : "", html(cell));
  }
  return fmt::format("<td class=\"n\">{}{}</td>", html(cell), padding(cell, column));
}

// "record.csv": a plain name with an ending, no way to another folder.
bool is_file_name(std::string_view word) {
  const std::size_t point = word.rfind('.');
  if (point == std::string_view::npos || point == 0 || point + 1 == word.size()) return false;
  return std::all_of(word.begin(), word.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '_';
  });
}

// Files beside the page become links; the words between them stay.
std::string file_links(const std::string& cell) {
  std::string text;
  for (std::size_t begin = 0; begin < cell.size();) {
    const std::size_t end = std::min(cell.find_first_of(" ,", begin), cell.size());
    const std::string word = cell.substr(begin, end - begin);
    text += is_file_name(word) ? fmt::format("<a href=\"{0}\">{0}</a>", word) : html(word);
    begin = std::min(cell.find_first_not_of(" ,", end), cell.size());
    text += cell.substr(end, begin - end);
  }
  return text;
}

std::string body_html(const Table& table, const std::vector<Column>& columns) {
  std::string text;
  for (const auto& row : table.rows) {
    text += "<tr>";
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::string& cell = c < row.size() ? row[c] : std::string();
      if (c == 0 && table.id == "files") {
        text += fmt::format("<td>{}</td>", file_links(cell));
        continue;
      }
      const bool status = static_cast<int>(c) == table.status_column;
      text += status ? status_cell(cell) : cell_html(cell, columns[c]);
    }
    text += "</tr>\n";
  }
  return text;
}

// Numbers become cells like the others.
Table all_as_text(const Table& table) {
  Table shown = table;
  shown.rows = document::text_cells(table);
  return shown;
}

void check_rows(const Table& table) {
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    if (table.rows[r].size() <= table.header.size()) continue;
    throw InvalidInput({.function = "render_html",
                        .item = fmt::format("row {} of table '{}'", r + 1, table.id),
                        .rule = fmt::format("must have at most {} cells", table.header.size()),
                        .value = fmt::format("{}", table.rows[r].size())});
  }
}

}  // namespace

std::string header_html(const std::string& label) {
  const std::size_t open = label.rfind('[');
  if (open == std::string::npos || label.back() != ']') return html(label);
  return fmt::format("{}<span class=\"unit\">{}</span>", html(label.substr(0, open)),
                     html(label.substr(open)));
}

std::string table_html(const Table& source, const std::string& id, int number) {
  const Table table = all_as_text(source);
  check_rows(table);
  std::vector<Column> columns;
  std::string header;
  for (std::size_t c = 0; c < table.header.size(); ++c) {
    columns.push_back(judge(table, c));
    const char* align = columns.back().numbers ? " class=\"n\"" : "";
    header += fmt::format("<th scope=\"col\"{}>{}</th>", align, header_html(table.header[c]));
  }
  const bool is_long = table.rows.size() > kLongTable;
  const std::string caption = fmt::format("<b>Table {}.</b> {}{}{}", number, html(table.title),
                                          table.caption.empty() ? "" : ". ", html(table.caption));
  // The caption stands outside of the table, which may be narrow or scroll.
  return fmt::format(
      "<div class=\"table{0}\" id=\"{1}\"><p class=\"caption\" id=\"{1}-caption\">{2}</p>\n"
      "<div class=\"scroll{3}\" tabindex=\"0\"><table class=\"data\" "
      "aria-labelledby=\"{1}-caption\">\n"
      "<thead><tr>{4}</tr></thead>\n<tbody>\n{5}</tbody></table></div></div>\n",
      is_long ? "" : " short", id, caption, is_long ? " long" : "", header,
      body_html(table, columns));
}

}  // namespace alembert::report
