#include "io/file/text_excerpt.hpp"

#include <fmt/core.h>

#include <cstddef>

namespace alembert::io {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

// Number of bytes of the well-formed UTF-8 sequence at i, or 0.
std::size_t sequence_length(std::string_view text, std::size_t i) {
  const unsigned lead = byte_at(text, i);
  if (lead < 0x80) {
    return 1;
  }
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || i + length > text.size()) {
    return 0;
  }
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte_at(text, i + k) & 0xC0U) != 0x80) {
      return 0;
    }
  }
  const unsigned second = byte_at(text, i + 1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool surrogate = lead == 0xED && second > 0x9F;
  const bool beyond = lead == 0xF4 && second > 0x8F;
  return overlong || surrogate || beyond ? 0 : length;
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text, i);
    if (length == 0) {
      return false;
    }
    i += length;
  }
  return true;
}

std::string to_utf8(std::string_view text) {
  if (is_utf8(text)) {
    return std::string(text);
  }
  std::string result;
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (code < 0x80) {
      result += letter;
    } else {
      result += static_cast<char>(0xC0U | (code >> 6U));
      result += static_cast<char>(0x80U | (code & 0x3FU));
    }
  }
  return result;
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string result = "'";
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text, i);
    if (i + length > kLongest || i >= kLongest) {
      return result + "...'";
    }
    if (length == 0 || byte_at(text, i) < 0x20 || byte_at(text, i) == 0x7F) {
      result += fmt::format("\\x{:02x}", byte_at(text, i));
      ++i;
    } else {
      result += text.substr(i, length);
      i += length;
    }
  }
  return result + "'";
}

}  // namespace alembert::io
