#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

/// Standard output and standard error. Whatever titles, names or messages hold, no control
/// character but the line end reaches them; and a reader who goes away does not end the work.
namespace alembert::app {

/// Exit code of a command whose output nobody reads any more, as shells know it: 128 + SIGPIPE.
inline constexpr int kReaderGone = 141;

/// To be called first in main: a closed pipe and a file that may not grow further are errors of
/// writing from here on and no longer end the program, and descriptors 0 to 2 are open, so that no
/// file of a result gets one of them.
void prepare_terminal();

/// Writes to standard output; never throws. What goes wrong is known to output_state().
void write_out(std::string_view text);
/// Writes to standard error; never throws.
void write_error(std::string_view text);

enum class OutputState {
  Good,
  ReaderGone,  ///< a closed pipe; what follows is dropped
  Failed       ///< a full disk, say
};
/// Writes what is waiting and says how it went, now or before.
[[nodiscard]] OutputState flush_out();

template <typename... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  write_out(fmt::format(format, std::forward<Values>(values)...));
}

template <typename... Values>
void tell(fmt::format_string<Values...> format, Values&&... values) {
  write_error(fmt::format(format, std::forward<Values>(values)...));
}

}  // namespace alembert::app
