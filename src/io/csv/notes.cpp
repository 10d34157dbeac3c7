#include "io/csv/notes.hpp"

#include <fmt/core.h>

#include <charconv>
#include <cmath>

#include "alembert/core/text.hpp"
#include "io/csv/cell.hpp"
#include "io/file/text_excerpt.hpp"

namespace alembert::io::csv {
namespace {

// Text in quotes; line breaks, other control bytes and bytes that are no UTF-8 as \xNN.
std::string escaped(const std::string& text) {
  const bool utf8 = is_utf8(text);
  std::string result = "\"";
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      result += '\\';
      result += letter;
    } else if (code < 0x20 || code == 0x7F || (code >= 0x80 && !utf8)) {
      result += fmt::format("\\x{:02x}", code);
    } else {
      result += letter;
    }
  }
  return result + '"';
}

// Undoes escaped() and cuts the text off `rest`; nullopt where it does not begin with such a text.
std::optional<std::string> take_escaped(std::string_view& rest) {
  rest = trimmed(rest);
  if (rest.empty() || rest.front() != '"') {
    return std::nullopt;
  }
  std::string result;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] == '"') {
      rest.remove_prefix(i + 1);
      return result;
    }
    if (rest[i] != '\\') {
      result += rest[i];
    } else if (i + 3 < rest.size() && rest[i + 1] == 'x') {
      unsigned code = 0;
      const char* digits = rest.data() + i + 2;
      if (std::from_chars(digits, digits + 2, code, 16).ptr != digits + 2) {
        return std::nullopt;
      }
      result += static_cast<char>(code);
      i += 3;
    } else if (i + 1 < rest.size()) {
      result += rest[++i];
    }
  }
  return std::nullopt;
}

bool take(std::string_view& rest, std::string_view word) {
  rest = trimmed(rest);
  if (rest.substr(0, word.size()) != word) {
    return false;
  }
  rest.remove_prefix(word.size());
  return true;
}

// Cuts `= 0.005 s` off the text.
std::optional<double> take_seconds(std::string_view& rest) {
  if (!take(rest, "=")) {
    return std::nullopt;
  }
  rest = trimmed(rest);
  const std::string_view number = rest.substr(0, rest.find_first_of(" ,s"));
  const CellValue value = parse_cell(number, '.');
  rest.remove_prefix(number.size());
  take(rest, "s");
  const bool usable = value.kind == CellKind::Number && std::isfinite(value.value);
  return usable ? std::optional(value.value) : std::nullopt;
}

void read_step(std::string_view rest, std::size_t line, Notes& notes) {
  const std::optional<double> step = take_seconds(rest);
  std::optional<double> start = 0.0;
  if (take(rest, ",") && take(rest, "start")) {
    start = take_seconds(rest);
  }
  if (step && *step > 0.0 && start && trimmed(rest).empty()) {
    notes.step = step;
    notes.start = *start;
    notes.step_line = line;
  }
}

void read_column(std::string_view rest, Notes& notes) {
  rest = trimmed(rest);
  Notes::ColumnNote note;
  const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), note.column);
  if (code != std::errc() || note.column == 0) {
    return;
  }
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  std::optional<std::string> name;
  std::optional<std::string> unit;
  std::optional<std::string> description;
  if (take(rest, "=") && (name = take_escaped(rest)) && take(rest, ",") &&
      (unit = take_escaped(rest)) && take(rest, ",") && (description = take_escaped(rest)) &&
      !name->empty()) {
    note.channel = {*name, *unit, *description};
    notes.columns.push_back(note);
  }
}

}  // namespace

void read_note(std::string_view comment, std::size_t line, Notes& notes) {
  std::string_view rest = trimmed(comment);
  if (take(rest, "title")) {
    if (take(rest, "=")) {
      rest = trimmed(rest);
      const std::string raw = to_utf8(rest);
      notes.title = take_escaped(rest).value_or(raw);
    }
  } else if (take(rest, "step")) {
    read_step(rest, line, notes);
  } else if (take(rest, "time")) {
    notes.times_given = notes.times_given || (take(rest, "=") && trimmed(rest) == "column");
  } else if (take(rest, "channel")) {
    read_column(rest, notes);
  }
}

std::string step_note(double step, double start) {
  return fmt::format("step = {} s, start = {} s", shortest(step), shortest(start));
}

std::string title_note(const std::string& title) {
  return fmt::format("title = {}", escaped(title));
}

std::string column_note(std::size_t column, const signal::Channel& channel) {
  return fmt::format("channel {} = {}, {}, {}", column, escaped(channel.name),
                     escaped(channel.unit), escaped(channel.description));
}

}  // namespace alembert::io::csv
