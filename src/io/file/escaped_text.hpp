#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Any text as one line of a file.
namespace alembert::io {

/// Text that survives as a line: \n, \r and \\ for line feed, return and backslash, \s for a blank
/// at either end.
[[nodiscard]] std::string escaped(std::string_view text);
[[nodiscard]] std::string unescaped(std::string_view text);

/// Several texts, one on each line.
[[nodiscard]] std::string escaped_lines(const std::vector<std::string>& texts);
/// The texts of the lines; "" is one empty text.
[[nodiscard]] std::vector<std::string> unescaped_lines(std::string_view lines);

}  // namespace alembert::io
