#include "terminal/shape.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace alembert::app {
namespace {

constexpr std::size_t kUsualColumns = 80;
constexpr std::size_t kMostColumns = 100;  // longer lines are hard to read
constexpr std::size_t kIndent = 2;         // of the name of a step
constexpr std::size_t kWords = 13;         // column of its words

constexpr const char* kGreen = "\033[32m";
constexpr const char* kYellow = "\033[33m";
constexpr const char* kRed = "\033[31m";
constexpr const char* kPlain = "\033[0m";

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

// "  warning    the residuals": the name of a step in its column, and words behind it.
bool is_step(std::string_view line) {
  if (line.size() <= kWords || line.substr(0, kIndent) != "  ") return false;
  return line[kIndent] != ' ' && line[kWords - 1] == ' ' && line[kWords] != ' ';
}

std::string_view step_name(std::string_view line) {
  const std::string_view column = line.substr(kIndent, kWords - kIndent);
  return column.substr(0, column.find(' '));
}

// A character of several bytes takes one column.
std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

// Broken at blanks; a word that is longer than a line stays whole.
std::string wrapped_step(std::string_view line, std::size_t columns) {
  if (columns_of(line) <= columns) return std::string(line);
  std::string text(line.substr(0, kWords));
  std::size_t at = kWords;
  bool first = true;
  for (std::size_t begin = kWords; begin < line.size();) {
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    const std::string_view word = line.substr(begin, end - begin);
    begin = end + 1;
    if (word.empty()) continue;
    const std::size_t wide = columns_of(word);
    if (!first && at + 1 + wide > columns) {
      text += '\n' + std::string(kWords, ' ');
      at = kWords;
    } else if (!first) {
      text += ' ';
      ++at;
    }
    text += word;
    at += wide;
    first = false;
  }
  return text;
}

const char* colour_of(std::string_view name, std::string_view words) {
  if (name == "warning" || name == "remark") return kYellow;
  if (name != "verdict") return nullptr;
  const std::string_view level =
      words.substr(0, words.find_first_not_of("abcdefghijklmnopqrstuvwxyz"));
  if (level == "good") return kGreen;
  if (level == "caution") return kYellow;
  return level == "bad" ? kRed : nullptr;
}

}  // namespace

TerminalShape terminal_shape(int descriptor) {
  if (isatty(descriptor) != 1) return {};
  TerminalShape shape;
  struct winsize size = {};
  const bool told = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 2 * kWords;
  shape.columns = told ? std::min<std::size_t>(size.ws_col, kMostColumns) : kUsualColumns;
  const char* const kind = std::getenv("TERM");
  const bool dumb = kind == nullptr || std::string_view(kind) == "dumb";
  shape.colour = !dumb && !is_set("NO_COLOR");
  return shape;
}

std::string shaped(std::string_view line, const TerminalShape& shape) {
  if (!is_step(line)) return std::string(line);
  std::string text = shape.columns > 0 ? wrapped_step(line, shape.columns) : std::string(line);
  if (!shape.colour) return text;
  const std::string_view name = step_name(line);
  const char* const colour = colour_of(name, line.substr(kWords));
  if (colour == nullptr) return text;
  // The level of a verdict, the name of a warning.
  const std::size_t begin = name == "verdict" ? kWords : kIndent;
  const std::size_t end = std::min(text.find_first_of(" :;,\n", begin), text.size());
  return text.substr(0, begin) + colour + text.substr(begin, end - begin) + kPlain +
         text.substr(end);
}

}  // namespace alembert::app
