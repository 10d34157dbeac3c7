#include "alembert/core/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace alembert {
namespace {

struct CodeRange {
  char32_t first, last;
};
// Unicode 15, general categories Cc, Cf, Zl and Zp, as far as a terminal or a browser acts on them.
constexpr std::array<CodeRange, 11> kControls{{{0x0, 0x1F},
                                               {0x7F, 0x9F},
                                               {0x61C, 0x61C},
                                               {0x180E, 0x180E},
                                               {0x200B, 0x200B},
                                               {0x200E, 0x200F},
                                               {0x2028, 0x202E},
                                               {0x2060, 0x206F},
                                               {0xFEFF, 0xFEFF},
                                               {0xFFF9, 0xFFFB},
                                               {0xE0000, 0xE0FFF}}};

char32_t code_of(std::string_view letter) {
  const auto first = static_cast<unsigned char>(letter.front());
  if (letter.size() == 1) return first;
  char32_t code = first & (0xFFU >> (letter.size() + 1));
  for (const char byte : letter.substr(1)) {
    code = code << 6U | (static_cast<unsigned char>(byte) & 0x3FU);
  }
  return code;
}

// What stands in the place of a control or of a byte that is no letter.
std::string code_text(std::string_view letter, bool well_formed) {
  const char32_t code = well_formed ? code_of(letter) : static_cast<unsigned char>(letter.front());
  if (code == '\n' || code == '\t' || code == '\r') return " ";
  if (code < 0x100 && (letter.size() == 1)) return fmt::format("\\x{:02x}", std::uint32_t{code});
  return fmt::format("\\u{:04x}", std::uint32_t{code});
}

// How many bytes at the start are plain ASCII, which most text is.
std::size_t plain_length(std::string_view text) {
  const auto special = [](char c) { return c < 0x20 || c >= 0x7F; };  // 0x80 and above: negative
  return static_cast<std::size_t>(std::find_if(text.begin(), text.end(), special) - text.begin());
}

std::string shown(std::string_view text, bool keep_lines) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t plain = plain_length(text);
    result.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    const std::size_t length = letter_length(text);
    const std::string_view letter = text.substr(0, length == 0 ? 1 : length);
    const bool as_it_is =
        length > 0 && (!is_control(letter) || (keep_lines && (letter == "\n" || letter == "\t")));
    result += as_it_is ? std::string(letter) : code_text(letter, length > 0);
    text.remove_prefix(letter.size());
  }
  return result;
}

// A part of a message: the sign that begins it, and what it repeats.
struct MessagePart {
  std::string_view sign, echo;
};
// The part at the start of a message: what is quoted, what stands behind "got ", or a word.
MessagePart first_part(std::string_view text) {
  constexpr std::string_view kGot = "got ";
  if (text.front() == ' ') return {text.substr(0, 1), {}};
  if (text.front() == '"') return {text.substr(0, 1), text.substr(1, text.find('"', 1) - 1)};
  if (text.starts_with(kGot)) return {kGot, text.substr(kGot.size())};
  return {{}, text.substr(0, text.find_first_of(" \"", 1))};
}

// The first letters of an echo, with a sign that there was more.
std::string cut_echo(std::string_view echo) {
  std::size_t end = 0;
  for (std::size_t letters = 0; letters < kLongestEcho && end < echo.size(); ++letters) {
    end += std::max<std::size_t>(1, letter_length(echo.substr(end)));
  }
  return end < echo.size() ? std::string(echo.substr(0, end)) + "..." : std::string(echo);
}

}  // namespace

std::size_t letter_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80                     ? 1
                             : first >= 0xC2 && first <= 0xDF ? 2
                             : first >= 0xE0 && first <= 0xEF ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  }
  // Overlong forms, surrogates and values above U+10FFFF show in the second byte.
  if (first == 0xE0 && byte(1) < 0xA0) return 0;
  if (first == 0xED && byte(1) > 0x9F) return 0;
  if (first == 0xF0 && byte(1) < 0x90) return 0;
  if (first == 0xF4 && byte(1) > 0x8F) return 0;
  return length;
}

bool is_control(std::string_view letter) {
  const char32_t code = code_of(letter);
  for (const CodeRange& range : kControls) {
    if (code >= range.first && code <= range.last) return true;
  }
  return false;
}

std::string printable(std::string_view text) { return shown(text, false); }

std::string printable_lines(std::string_view text) { return shown(text, true); }

std::string printable_message(std::string_view text) {
  const std::string line = shown(text, false);
  std::string result;
  std::string_view rest = line;
  while (!rest.empty()) {
    const MessagePart part = first_part(rest);
    result.append(part.sign).append(cut_echo(part.echo));
    rest.remove_prefix(part.sign.size() + part.echo.size());
  }
  return result;
}

}  // namespace alembert
