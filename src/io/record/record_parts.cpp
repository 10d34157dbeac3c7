#include "io/record/record_parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "alembert/core/check.hpp"
#include "alembert/core/text.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/record/time_column.hpp"

namespace alembert::io {

namespace {

constexpr double kEvenWithin = 1e-6;        // of a step
constexpr double kShortestTime = 1e-60;     // s
constexpr std::size_t kNamesInMessage = 8;  // so that a message stays one line

std::vector<std::string> names_of(const std::vector<signal::Channel>& channels) {
  std::vector<std::string> names;
  names.reserve(channels.size());
  for (const signal::Channel& channel : channels) {
    names.push_back(channel.name);
  }
  return names;
}

Eigen::Index column_of(const RecordParts& parts, const std::string& name) {
  for (std::size_t c = 0; c < parts.channels.size(); ++c) {
    if (parts.channels[c].name == name) {
      return static_cast<Eigen::Index>(c);
    }
  }
  throw DataError(parts.place, unknown_name("channel", name, names_of(parts.channels)));
}

signal::TimeAxis chosen_axis(const RecordParts& parts, const ReadOptions& options) {
  if (options.step) {
    check::positive("ReadOptions", "step", *options.step);
    return signal::TimeAxis::uniform(parts.samples.rows(), *options.step);
  }
  if (!options.time.empty()) {
    const Eigen::Index column = column_of(parts, options.time);
    Eigen::VectorXd times = parts.samples.col(column);
    convert_to_seconds(times, options.time, parts.channels[static_cast<std::size_t>(column)].unit,
                       parts.place);
    return axis_of_times(times, 0.0, options.time, parts.place);
  }
  if (!parts.axis) {
    throw NoTimeAxis(parts.place, parts.axis_problem.empty()
                                      ? "no time axis found: give a step or the name of the time"
                                      : parts.axis_problem);
  }
  return *parts.axis;
}

// The columns to keep, in order. The time channel is no channel unless asked for by name.
std::vector<Eigen::Index> chosen_columns(const RecordParts& parts, const ReadOptions& options) {
  std::vector<Eigen::Index> columns;
  for (const std::string& name : options.channels) {
    columns.push_back(column_of(parts, name));
  }
  if (options.channels.empty()) {
    for (std::size_t c = 0; c < parts.channels.size(); ++c) {
      if (parts.channels[c].name != options.time || options.time.empty()) {
        columns.push_back(static_cast<Eigen::Index>(c));
      }
    }
  }
  return columns;
}

}  // namespace

signal::Record finished_record(RecordParts parts, const ReadOptions& options) {
  signal::TimeAxis axis = chosen_axis(parts, options);
  const std::vector<Eigen::Index> columns = chosen_columns(parts, options);
  try {
    if (options.channels.empty() && columns.size() == parts.channels.size()) {
      return {std::move(axis), std::move(parts.channels), std::move(parts.samples),
              std::move(parts.title)};
    }
    std::vector<signal::Channel> channels;
    channels.reserve(columns.size());
    for (const Eigen::Index column : columns) {
      channels.push_back(parts.channels[static_cast<std::size_t>(column)]);
    }
    Eigen::MatrixXd samples = parts.samples(Eigen::all, columns);
    return {std::move(axis), std::move(channels), std::move(samples), std::move(parts.title)};
  } catch (const InvalidInput& error) {
    throw DataError(parts.place, error.reason());
  }
}

bool has_all_channels(const std::vector<signal::Channel>& channels, const ReadOptions& options) {
  const auto known = [&](const std::string& name) {
    return std::any_of(channels.begin(), channels.end(),
                       [&](const signal::Channel& channel) { return channel.name == name; });
  };
  return std::all_of(options.channels.begin(), options.channels.end(), known) &&
         (options.time.empty() || options.step || known(options.time));
}

signal::TimeAxis given_axis(const Eigen::VectorXd& times, const std::string& name,
                            const Place& place) {
  try {
    return signal::TimeAxis::given(times);
  } catch (const InvalidInput& error) {
    throw DataError(place,
                    fmt::format("time {} cannot be used: {}", excerpt(name), error.reason()));
  }
}

signal::TimeAxis axis_of_times(const Eigen::VectorXd& times, double resolution,
                               const std::string& name, const Place& place) {
  const signal::TimeAxis axis = given_axis(times, name, place);
  if (resolution > 0.0 && times.size() > 1) {
    const double rounding = resolution * times.cwiseAbs().maxCoeff() / axis.median_step();
    if (const auto step = axis.common_step(kEvenWithin + rounding)) {
      return signal::TimeAxis::uniform(times.size(), *step, times(0));
    }
  }
  return axis_from_times(times);
}

signal::TimeAxis axis_of_step(Eigen::Index samples, double step, double start,
                              const std::string& name, const Place& place) {
  if (!(step > 0.0) || !std::isfinite(step) || !std::isfinite(start)) {
    throw DataError(place, fmt::format("{} must give a positive step in s and a finite start, "
                                       "got step {} and start {}",
                                       name, shortest(step), shortest(start)));
  }
  // No clock has such steps; a flipped bit in a start of 0 has.
  if (step < kShortestTime || (start != 0.0 && std::abs(start) < kShortestTime)) {
    throw DataError(place, fmt::format("{}: a step of {} s and a start at {} s are no measurement "
                                       "(damaged file?)",
                                       name, shortest(step), shortest(start)));
  }
  return signal::TimeAxis::uniform(samples, step, start);
}

bool is_time_name(std::string_view name) {
  static constexpr std::array<std::string_view, 8> kWords{
      "t", "time", "timestamp", "time stamp", "zeit", "temps", "tiempo", "tempo"};
  name = trimmed(name.substr(0, name.find_first_of("[(")));
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  if (!clock_unit(lower).empty()) return true;
  lower.resize(lower.size() - time_unit_suffix(lower).size());
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

std::string unknown_name(std::string_view what, std::string_view name,
                         const std::vector<std::string>& known) {
  const std::string near = nearest(name, known);
  if (!near.empty()) {
    return fmt::format("no {} {}; did you mean {}?", what, excerpt(name), excerpt(near));
  }
  std::vector<std::string> listed;
  for (std::size_t i = 0; i < std::min(known.size(), kNamesInMessage); ++i) {
    listed.push_back(excerpt(known[i]));
  }
  return fmt::format("no {} {}; there {} {}{}", what, excerpt(name),
                     known.size() == 1 ? "is" : "are", listed.empty() ? "none" : join(listed, ", "),
                     known.size() > kNamesInMessage ? ", ..." : "");
}

void make_unique(std::vector<std::string>& names) {
  std::set<std::string> taken(names.begin(), names.end());
  std::set<std::string> seen;
  std::map<std::string, int> next;  // number to try for a name that came up before
  for (std::string& name : names) {
    if (!seen.insert(name).second) {
      int& number = next.try_emplace(name, 2).first->second;
      while (taken.count(fmt::format("{}_{}", name, number)) > 0) {
        ++number;
      }
      name = fmt::format("{}_{}", name, number);
      taken.insert(name);
      seen.insert(name);
    }
  }
}

}  // namespace alembert::io
