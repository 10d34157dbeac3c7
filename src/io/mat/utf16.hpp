#pragma once

#include <string>
#include <string_view>

/// Text of MATLAB files: UTF-16.
namespace alembert::io {

/// UTF-8 to UTF-16. A byte that is no UTF-8 becomes the lone code unit 0xDC00 + byte, which
/// from_utf16 turns back: no text is lost.
[[nodiscard]] std::u16string to_utf16(std::string_view text);
/// UTF-16 to UTF-8; other lone surrogates become U+FFFD.
[[nodiscard]] std::string from_utf16(std::u16string_view text);

}  // namespace alembert::io
