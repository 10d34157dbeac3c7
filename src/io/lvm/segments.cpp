#include "io/lvm/segments.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "alembert/core/text.hpp"
#include "io/csv/cell.hpp"
#include "io/file/text_excerpt.hpp"

namespace alembert::io::lvm {
namespace {

constexpr std::string_view kBegin = "LabVIEW Measurement";
constexpr std::string_view kEndOfHead = "***End_of_Header***";
constexpr std::string_view kSpecial = "***Start_Special***";
constexpr std::string_view kEndOfSpecial = "***End_Special***";

// Lines one by one, with their numbers.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  [[nodiscard]] std::optional<Line> next() {
    if (rest_.empty()) {
      return std::nullopt;
    }
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (!line.empty() && line.back() == '\r') {
      line.remove_suffix(1);
    }
    return Line{line, ++number_};
  }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

bool begins_with(std::string_view text, std::string_view begin) {
  return text.substr(0, begin.size()) == begin;
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t,;") == std::string_view::npos;
}

// What stands behind the key of a line of the head; the separator is not known yet there.
std::string_view value_of(std::string_view line, std::string_view key) {
  if (!begins_with(line, key) || line.size() <= key.size() ||
      std::string_view("\t,;").find(line[key.size()]) == std::string_view::npos) {
    return {};
  }
  const std::string_view rest = line.substr(key.size() + 1);
  return rest == "," || rest == ";" ? rest : trimmed(rest.substr(0, rest.find('\t')));
}

Dialect read_head(Lines& lines, const Place& place) {
  Dialect dialect;
  while (const std::optional<Line> line = lines.next()) {
    if (begins_with(line->text, kEndOfHead)) {
      return dialect;
    }
    const std::string_view separator = value_of(line->text, "Separator");
    const std::string_view mark = value_of(line->text, "Decimal_Separator");
    const std::string_view times = value_of(line->text, "X_Columns");
    if (begins_with(separator, "Comma")) dialect.separator = ',';
    if (begins_with(mark, ",")) dialect.decimal_mark = ',';
    if (begins_with(times, "No")) dialect.times = Dialect::Times::None;
    if (begins_with(times, "Multi")) dialect.times = Dialect::Times::Multi;
  }
  throw DataError(place, "the head of the file does not end (no ***End_of_Header***)");
}

// Numbers of a line of the head; what is none is left out.
std::vector<double> numbers_of(std::string_view line, const Dialect& dialect) {
  std::vector<double> numbers;
  const std::vector<std::string_view> cells = cells_of(line, dialect.separator);
  for (std::size_t i = 1; i < cells.size(); ++i) {
    const csv::CellValue value = csv::parse_cell(trimmed(cells[i]), dialect.decimal_mark);
    if (value.kind == csv::CellKind::Number) {
      numbers.push_back(value.value);
    }
  }
  return numbers;
}

std::vector<std::string> texts_of(std::string_view line, char separator, std::size_t from) {
  std::vector<std::string> texts;
  const std::vector<std::string_view> cells = cells_of(line, separator);
  for (std::size_t i = from; i < cells.size(); ++i) {
    texts.push_back(to_utf8(trimmed(cells[i])));
  }
  while (!texts.empty() && texts.back().empty()) {
    texts.pop_back();
  }
  return texts;
}

void read_entry(std::string_view line, const Dialect& dialect, Segment& segment) {
  const auto is = [&](std::string_view key) {
    return begins_with(line, key) && line.size() > key.size() &&
           line[key.size()] == dialect.separator;
  };
  if (is("Y_Unit_Label")) segment.units = texts_of(line, dialect.separator, 1);
  if (is("X0")) segment.starts = numbers_of(line, dialect);
  if (is("Delta_X")) segment.steps = numbers_of(line, dialect);
  if (is("Samples")) segment.samples = numbers_of(line, dialect);
}

void skip_special(Lines& lines) {
  while (const std::optional<Line> line = lines.next()) {
    if (begins_with(line->text, kEndOfSpecial)) return;
  }
}

// Numbers behind a time or an empty cell; entries of a head begin with a word.
bool is_row(std::string_view line, const Dialect& dialect) {
  const std::vector<std::string_view> cells = cells_of(line, dialect.separator);
  int numbers = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(2, cells.size()); ++i) {
    const csv::CellKind kind = csv::parse_cell(trimmed(cells[i]), dialect.decimal_mark).kind;
    if (i == 0 && kind == csv::CellKind::Malformed) return false;
    numbers += kind == csv::CellKind::Number ? 1 : 0;
  }
  return numbers > 0;
}

// The titles of the columns end with the one of comments.
void read_titles(const Line& line, const Dialect& dialect, Segment& segment) {
  segment.titles = texts_of(line.text, dialect.separator, 0);
  segment.title_line = line.number;
  if (!segment.titles.empty() && segment.titles.back() == "Comment") {
    segment.titles.pop_back();
  }
}

// A file that was cut off has fewer rows than its head announces. More rows are no fault: programs
// append to a segment under one head.
void require_all_rows(const Segment& segment, const Place& place) {
  if (segment.samples.empty()) return;
  const double announced = *std::max_element(segment.samples.begin(), segment.samples.end());
  const std::size_t rows = segment.rows.size();
  if (static_cast<double>(rows) < announced) {
    throw DataError(
        {.file = place.file, .line = segment.rows.back().number},
        fmt::format("ends early: its head announces {} samples, there are {}", announced, rows));
  }
}

}  // namespace

bool begins_like_lvm(std::string_view start) { return begins_with(start, kBegin); }

std::vector<std::string_view> cells_of(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t end = line.find(separator);
    cells.push_back(line.substr(0, end));
    if (end == std::string_view::npos) {
      return cells;
    }
    line.remove_prefix(end + 1);
  }
}

Content read_segments(std::string_view text, const Place& place) {
  if (!begins_like_lvm(text)) {
    throw DataError({.file = place.file, .line = 1},
                    "is no measurement file of LabVIEW: it does not begin with that name");
  }
  Lines lines(text);
  Content content{.dialect = read_head(lines, place), .segments = {}};
  bool in_head = true;  // of a segment
  bool titles_next = false;
  Segment segment;
  while (const std::optional<Line> line = lines.next()) {
    if (begins_with(line->text, kSpecial)) {
      skip_special(lines);
    } else if (is_blank(line->text)) {
      continue;
    } else if (begins_with(line->text, kEndOfHead)) {
      in_head = false;
      titles_next = true;
    } else if (titles_next) {
      read_titles(*line, content.dialect, segment);
      titles_next = false;
    } else if (in_head) {
      read_entry(line->text, content.dialect, segment);
    } else if (is_row(line->text, content.dialect)) {
      segment.rows.push_back(*line);
    } else {
      // The head of the next segment.
      content.segments.push_back(std::exchange(segment, {}));
      in_head = true;
      read_entry(line->text, content.dialect, segment);
    }
  }
  content.segments.push_back(std::move(segment));
  std::erase_if(content.segments, [](const Segment& each) { return each.rows.empty(); });
  if (content.segments.empty()) {
    throw DataError(place, "has no rows of numbers");
  }
  for (const Segment& each : content.segments) require_all_rows(each, place);
  return content;
}

}  // namespace alembert::io::lvm
