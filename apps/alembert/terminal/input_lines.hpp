#pragma once

#include <string>
#include <string_view>

#include "session.hpp"

namespace alembert::app {

/// Lines of standard input as soon as they are there. Unlike std::getline it ends when the user
/// stops the program, even if the source has fallen silent.
class InputLines {
 public:
  explicit InputLines(const StopFlag& stop) : stop_(stop) {}

  /// The next line without its end, valid until the next call; false at the end or on a stop.
  [[nodiscard]] bool next(std::string_view& line);

 private:
  [[nodiscard]] bool read_more();

  const StopFlag& stop_;
  std::string buffer_;
  std::size_t begin_ = 0;
  bool ended_ = false;
};

}  // namespace alembert::app
