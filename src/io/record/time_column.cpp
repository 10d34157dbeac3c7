#include "io/record/time_column.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/record/column_title.hpp"
#include "io/record/record_parts.hpp"
#include "io/record/rounded_times.hpp"

namespace alembert::io {
namespace {

// Times that differ from start + k step by less than this part of a step are uniform.
constexpr double kUniform = 1e-6;

constexpr double kThousandYears = 3.156e10;  // s

// max_k |t(k) - t(0) - k step|
double worst_deviation(const Eigen::VectorXd& times, double step) {
  double worst = 0.0;
  for (Eigen::Index k = 0; k < times.size(); ++k) {
    worst = std::max(worst, std::abs(times(k) - times(0) - static_cast<double>(k) * step));
  }
  return worst;
}

std::optional<double> uniform_step(const Eigen::VectorXd& times) {
  const Eigen::Index last = times.size() - 1;
  if (last < 1) {
    return std::nullopt;
  }
  const double mean = (times(last) - times(0)) / static_cast<double>(last);
  const double worst = worst_deviation(times, mean);
  const double limit = uniform_tolerance(mean, std::max(std::abs(times(0)), std::abs(times(last))));
  if (!std::isfinite(mean) || !(worst <= limit)) {
    return std::nullopt;
  }
  const double bound = std::min(2.0 * worst + limit - kUniform * mean, limit);
  for (int digits = 1; digits <= kStepDigits; ++digits) {
    // A plain decimal, or that of a rate: 1/750 s.
    for (const double step : {rounded_to(mean, digits), 1.0 / rounded_to(1.0 / mean, digits)}) {
      const double at_end = std::abs(times(last) - times(0) - static_cast<double>(last) * step);
      if (step > 0.0 && at_end <= bound && worst_deviation(times, step) <= bound) {
        return step;
      }
    }
  }
  return mean;
}

// Whether the number is one of single precision, or what such a one is printed as: in the fewest
// digits that tell it, or in nine, which always do.
bool is_single_precision(double value) {
  const auto single = static_cast<float>(value);
  if (static_cast<double>(single) == value) return true;
  return std::strtod(fmt::format("{}", single).c_str(), nullptr) == value ||
         std::strtod(fmt::format("{:.9g}", single).c_str(), nullptr) == value;
}

// The step of even times that were rounded to single precision: off by two roundings at most, and
// these small beside a step.
std::optional<double> step_of_single_times(const Eigen::VectorXd& times) {
  constexpr Eigen::Index kFewestTimes = 16;
  constexpr double kCoarsestSingle = 1.0 / 8.0;  // of a step
  const Eigen::Index last = times.size() - 1;
  if (last + 1 < kFewestTimes) return std::nullopt;
  const double rounding = 2.0 * std::numeric_limits<float>::epsilon() * times.cwiseAbs().maxCoeff();
  const double mean = (times(last) - times(0)) / static_cast<double>(last);
  if (!(rounding <= kCoarsestSingle * mean) || !(worst_deviation(times, mean) <= rounding) ||
      !std::all_of(times.begin(), times.end(), is_single_precision)) {
    return std::nullopt;
  }
  for (int digits = 1; digits <= kStepDigits; ++digits) {
    for (const double step : {rounded_to(mean, digits), 1.0 / rounded_to(1.0 / mean, digits)}) {
      if (step > 0.0 && worst_deviation(times, step) <= rounding) return step;
    }
  }
  return mean;
}

}  // namespace

double uniform_tolerance(double step, double largest_time) {
  return kUniform * step + 4.0 * std::numeric_limits<double>::epsilon() * largest_time;
}

double rounded_to(double value, int digits) {
  return std::strtod(fmt::format("{:.{}e}", value, digits - 1).c_str(), nullptr);
}

std::optional<double> seconds_in(std::string_view unit) {
  struct TimeUnit {
    double seconds;
    std::string_view names;  // between blanks
  };
  static constexpr std::array<TimeUnit, 7> kUnits{{
      {1.0, " s sec Sec S second seconds Seconds "},
      {1e-3, " ms msec millis millisecond milliseconds "},
      {1e-6, " us usec micros \xC2\xB5s \xCE\xBCs microsecond microseconds "},
      {1e-9, " ns nsec nanosecond nanoseconds "},
      {60.0, " min minute minutes "},
      {3600.0, " h hr hour hours "},
      {86400.0, " d day days "},
  }};
  if (unit.empty()) {
    return 1.0;
  }
  if (unit.find(' ') != std::string_view::npos) {
    return std::nullopt;
  }
  const std::string word = fmt::format(" {} ", unit);
  for (const TimeUnit& each : kUnits) {
    if (each.names.find(word) != std::string_view::npos) {
      return each.seconds;
    }
  }
  return std::nullopt;
}

namespace {

bool is_part_of_second(std::string_view unit) {
  const std::optional<double> seconds = unit.empty() ? std::nullopt : seconds_in(unit);
  return seconds && *seconds < 1.0;
}

}  // namespace

std::string clock_unit(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  const bool whole = lower == "sec" || lower == "second" || lower == "seconds";
  return whole || is_part_of_second(lower) ? lower : std::string();
}

std::string_view time_unit_suffix(std::string_view name) {
  const std::size_t line = name.rfind('_');
  if (line == std::string_view::npos || line + 1 == name.size() ||
      !seconds_in(name.substr(line + 1))) {
    return {};
  }
  return name.substr(line);
}

std::string time_unit(std::string_view name, std::string_view unit) {
  if (!trimmed(unit).empty()) {
    const std::string_view bare = bare_unit(unit);
    return std::string(trimmed(bare.substr(0, bare.find(" since "))));
  }
  name = trimmed(name);
  // A column that was chosen for the time may have any name: a count "tick_us" is one of
  // microseconds, while "x_min" need not mean minutes.
  const std::string_view suffix = time_unit_suffix(name);
  if (!suffix.empty() && (is_time_name(name) || is_part_of_second(suffix.substr(1)))) {
    return std::string(suffix.substr(1));
  }
  if (const std::string alone = clock_unit(name); !alone.empty()) return alone;
  const std::size_t open = name.find_first_of("[(");
  if (!is_time_name(name) || open == std::string_view::npos) {
    return parse_title_cell(name).unit;
  }
  const std::string_view inside = bare_unit(name.substr(open));
  const bool index = inside.find_first_not_of("0123456789") == std::string_view::npos;
  return index ? std::string() : std::string(inside);
}

void convert_to_seconds(Eigen::Ref<Eigen::VectorXd> times, std::string_view name,
                        std::string_view unit, const Place& place) {
  const std::string known = time_unit(name, unit);
  const std::optional<double> seconds = seconds_in(known);
  if (!seconds) {
    throw DataError(place, fmt::format("the unit {} of the time {} is not known; use s, ms, us, "
                                       "ns, min, h or d",
                                       excerpt(known), excerpt(name)));
  }
  // Taken for seconds, a count of milliseconds since 1970 would make each step 1000 times as long.
  if (known.empty() && times.size() > 0 && times(0) > kThousandYears) {
    throw DataError(place,
                    fmt::format("the time {} begins at {} and has no unit; if it counts from "
                                "1970, write its unit (s, ms, us, ns) into its name",
                                excerpt(name), shortest(times(0))));
  }
  scale_times(times, *seconds);
}

void scale_times(Eigen::Ref<Eigen::VectorXd> times, double seconds) {
  if (seconds > 1.0) {
    times *= seconds;
  } else if (seconds < 1.0) {
    const double divisor = std::round(1.0 / seconds);
    for (double& time : times) {
      time /= divisor;
    }
  }
}

Eigen::Index first_disorder(const Eigen::Ref<const Eigen::VectorXd>& times) {
  for (Eigen::Index k = 0; k < times.size(); ++k) {
    if (!std::isfinite(times(k)) || (k > 0 && !(times(k) > times(k - 1)))) {
      return k;
    }
  }
  return -1;
}

signal::TimeAxis axis_from_times(Eigen::VectorXd times) {
  if (const std::optional<double> step = uniform_step(times)) {
    return signal::TimeAxis::uniform(times.size(), *step, times(0));
  }
  if (const std::optional<double> step = step_of_rounded_times(times)) {
    return signal::TimeAxis::uniform(times.size(), *step, times(0));
  }
  if (const std::optional<double> step = step_of_single_times(times)) {
    return signal::TimeAxis::uniform(times.size(), *step, times(0));
  }
  return signal::TimeAxis::given(std::move(times));
}

}  // namespace alembert::io
