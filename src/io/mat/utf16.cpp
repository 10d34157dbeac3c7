#include "io/mat/utf16.hpp"

#include "io/file/text_excerpt.hpp"

namespace alembert::io {

namespace {

constexpr char32_t kReplacement = 0xFFFD;

struct Letter {
  char32_t code = 0;
  std::size_t bytes = 0;  // 0: no letter of UTF-8
};

Letter letter_at(std::string_view text, std::size_t i) {
  const auto lead = static_cast<unsigned char>(text[i]);
  const std::size_t bytes = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (!is_utf8(text.substr(i, bytes))) {
    return {};
  }
  char32_t code = bytes == 1 ? lead : lead & (0xFFU >> (bytes + 1));
  for (std::size_t k = 1; k < bytes; ++k) {
    code = (code << 6U) | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
  }
  return {code, bytes};
}

void append_utf8(std::string& text, char32_t code) {
  const auto put = [&](char32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0U | (code >> 6U));
    put(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    put(0xE0U | (code >> 12U));
    put(0x80U | ((code >> 6U) & 0x3FU));
    put(0x80U | (code & 0x3FU));
  } else {
    put(0xF0U | (code >> 18U));
    put(0x80U | ((code >> 12U) & 0x3FU));
    put(0x80U | ((code >> 6U) & 0x3FU));
    put(0x80U | (code & 0x3FU));
  }
}

bool is_high(char16_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low(char16_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

}  // namespace

std::u16string to_utf16(std::string_view text) {
  std::u16string result;
  for (std::size_t i = 0; i < text.size();) {
    const Letter letter = letter_at(text, i);
    if (letter.bytes == 0) {
      result += static_cast<char16_t>(0xDC00 + static_cast<unsigned char>(text[i]));
      ++i;
      continue;
    }
    if (letter.code < 0x10000) {
      result += static_cast<char16_t>(letter.code);
    } else {
      result += static_cast<char16_t>(0xD800 + ((letter.code - 0x10000) >> 10U));
      result += static_cast<char16_t>(0xDC00 + ((letter.code - 0x10000) & 0x3FFU));
    }
    i += letter.bytes;
  }
  return result;
}

std::string from_utf16(std::u16string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char16_t unit = text[i];
    if (is_high(unit) && i + 1 < text.size() && is_low(text[i + 1])) {
      const char32_t high = static_cast<char32_t>(unit) - 0xD800;
      const char32_t low = static_cast<char32_t>(text[i + 1]) - 0xDC00;
      append_utf8(result, 0x10000 + (high << 10U) + low);
      ++i;
    } else if (unit >= 0xDC80 && unit <= 0xDCFF) {
      result += static_cast<char>(unit - 0xDC00);
    } else {
      append_utf8(result, is_high(unit) || is_low(unit) ? kReplacement : unit);
    }
  }
  return result;
}

}  // namespace alembert::io
