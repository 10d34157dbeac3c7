#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/signal/record.hpp"

/// What comment lines before the numbers say, `# key = value`.
namespace alembert::io::csv {

struct Notes {
  std::string title;
  std::optional<double> step;  ///< s, from `step = 0.005 s, start = 0 s`
  double start = 0.0;          ///< s
  std::size_t step_line = 0;   ///< where the step stands, 1-based
  bool times_given = false;    ///< `time = column`: keep the times one by one
  /// `channel 3 = "name", "unit", "description"`: what the header cell of a column cannot say.
  struct ColumnNote {
    std::size_t column = 0;  ///< 1-based, the time column counted
    signal::Channel channel;
  };
  std::vector<ColumnNote> columns;
};

/// Adds what a comment says to the notes; other comments say nothing.
void read_note(std::string_view comment, std::size_t line, Notes& notes);

/// `step = 0.005 s, start = 0 s`
[[nodiscard]] std::string step_note(double step, double start);
/// `title = "..."`
[[nodiscard]] std::string title_note(const std::string& title);
/// `channel 3 = "name", "unit", "description"`
[[nodiscard]] std::string column_note(std::size_t column, const signal::Channel& channel);

}  // namespace alembert::io::csv
