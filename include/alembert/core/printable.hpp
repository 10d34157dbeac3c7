#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Text of unknown origin made fit to be shown. A title, a name, a unit or the name of a file may
/// hold what moves the cursor of a terminal, changes its settings or turns the order of letters
/// around.
namespace alembert {

/// Bytes of the well-formed UTF-8 letter at the start of a text; 0 if there is none.
[[nodiscard]] std::size_t letter_length(std::string_view text);

/// Whether a well-formed letter controls how others are shown in place of being shown itself:
/// control characters (C0, DEL, C1), marks of direction, separators of lines, tags and what has no
/// width.
[[nodiscard]] bool is_control(std::string_view letter);

/// The text in one line for a terminal: line ends and tabs become blanks, other controls and broken
/// bytes their code, `\x1b`, `\u202e`.
[[nodiscard]] std::string printable(std::string_view text);

/// The same for whole lines that we have made ourselves of parts that are not ours: line ends and
/// tabs stay.
[[nodiscard]] std::string printable_lines(std::string_view text);

/// Echoes longer than this are cut.
inline constexpr std::size_t kLongestEcho = 200;

/// A message in one line: printable, and what it repeats of its cause (between quotes, behind
/// "got ", or a word) cut at kLongestEcho letters.
[[nodiscard]] std::string printable_message(std::string_view text);

}  // namespace alembert
