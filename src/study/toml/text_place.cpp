#include "study/toml/text_place.hpp"

#include <string_view>

namespace alembert::study {
namespace {

/// A file that is read character by character, with the position of the next one.
class SourceReader {
 public:
  explicit SourceReader(std::string_view text) : text_(text) {}

  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] const Position& position() const { return position_; }
  [[nodiscard]] bool begins_with(std::string_view word) const {
    return text_.substr(at_, word.size()) == word;
  }
  [[nodiscard]] char next() const { return at_end() ? '\0' : text_[at_]; }
  [[nodiscard]] char after_next() const { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\0'; }

  void skip(std::size_t characters = 1) {
    for (; characters > 0 && !at_end(); --characters) {
      const bool ends_line = text_[at_] == '\n';
      position_.line += ends_line ? 1 : 0;
      position_.column = ends_line ? 1 : position_.column + 1;
      ++at_;
      // The other bytes of a character of UTF-8.
      while (!at_end() && (static_cast<unsigned char>(text_[at_]) & 0xC0U) == 0x80U) ++at_;
    }
  }

  void skip_to(const Position& goal) {
    while (!at_end() && position_.line < goal.line) skip();
    while (!at_end() && position_.line == goal.line && position_.column < goal.column) skip();
  }

  // "\" and the end of a line join it to the next word. Returns whether that was there.
  bool skip_joined_lines() {
    SourceReader ahead = *this;
    ahead.skip();
    while (ahead.next() == ' ' || ahead.next() == '\t' || ahead.next() == '\r') ahead.skip();
    if (ahead.next() != '\n') return false;
    while (!ahead.at_end() && std::string_view(" \t\r\n").find(ahead.next()) != std::string::npos) {
      ahead.skip();
    }
    *this = ahead;
    return true;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  Position position_{.line = 1, .column = 1};
};

std::string_view quotes_at(const SourceReader& reader) {
  for (const std::string_view quotes : {"\"\"\"", "'''", "\"", "'"}) {
    if (reader.begins_with(quotes)) return quotes;
  }
  return "";
}

std::size_t escape_length(char letter) { return letter == 'u' ? 6U : letter == 'U' ? 10U : 2U; }

}  // namespace

Position position_in_text(const std::string& source, const Position& value, std::size_t line,
                          std::size_t column) {
  SourceReader reader(source);
  reader.skip_to(value);
  const std::string_view quotes = quotes_at(reader);
  if (quotes.empty()) return value;
  reader.skip(quotes.size());
  if (quotes.size() == 3 && reader.next() == '\r') reader.skip();
  if (quotes.size() == 3 && reader.next() == '\n') reader.skip();
  const bool escapes = quotes.front() == '"';
  Position in_text{.line = 1, .column = 1};
  while (!reader.at_end() && !reader.begins_with(quotes)) {
    if (escapes && reader.next() == '\\' && reader.skip_joined_lines()) continue;
    const bool reached = in_text.line > line || (in_text.line == line && in_text.column >= column);
    if (reached) break;
    const bool escaped = escapes && reader.next() == '\\';
    const bool new_line = escaped ? reader.after_next() == 'n' : reader.next() == '\n';
    reader.skip(escaped ? escape_length(reader.after_next()) : 1);
    in_text.line += new_line ? 1 : 0;
    in_text.column = new_line ? 1 : in_text.column + 1;
  }
  return reader.position();
}

}  // namespace alembert::study
