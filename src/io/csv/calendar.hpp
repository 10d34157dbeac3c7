#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

/// Dates and times of day in cells, as loggers write them.
namespace alembert::io::csv {

/// A date, a time of day, or both. At least one is there.
struct CalendarTime {
  std::optional<std::int64_t> day;  ///< since 1970-01-01
  std::optional<double> seconds;    ///< since midnight; what a time zone says is taken off
};

/// Reads 2024-05-03T12:00:00.001 (ISO 8601; also a blank or an underscore in place of T, / or . in
/// place of -, a comma before the fraction, Z or +01:00 behind), 03.05.2024 12:00:00, a date alone,
/// or 12:00:00.001 alone. Nothing for anything else: of 03/05/2024 nobody knows the month.
[[nodiscard]] std::optional<CalendarTime> parse_calendar(std::string_view text);

}  // namespace alembert::io::csv
