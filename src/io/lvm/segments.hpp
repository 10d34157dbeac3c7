#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/core/error.hpp"

/// The segments of a LabVIEW measurement file.
namespace alembert::io::lvm {

/// What the head of the file says about all segments.
struct Dialect {
  char separator = '\t';
  char decimal_mark = '.';
  enum class Times { None, One, Multi } times = Times::One;
};

/// A line of a segment.
struct Line {
  std::string_view text;
  std::size_t number = 0;  ///< 1-based
};

struct Segment {
  std::vector<std::string> units;   ///< Y_Unit_Label
  std::vector<double> starts;       ///< X0, s
  std::vector<double> steps;        ///< Delta_X, s
  std::vector<double> samples;      ///< of each channel, as the head announces them
  std::vector<std::string> titles;  ///< of the columns, the one of comments left out
  std::size_t title_line = 0;
  std::vector<Line> rows;
};

struct Content {
  Dialect dialect;
  std::vector<Segment> segments;
};

/// Whether a text begins like a measurement file of LabVIEW.
[[nodiscard]] bool begins_like_lvm(std::string_view start);

/// Splits a file into its segments. @throws DataError
[[nodiscard]] Content read_segments(std::string_view text, const Place& place);

/// The cells of a line. The first is that of the time, empty where there is none.
[[nodiscard]] std::vector<std::string_view> cells_of(std::string_view line, char separator);

}  // namespace alembert::io::lvm
