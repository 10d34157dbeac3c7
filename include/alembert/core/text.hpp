#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace alembert {

/// Number of single-letter edits (insert, delete, replace, swap neighbours) from a to b.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to word, or "" when none is near enough to be a likely misspelling
/// (distance at most 1 + length/4; letter case counts nothing).
[[nodiscard]] std::string nearest(std::string_view word,
                                  const std::vector<std::string>& candidates);

/// "; did you mean "step"?" for a word near one of the candidates; else a list of them, for a
/// short one; else nothing.
[[nodiscard]] std::string suggestion(std::string_view word,
                                     const std::vector<std::string>& candidates);

/// Joins words with a separator.
[[nodiscard]] std::string join(const std::vector<std::string>& words, std::string_view separator);

/// The shortest decimal text that reads back as the same double ("nan", "inf" as such).
[[nodiscard]] std::string shortest(double value);

/// Text without leading and trailing blanks.
[[nodiscard]] std::string_view trimmed(std::string_view text);

}  // namespace alembert
