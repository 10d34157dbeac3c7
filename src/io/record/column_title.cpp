#include "io/record/column_title.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "alembert/core/text.hpp"
#include "io/file/text_excerpt.hpp"

namespace alembert::io {
namespace {

bool is_index(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789,: ") == std::string_view::npos;
}

// Where the bracket that ends the text opens, or npos.
std::size_t opening(std::string_view text, char open, char close) {
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    depth += text[i] == close ? 1 : text[i] == open ? -1 : 0;
    if (depth == 0) {
      return i;
    }
  }
  return std::string_view::npos;
}

}  // namespace

signal::Channel parse_title_cell(std::string_view text) {
  text = trimmed(text);
  const signal::Channel whole{to_utf8(text)};
  if (text.empty() || (text.back() != ']' && text.back() != ')')) {
    return whole;
  }
  const bool square = text.back() == ']';
  const std::size_t open = square ? opening(text, '[', ']') : opening(text, '(', ')');
  if (open == 0 || open == std::string_view::npos) {
    return whole;
  }
  const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  const bool apart = (text[open - 1] == ' ' || text[open - 1] == '\t');
  if ((is_index(inside) && !(square && apart)) || (!square && !apart)) {
    return whole;
  }
  const std::string_view name = trimmed(text.substr(0, open));
  return name.empty() ? whole : signal::Channel{to_utf8(name), to_utf8(trimmed(inside))};
}

std::string title_cell(const signal::Channel& channel) {
  const bool bracket_needed =
      !channel.unit.empty() || parse_title_cell(channel.name).name != channel.name;
  std::string text = channel.name;
  if (bracket_needed) {
    text += fmt::format(" [{}]", channel.unit);
  }
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return to_utf8(text);
}

std::string_view bare_unit(std::string_view text) {
  text = trimmed(text);
  const bool bracketed = text.size() >= 2 && ((text.front() == '[' && text.back() == ']') ||
                                              (text.front() == '(' && text.back() == ')'));
  return bracketed ? trimmed(text.substr(1, text.size() - 2)) : text;
}

}  // namespace alembert::io
