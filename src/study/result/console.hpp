#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "alembert/core/printable.hpp"
#include "alembert/study/detail/console.hpp"

namespace alembert::study {

/// A value as a terminal may show it: texts made printable.
template <typename Value>
auto shown(Value&& value) {
  if constexpr (std::is_convertible_v<Value, std::string_view>) {
    return printable(value);
  } else {
    return std::forward<Value>(value);
  }
}
template <typename Value>
using Shown = decltype(shown(std::declval<Value>()));

/// Collects what a task says on a terminal.
class Console {
 public:
  /// Adds a formatted text, which brings its line ends along. Texts among the values are shown in
  /// one line: a name from a study or a data file cannot make lines of its own.
  template <typename... Values>
  void print(fmt::format_string<Shown<Values>...> format, Values&&... values) {
    text_ += fmt::format(format, shown(std::forward<Values>(values))...);
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
