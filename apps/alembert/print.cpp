#include "print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "alembert/study/detail/console.hpp"
#include "help_page.hpp"
#include "terminal/terminal.hpp"

namespace alembert::app {
namespace {

constexpr std::size_t kLineWidth = 80;
constexpr std::size_t kColumnGap = 2;

// A column of a table, ready to print.
struct TextColumn {
  std::string heading;
  std::vector<std::string> cells;
  std::size_t width = 0;
};

std::vector<TextColumn> text_columns(const document::Table& table) {
  const std::vector<std::string> headings = document::number_headings(table);
  std::vector<TextColumn> columns;
  for (Eigen::Index j = 0; j < table.values.cols(); ++j) {
    TextColumn column{.heading = headings[static_cast<std::size_t>(j)], .cells = {}};
    column.width = column.heading.size();
    for (Eigen::Index i = 0; i < table.values.rows(); ++i) {
      const double value = table.values(i, j);
      column.cells.push_back(std::isnan(value) ? "" : fmt::format("{:.5g}", value));
      column.width = std::max(column.width, column.cells.back().size());
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

// A study with more of them is not one that somebody mends line by line.
constexpr std::size_t kMostProblems = 50;

// Columns that a text takes: a character of several bytes takes one.
std::size_t shown_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

void print_row(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t j = 0; j < cells.size(); ++j) {
    const std::size_t gap =
        j + 1 < cells.size() ? widths[j] + kColumnGap - shown_width(cells[j]) : 0;
    line += cells[j] + std::string(gap, ' ');
  }
  say("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
}

// The first cell, and below it the others, each behind its heading.
void print_stacked(const std::vector<std::vector<std::string>>& rows) {
  const std::vector<std::string>& headings = rows.front();
  std::size_t widest = 0;
  for (const std::string& heading : headings) widest = std::max(widest, shown_width(heading));
  for (std::size_t i = 1; i < rows.size(); ++i) {
    say("{}\n", rows[i].front());
    for (std::size_t j = 1; j < rows[i].size(); ++j) {
      const std::string gap(widest - shown_width(headings[j]) + kColumnGap, ' ');
      say("  {}{}{}\n", headings[j], gap, wrapped(rows[i][j], widest + 2 + kColumnGap));
    }
  }
}

// One behind the last column that fits on the lines that begin with column `first`.
std::size_t end_of_part(const std::vector<TextColumn>& columns, std::size_t first,
                        std::size_t label) {
  std::size_t width = label + kColumnGap + columns[first].width;
  std::size_t end = first + 1;
  while (end < columns.size() && width + kColumnGap + columns[end].width <= kLineWidth) {
    width += kColumnGap + columns[end].width;
    ++end;
  }
  return end;
}

}  // namespace

int print_problems(const std::vector<study::Problem>& problems, const Session& session) {
  const int code = problems.front().in_data ? kBadData : kBadUsage;
  if (!session.machines.is_first()) {
    fail(session, study::to_string(problems.front()), code);
  }
  const std::size_t shown = std::min(problems.size(), kMostProblems);
  for (std::size_t k = 0; k < shown; ++k) tell("{}\n", study::to_string(problems[k]));
  if (shown < problems.size()) tell("and {} more problems\n", problems.size() - shown);
  if (session.machines.size() > 1) {
    session.machines.abort(code);
  }
  return code;
}

void print_step(const std::string& name, const std::string& what, const std::string& time) {
  say("{}", study::step_line(name, what, time));
}

void print_table(const document::Table& table) {
  const std::vector<TextColumn> columns = text_columns(table);
  const std::string& heading = table.header.front();
  std::size_t label = heading.size();
  for (const auto& row : table.rows) label = std::max(label, row.front().size());
  say("{}\n", table.title);
  for (std::size_t first = 0; first < columns.size();) {
    const std::size_t end = end_of_part(columns, first, label);
    say("{:<{}}", heading, label);
    for (std::size_t j = first; j < end; ++j) {
      say("  {:>{}}", columns[j].heading, columns[j].width);
    }
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      say("\n{:<{}}", table.rows[i].front(), label);
      for (std::size_t j = first; j < end; ++j) {
        say("  {:>{}}", columns[j].cells[i], columns[j].width);
      }
    }
    say("\n\n");
    first = end;
  }
}

void print_text_table(const document::Table& table) {
  std::vector<std::vector<std::string>> rows = document::text_cells(table);
  rows.insert(rows.begin(), table.header);
  std::vector<std::size_t> widths(table.header.size(), 0);
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      widths[j] = std::max(widths[j], shown_width(row[j]));
    }
  }
  std::size_t whole = 0;
  for (const std::size_t width : widths) whole += width + kColumnGap;
  say("{}\n", table.title);
  if (whole <= kLineWidth + kColumnGap) {
    for (const std::vector<std::string>& row : rows) print_row(row, widths);
  } else {
    print_stacked(rows);
  }
  if (!table.caption.empty()) say("{}\n", wrapped(table.caption, 0));
  say("\n");
}

void print_claims(const std::vector<document::Claim>& claims) {
  const auto number = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.5g}", *value) : std::string("-");
  };
  say("{:>11} {:>11} {:>11}  {:<16} {}\n  claim [source]\n", "measured", "published", "reference",
      "target", "state");
  for (const document::Claim& claim : claims) {
    const std::string target = claim.target + (claim.unit.empty() ? "" : " " + claim.unit);
    say("\n{:>11.5g} {:>11} {:>11}  {:<16} {}\n", claim.measured, number(claim.published),
        number(claim.reference), target, claim.ok ? to_string(claim.state) : "NOT KEPT");
    say("  {}\n", wrapped(fmt::format("{} [{}]", claim.name, claim.source), 2));
    if (!claim.reason.empty()) say("  {}\n", wrapped("differs: " + claim.reason, 2));
  }
  using document::ClaimState;
  say("\n{:<12} {} reproduced, {} differ, {} beyond the source", "claims",
      count_state(claims, ClaimState::Reproduced), count_state(claims, ClaimState::Differs),
      count_state(claims, ClaimState::Beyond));
  const auto broken = std::count_if(claims.begin(), claims.end(),
                                    [](const document::Claim& claim) { return !claim.ok; });
  say("{}\n", broken == 0 ? "" : fmt::format("; {} not kept", broken));
}

}  // namespace alembert::app
