#include "io/file/escaped_text.hpp"

#include <array>
#include <utility>

namespace alembert::io {

namespace {

constexpr std::array<std::pair<char, char>, 4> kEscapes{
    {{'\\', '\\'}, {'\n', 'n'}, {'\r', 'r'}, {' ', 's'}}};

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool inside = i > 0 && i + 1 < text.size();
    bool done = false;
    for (const auto& [letter, code] : kEscapes) {
      if (text[i] == letter && !(letter == ' ' && inside)) {
        result += {'\\', code};
        done = true;
      }
    }
    if (!done) {
      result += text[i];
    }
  }
  return result;
}

std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char letter = text[i];
    if (letter == '\\' && i + 1 < text.size()) {
      for (const auto& [plain, code] : kEscapes) {
        if (text[i + 1] == code) {
          letter = plain;
        }
      }
      ++i;
    }
    result += letter;
  }
  return result;
}

std::string escaped_lines(const std::vector<std::string>& texts) {
  std::string lines;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    lines.append(i == 0 ? "" : "\n").append(escaped(texts[i]));
  }
  return lines;
}

std::vector<std::string> unescaped_lines(std::string_view lines) {
  std::vector<std::string> texts;
  for (std::size_t begin = 0; begin <= lines.size();) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    texts.push_back(unescaped(lines.substr(begin, end - begin)));
    begin = end + 1;
  }
  return texts;
}

}  // namespace alembert::io
