#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace alembert::app {

/// How lines are shown: as they are in files and pipes, which other programs read line by line;
/// wrapped and coloured on a terminal.
struct TerminalShape {
  std::size_t columns = 0;  ///< 0: no wrapping
  bool colour = false;
};

/// What the terminal behind a descriptor has. There is no colour where NO_COLOR is set to anything
/// (https://no-color.org), nor on a terminal that calls itself dumb.
[[nodiscard]] TerminalShape terminal_shape(int descriptor);

/// A whole line, without its end. Lines of a step ("  warning    the words") are wrapped under
/// their words, all others stay, since studies and tables are copied from a terminal. The level of
/// a verdict and the names of warnings have colours.
[[nodiscard]] std::string shaped(std::string_view line, const TerminalShape& shape);

}  // namespace alembert::app
