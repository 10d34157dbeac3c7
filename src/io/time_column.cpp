#include "io/time_column.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

namespace alembert::io {
namespace {

// Times that differ from start + k step by less than this part of a step are uniform.
constexpr double kUniform = 1e-6;
// A step that somebody meant has no more digits than this.
constexpr int kStepDigits = 12;

// max_k |t(k) - t(0) - k step|
double worst_deviation(const Eigen::VectorXd& times, double step) {
  double worst = 0.0;
  for (Eigen::Index k = 0; k < times.size(); ++k) {
    worst = std::max(worst, std::abs(times(k) - times(0) - static_cast<double>(k) * step));
  }
  return worst;
}

double rounded(double value, int digits) {
  return std::strtod(fmt::format("{:.{}e}", value, digits - 1).c_str(), nullptr);
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
    const double step = rounded(mean, digits);
    const double at_end = std::abs(times(last) - times(0) - static_cast<double>(last) * step);
    if (step > 0.0 && at_end <= bound && worst_deviation(times, step) <= bound) {
      return step;
    }
  }
  return mean;
}

}  // namespace

double uniform_tolerance(double step, double largest_time) {
  return kUniform * step + 4.0 * std::numeric_limits<double>::epsilon() * largest_time;
}

std::optional<double> seconds_in(std::string_view unit) {
  static constexpr std::array<std::pair<std::string_view, double>, 17> kUnits{{{"", 1.0},
                                                                               {"s", 1.0},
                                                                               {"sec", 1.0},
                                                                               {"Sec", 1.0},
                                                                               {"S", 1.0},
                                                                               {"second", 1.0},
                                                                               {"seconds", 1.0},
                                                                               {"Seconds", 1.0},
                                                                               {"ms", 1e-3},
                                                                               {"msec", 1e-3},
                                                                               {"us", 1e-6},
                                                                               {"\xC2\xB5s", 1e-6},
                                                                               {"\xCE\xBCs", 1e-6},
                                                                               {"ns", 1e-9},
                                                                               {"min", 60.0},
                                                                               {"h", 3600.0},
                                                                               {"d", 86400.0}}};
  for (const auto& [name, seconds] : kUnits) {
    if (unit == name) {
      return seconds;
    }
  }
  return std::nullopt;
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
  return signal::TimeAxis::given(std::move(times));
}

}  // namespace alembert::io
