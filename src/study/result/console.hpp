#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "alembert/study/detail/console.hpp"

namespace alembert::study {

/// Collects what a task says on a terminal.
class Console {
 public:
  /// Adds a formatted text, which brings its line ends along.
  template <typename... Values>
  void print(fmt::format_string<Values...> format, Values&&... values) {
    text_ += fmt::format(format, std::forward<Values>(values)...);
  }
  void step(const std::string& name, const std::string& what, const std::string& time = "") {
    text_ += step_line(name, what, time);
  }
  /// One step of the same name for each.
  void steps(const std::string& name, const std::vector<std::string>& each) {
    for (const std::string& one : each) step(name, one);
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace alembert::study
