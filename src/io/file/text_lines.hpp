#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "alembert/core/error.hpp"

namespace alembert::io {

/// The lines of a text in memory, one after the other, with their numbers. Line ends are LF or
/// CRLF and do not belong to a line.
class TextLines {
 public:
  TextLines(std::string_view content, std::string file)
      : content_(content), file_(std::move(file)) {}

  /// The next line, or nullopt at the end.
  std::optional<std::string_view> next() {
    if (position_ >= content_.size()) {
      return std::nullopt;
    }
    begin_ = position_;
    const std::size_t end = content_.find('\n', position_);
    std::string_view line = content_.substr(position_, end - position_);
    position_ = end == std::string_view::npos ? content_.size() : end + 1;
    ++number_;
    if (!line.empty() && line.back() == '\r') {
      line.remove_suffix(1);
    }
    return line;
  }
  /// Offset of the first byte after the line last returned.
  [[nodiscard]] std::size_t position() const { return position_; }
  [[nodiscard]] std::size_t bytes_left() const { return content_.size() - position_; }
  [[nodiscard]] std::string_view content() const { return content_; }
  [[nodiscard]] const std::string& file() const { return file_; }

  /// Continues at a byte offset, behind data that are not lines. From here on places are bytes:
  /// line numbers would count the line feeds inside the data differently from any editor.
  void skip_to(std::size_t position) {
    position_ = position;
    begin_ = position;
    counts_lines_ = false;
  }

  /// The place of the line last returned.
  [[nodiscard]] Place place() const {
    if (counts_lines_) {
      return {.file = file_, .line = number_};
    }
    return {.file = file_, .byte = static_cast<long long>(begin_)};
  }
  /// Throws a DataError for the line last returned.
  [[noreturn]] void fail(const std::string& reason) const { throw DataError(place(), reason); }

 private:
  std::string_view content_;
  std::string file_;
  std::size_t position_ = 0;
  std::size_t begin_ = 0;
  std::size_t number_ = 0;
  bool counts_lines_ = true;
};

/// Cuts the first word (between blanks) off a line; empty when none is left.
inline std::string_view take_word(std::string_view& line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) {
    line = {};
    return {};
  }
  const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

}  // namespace alembert::io
