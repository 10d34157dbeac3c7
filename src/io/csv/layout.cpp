#include "io/csv/layout.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "io/csv/calendar.hpp"
#include "io/csv/cell.hpp"
#include "io/csv/header.hpp"
#include "io/csv/preamble.hpp"
#include "io/file/text_excerpt.hpp"

namespace alembert::io::csv {
namespace {

constexpr std::size_t kHeadBytes = std::size_t{64} * 1024;
constexpr std::size_t kSampleLines = 20;
constexpr std::size_t kLongSample = 400;  // where the first lines hold no row of numbers
constexpr std::array<std::string_view, 3> kCommentMarks{"#", "%", "//"};

bool begins_with(std::string_view text, std::string_view begin) {
  return text.substr(0, begin.size()) == begin;
}

std::string_view without_leading_blanks(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line;
}

// The mark that makes the line a comment, or "".
std::string_view comment_mark(std::string_view line, std::string_view chosen) {
  line = without_leading_blanks(line);
  if (!chosen.empty()) {
    return begins_with(line, chosen) ? chosen : std::string_view();
  }
  for (const std::string_view mark : kCommentMarks) {
    if (begins_with(line, mark)) {
      return mark;
    }
  }
  return {};
}

// A line at the beginning of the file.
struct HeadLine {
  std::string_view text;
  std::size_t offset = 0;
  std::size_t number = 0;
};

// The beginning of the file: comments, and the first lines that are none.
struct Head {
  Lines held;
  std::vector<HeadLine> comments;
  std::vector<HeadLine> content;
};

void skip_byte_order_mark(Source& source) {
  const Lines start = source.bytes(0, 3);
  if (begins_with(start.text, "\xEF\xBB\xBF")) {
    source.skip_front(3);
  } else if (begins_with(start.text, "\xFF\xFE") || begins_with(start.text, "\xFE\xFF")) {
    throw DataError(Place{.file = source.name(), .byte = 0},
                    "is UTF-16 text (its byte-order mark says so); save it as UTF-8");
  }
}

// Control bytes do not stand in text, except tabs and line ends, and the end mark of old systems
// (0x1A) where the text ends.
void require_text(const Source& source, std::string_view head) {
  const std::size_t end = head.find_last_not_of(" \t\r\n\x1A") + 1;  // npos + 1 is 0
  for (std::size_t i = 0; i < std::min(head.size(), kHeadBytes); ++i) {
    const auto code = static_cast<unsigned char>(head[i]);
    const bool end_mark = code == 0x1A && i >= end;
    const bool white = code == '\t' || code == '\n' || code == '\r';
    if (code < 0x20 && !white && !end_mark) {
      throw DataError(Place{.file = source.name(), .byte = static_cast<long long>(i)},
                      fmt::format("is not a text table: it holds the control byte 0x{:02x}", code));
    }
  }
}

char line_terminator(std::string_view head) {
  const bool only_returns =
      head.find('\n') == std::string_view::npos && head.find('\r') != std::string_view::npos;
  return only_returns ? '\r' : '\n';
}

// Reads from the start until there are enough lines for a sample, or the file ends.
Head read_head(const Source& source, Dialect& dialect, std::size_t sample = kSampleLines) {
  for (std::size_t length = kHeadBytes;; length *= 4) {
    Head head{.held = source.bytes(0, length), .comments = {}, .content = {}};
    require_text(source, head.held.text);
    dialect.terminator = line_terminator(head.held.text);
    std::string_view rest = head.held.text;
    const bool whole = rest.size() == source.size();
    std::size_t number = 0;
    while (!rest.empty() && head.content.size() < sample) {
      const std::size_t offset = head.held.text.size() - rest.size();
      const bool complete = whole || rest.find(dialect.terminator) != std::string_view::npos;
      const HeadLine line{take_line(rest, dialect.terminator), offset, ++number};
      const LineKind kind = dialect.kind(line.text);
      if (complete && kind != LineKind::Blank) {
        (kind == LineKind::Comment ? head.comments : head.content).push_back(line);
      }
    }
    if (whole || head.content.size() == sample) {
      return head;
    }
  }
}

std::vector<std::string_view> texts_of(const Head& head) {
  std::vector<std::string_view> texts;
  for (const HeadLine& line : head.content) {
    texts.push_back(line.text);
  }
  return texts;
}

void drop_preamble(Head& head, const Dialect& dialect) {
  const std::size_t count = preamble_lines(texts_of(head), dialect);
  head.content.erase(head.content.begin(),
                     head.content.begin() + static_cast<std::ptrdiff_t>(count));
}

bool looks_like_header(std::string_view line, const Dialect& dialect) {
  const std::vector<Cell> cells = split_line(line, dialect.separator);
  const auto texts = std::count_if(cells.begin(), cells.end(), [&](const Cell& cell) {
    return is_text(cell, dialect.decimal_mark);
  });
  const auto numbers = std::count_if(cells.begin(), cells.end(), [&](const Cell& cell) {
    return is_number(cell, dialect.decimal_mark);
  });
  return texts > 0 && (texts >= numbers || is_text(cells.front(), dialect.decimal_mark));
}

// Cells of the sample lines, without empty ones at the end that all lines have.
std::size_t count_columns(const std::vector<HeadLine>& lines, std::size_t first, char separator) {
  std::size_t most = 0;
  std::size_t most_filled = 0;
  for (std::size_t i = first; i < lines.size(); ++i) {
    const std::vector<Cell> cells = split_line(lines[i].text, separator);
    std::size_t filled = cells.size();
    while (filled > 1 && cells[filled - 1].text.empty()) {
      --filled;
    }
    most = std::max(most, cells.size());
    most_filled = std::max(most_filled, filled);
  }
  // Only a single separator at the end can be a habit of the writer.
  return most > 1 && most_filled + 1 == most ? most_filled : most;
}

// Reads the header and returns how many content lines it takes.
std::size_t read_header(const Head& head, const Source& source, Layout& layout) {
  const Dialect& dialect = layout.dialect;
  const HeadLine& line = head.content.front();
  const std::size_t columns = count_columns(head.content, 1, dialect.separator);
  layout.header_line = line.number;
  read_names(line.text, columns, source.name(), layout);
  if (head.content.size() > 1 && is_line_of_units(head.content[1].text, layout)) {
    read_units(head.content[1].text, layout);
    return 2;
  }
  return 1;
}

// Without a header, a comment just above the numbers that has one word for each column names
// them (as numpy.savetxt writes it); else they are c1, c2, ...
void name_columns(const Head& head, Layout& layout) {
  const Dialect& dialect = layout.dialect;
  const std::size_t columns = count_columns(head.content, 0, dialect.separator);
  const std::size_t above = head.content.front().number - 1;
  const auto last = std::find_if(head.comments.begin(), head.comments.end(),
                                 [above](const HeadLine& line) { return line.number == above; });
  if (columns > 1 && last != head.comments.end()) {
    const std::string_view comment = dialect.comment_text(last->text);
    const std::vector<std::string> texts = header_texts(comment, dialect.separator, columns);
    if (texts.size() == columns && is_line_of_words(comment, dialect)) {
      layout.header_line = last->number;
      set_names(texts, layout);
      return;
    }
  }
  set_names(std::vector<std::string>(columns), layout);
}

// A date with a time of day, or a date and a time of day one behind the other, in the first row.
void find_calendar(std::string_view row, Layout& layout) {
  const std::vector<Cell> cells = split_line(row, layout.dialect.separator);
  std::optional<std::size_t> date;
  std::int64_t day = 0;
  for (std::size_t c = 0; c < std::min(cells.size(), layout.columns.size()); ++c) {
    const std::optional<CalendarTime> found = parse_calendar(cells[c].text);
    if (!found) continue;
    if (found->day) day = *found->day;
    if (!found->seconds) {
      date = c;
      continue;
    }
    layout.calendar = {.time = c, .date = date, .first_day = day};
    return;
  }
}

void read_notes(const Head& head, Layout& layout) {
  for (const HeadLine& comment : head.comments) {
    if (comment.number < layout.body_line) {
      read_note(layout.dialect.comment_text(comment.text), comment.number, layout.notes);
    }
  }
  for (const Notes::ColumnNote& note : layout.notes.columns) {
    if (note.column <= layout.columns.size()) {
      layout.columns[note.column - 1] = note.channel;
    }
  }
}

}  // namespace

LineKind Dialect::kind(std::string_view line) const {
  // Most lines begin with a number: '-' to '9' but '/' in the order of ASCII.
  if (!line.empty() && line.front() >= '-' && line.front() <= '9' && line.front() != '/' &&
      comment.empty()) {
    return LineKind::Data;
  }
  // A line of the end mark alone (0x1A) is the end of a file of old systems.
  const std::size_t first = line.find_first_not_of(separator == '\t' ? " \x1A" : " \t\x1A");
  if (first == std::string_view::npos) {
    return LineKind::Blank;
  }
  return comment_mark(line, comment).empty() ? LineKind::Data : LineKind::Comment;
}

std::string_view Dialect::comment_text(std::string_view line) const {
  const std::size_t mark = comment_mark(line, comment).size();
  return without_leading_blanks(line).substr(mark);
}

std::string_view take_line(std::string_view& text, char terminator) {
  const void* found = std::memchr(text.data(), terminator, text.size());
  const std::size_t length =
      found != nullptr ? static_cast<std::size_t>(static_cast<const char*>(found) - text.data())
                       : text.size();
  std::string_view line = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  if (!line.empty() && line.back() == '\r') {
    line.remove_suffix(1);
  }
  return line;
}

Layout find_layout(Source& source, const CsvOptions& options) {
  skip_byte_order_mark(source);
  Layout layout;
  layout.dialect.comment = options.comment;
  Head head = read_head(source, layout.dialect);
  if (head.content.empty()) {
    throw DataError(Place{.file = source.name()},
                    source.size() == 0 ? "is empty" : "holds no data, only comments or blanks");
  }
  choose_marks(texts_of(head), options, layout.dialect);
  std::size_t lines = kSampleLines;
  if (head.content.size() == kSampleLines && !has_row(texts_of(head), layout.dialect)) {
    lines = kLongSample;
    head = read_head(source, layout.dialect, lines);
    choose_marks(texts_of(head), options, layout.dialect);
  }
  if (layout.dialect.separator == '\t') {
    // Only now is it known that lines of nothing but tabs are rows of missing samples.
    head = read_head(source, layout.dialect, lines);
  }
  if (options.header != CsvHeader::Absent) {
    drop_preamble(head, layout.dialect);
  }
  const bool has_header = options.header == CsvHeader::Present ||
                          (options.header == CsvHeader::Auto &&
                           looks_like_header(head.content.front().text, layout.dialect));
  std::size_t used = 0;
  if (has_header) {
    used = read_header(head, source, layout);
  } else {
    name_columns(head, layout);
  }
  if (used == head.content.size()) {
    throw DataError(Place{.file = source.name(), .line = head.content.back().number},
                    "has a header but no rows of numbers");
  }
  layout.body_offset = head.content[used].offset;
  layout.body_line = head.content[used].number;
  find_calendar(head.content[used].text, layout);
  read_notes(head, layout);
  return layout;
}

}  // namespace alembert::io::csv
