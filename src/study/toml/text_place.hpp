#pragma once

#include <cstddef>
#include <string>

#include "alembert/study/detail/value.hpp"

namespace alembert::study {

/// The position in a TOML file of a character of a text value.
///
/// @param source the whole file.
/// @param value where the value begins, at its quote.
/// @param line, column of the character in the text as TOML reads it, from 1; a character is one of
///   Unicode. Beyond the end of the text: the end.
/// Quotes of all four kinds, escapes, and lines that end with a backslash are followed.
[[nodiscard]] Position position_in_text(const std::string& source, const Position& value,
                                        std::size_t line, std::size_t column);

}  // namespace alembert::study
