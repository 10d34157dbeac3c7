#include "io/csv/calendar.hpp"

#include <charconv>
#include <chrono>

#include "alembert/core/text.hpp"

namespace alembert::io::csv {
namespace {

constexpr double kHour = 3600.0;
constexpr double kMinute = 60.0;

bool is_figure(char letter) { return letter >= '0' && letter <= '9'; }

// A whole number of so many figures at the start of the text, which is cut off.
std::optional<int> take_figures(std::string_view& text, std::size_t figures) {
  if (text.size() < figures) return std::nullopt;
  int value = 0;
  for (std::size_t i = 0; i < figures; ++i) {
    if (!is_figure(text[i])) return std::nullopt;
    value = 10 * value + (text[i] - '0');
  }
  text.remove_prefix(figures);
  return value;
}

bool take_one(std::string_view& text, char letter) {
  if (text.empty() || text.front() != letter) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<std::int64_t> day_of(int year, int month, int day) {
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

// 2024-05-03, 2024/05/03, 2024.05.03
std::optional<std::int64_t> take_year_first(std::string_view& text) {
  std::string_view rest = text;
  const std::optional<int> year = take_figures(rest, 4);
  if (!year || rest.empty()) return std::nullopt;
  const char mark = rest.front();
  if (mark != '-' && mark != '/' && mark != '.') return std::nullopt;
  take_one(rest, mark);
  const std::optional<int> month = take_figures(rest, 2);
  if (!month || !take_one(rest, mark)) return std::nullopt;
  const std::optional<int> day = take_figures(rest, 2);
  if (!day) return std::nullopt;
  text = rest;
  return day_of(*year, *month, *day);
}

// 03.05.2024: with points the day comes first everywhere.
std::optional<std::int64_t> take_day_first(std::string_view& text) {
  std::string_view rest = text;
  const std::optional<int> day = take_figures(rest, 2);
  if (!day || !take_one(rest, '.')) return std::nullopt;
  const std::optional<int> month = take_figures(rest, 2);
  if (!month || !take_one(rest, '.')) return std::nullopt;
  const std::optional<int> year = take_figures(rest, 4);
  if (!year) return std::nullopt;
  text = rest;
  return day_of(*year, *month, *day);
}

std::optional<double> take_fraction(std::string_view& text) {
  if (text.empty() || (text.front() != '.' && text.front() != ',')) return 0.0;
  std::size_t end = 1;
  while (end < text.size() && is_figure(text[end])) ++end;
  if (end == 1) return std::nullopt;
  std::string digits = "0." + std::string(text.substr(1, end - 1));
  double value = 0.0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  text.remove_prefix(end);
  return value;
}

// 12:00:00.001
std::optional<double> take_clock(std::string_view& text) {
  std::string_view rest = text;
  const std::optional<int> hour = take_figures(rest, 2);
  if (!hour || *hour > 24 || !take_one(rest, ':')) return std::nullopt;
  const std::optional<int> minute = take_figures(rest, 2);
  if (!minute || *minute > 59 || !take_one(rest, ':')) return std::nullopt;
  const std::optional<int> second = take_figures(rest, 2);
  if (!second || *second > 60) return std::nullopt;
  const std::optional<double> fraction = take_fraction(rest);
  if (!fraction) return std::nullopt;
  text = rest;
  return kHour * *hour + kMinute * *minute + (*second + *fraction);
}

// Z, +01:00 or +0100: seconds ahead of the common time.
std::optional<double> take_zone(std::string_view& text) {
  if (text.empty() || take_one(text, 'Z')) return 0.0;
  const double sign = text.front() == '-' ? -1.0 : 1.0;
  if (text.front() != '-' && text.front() != '+') return std::nullopt;
  text.remove_prefix(1);
  const std::optional<int> hour = take_figures(text, 2);
  if (!hour) return std::nullopt;
  take_one(text, ':');
  const std::optional<int> minute = text.empty() ? 0 : take_figures(text, 2);
  if (!minute) return std::nullopt;
  return sign * (kHour * *hour + kMinute * *minute);
}

}  // namespace

std::optional<CalendarTime> parse_calendar(std::string_view text) {
  text = trimmed(text);
  CalendarTime time;
  time.day = take_year_first(text);
  if (!time.day) time.day = take_day_first(text);
  if (time.day && text.empty()) return time;
  if (time.day && !take_one(text, 'T') && !take_one(text, ' ') && !take_one(text, '_')) {
    return std::nullopt;
  }
  text = trimmed(text);
  time.seconds = take_clock(text);
  if (!time.seconds) return std::nullopt;
  text = trimmed(text);
  const std::optional<double> zone = take_zone(text);
  if (!zone || !text.empty()) return std::nullopt;
  time.seconds = *time.seconds - *zone;
  return time;
}

}  // namespace alembert::io::csv
