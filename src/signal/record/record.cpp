#include "alembert/signal/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "signal/spline/increasing.hpp"

namespace alembert::signal {

namespace {

// Only so many channel names fit into one line of an error message.
constexpr std::size_t kNamesInMessage = 8;
// A distance of more than this many median steps is a gap.
constexpr double kGapFactor = 1.5;

void check_names(const std::vector<Channel>& channels) {
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    if (channels[c].name.empty()) {
      throw InvalidInput({.function = "Record",
                          .argument = "channel names",
                          .rule = "must not be empty",
                          .value = fmt::format("'' for channel {}", c + 1)});
    }
    const auto [place, is_new] = seen.emplace(channels[c].name, c);
    if (!is_new) {
      throw InvalidInput({.function = "Record",
                          .argument = "channel names",
                          .rule = "must be unique",
                          .value = fmt::format("'{}' for channels {} and {}", channels[c].name,
                                               place->second + 1, c + 1)});
    }
  }
}

std::string suggestion(std::string_view name, const std::vector<Channel>& channels) {
  std::vector<std::string> names;
  names.reserve(channels.size());
  for (const Channel& channel : channels) {
    names.push_back(channel.name);
  }
  if (const std::string near = nearest(name, names); !near.empty()) {
    return fmt::format("did you mean '{}'?", near);
  }
  if (names.empty()) {
    return "the record has no channels";
  }
  const bool all = names.size() <= kNamesInMessage;
  names.resize(std::min(names.size(), kNamesInMessage));
  return fmt::format("known: {}{}", join(names, ", "), all ? "" : ", ...");
}

Eigen::Index checked_find(std::string_view function, const Record& record, std::string_view name) {
  const std::optional<Eigen::Index> column = record.find(name);
  if (!column) {
    throw InvalidInput(
        {.function = fmt::format("Record::{}", function),
         .argument = "channel",
         .rule = "must be one of the record's",
         .value = fmt::format("'{}' ({})", name, suggestion(name, record.channels()))});
  }
  return *column;
}

}  // namespace

TimeAxis TimeAxis::uniform(Eigen::Index samples, double step, double start) {
  check::at_least("TimeAxis::uniform", "samples", samples, 0);
  check::positive("TimeAxis::uniform", "step", step);
  check::finite("TimeAxis::uniform", "start", start);
  TimeAxis axis;
  axis.samples_ = samples;
  axis.step_ = step;
  axis.start_ = start;
  return axis;
}

TimeAxis TimeAxis::given(Eigen::VectorXd times) {
  check_increasing("TimeAxis::given", "times", times);
  TimeAxis axis;
  axis.samples_ = times.size();
  axis.times_ = std::move(times);
  return axis;
}

double TimeAxis::step() const {
  if (!is_uniform()) {
    throw InvalidInput({.function = "TimeAxis::step",
                        .item = "the axis",
                        .rule = "must be uniform",
                        .value = "times given one by one"});
  }
  return step_;
}

double TimeAxis::start() const noexcept { return is_uniform() ? start_ : times_[0]; }

double TimeAxis::operator[](Eigen::Index k) const {
  return is_uniform() ? start_ + static_cast<double>(k) * step_ : times_[k];
}

Eigen::VectorXd TimeAxis::times() const {
  if (!is_uniform()) {
    return times_;
  }
  Eigen::VectorXd all(samples_);
  for (Eigen::Index k = 0; k < samples_; ++k) {
    all[k] = (*this)[k];
  }
  return all;
}

TimeAxis TimeAxis::slice(Eigen::Index first, Eigen::Index count) const {
  if (first < 0 || count < 0 || first > samples_ || count > samples_ - first) {
    throw InvalidInput({.function = "TimeAxis::slice",
                        .argument = "first and count",
                        .rule = fmt::format("must stay within {} samples", samples_),
                        .value = fmt::format("first = {}, count = {}", first, count)});
  }
  return is_uniform() ? uniform(count, step_, (*this)[first]) : given(times_.segment(first, count));
}

std::optional<double> TimeAxis::common_step(double tolerance) const {
  check::non_negative("TimeAxis::common_step", "tolerance", tolerance);
  if (is_uniform()) {
    return step_;
  }
  if (samples_ < 2) {
    return std::nullopt;
  }
  const double step = (times_[samples_ - 1] - times_[0]) / static_cast<double>(samples_ - 1);
  for (Eigen::Index k = 1; k < samples_; ++k) {
    if (std::abs(times_[k] - times_[0] - static_cast<double>(k) * step) > tolerance * step) {
      return std::nullopt;
    }
  }
  return step;
}

double TimeAxis::median_step() const {
  if (samples_ < 2) {
    return 0.0;
  }
  if (is_uniform()) {
    return step_;
  }
  Eigen::VectorXd distances = times_.tail(samples_ - 1) - times_.head(samples_ - 1);
  double* const middle = distances.data() + (distances.size() - 1) / 2;
  std::nth_element(distances.data(), middle, distances.data() + distances.size());
  return *middle;
}

Record::Record(TimeAxis time, std::vector<Channel> channels, Eigen::MatrixXd samples,
               std::string title)
    : time_(std::move(time)),
      channels_(std::move(channels)),
      samples_(std::move(samples)),
      title_(std::move(title)) {
  check::size("Record", "rows of samples", samples_.rows(), time_.size());
  check::size("Record", "columns of samples", samples_.cols(),
              static_cast<long long>(channels_.size()));
  check_names(channels_);
}

std::optional<Eigen::Index> Record::find(std::string_view name) const {
  const auto place = std::find_if(channels_.begin(), channels_.end(),
                                  [&](const Channel& channel) { return channel.name == name; });
  return place == channels_.end() ? std::nullopt
                                  : std::optional<Eigen::Index>(place - channels_.begin());
}

Eigen::Ref<const Eigen::VectorXd> Record::values(std::string_view name) const {
  return samples_.col(checked_find("values", *this, name));
}

Record Record::select(const std::vector<std::string>& names) const {
  std::vector<Channel> channels;
  channels.reserve(names.size());
  Eigen::MatrixXd samples(size(), static_cast<Eigen::Index>(names.size()));
  for (const std::string& name : names) {
    const Eigen::Index column = checked_find("select", *this, name);
    samples.col(static_cast<Eigen::Index>(channels.size())) = samples_.col(column);
    channels.push_back(channels_[static_cast<std::size_t>(column)]);
  }
  return {time_, std::move(channels), std::move(samples), title_};
}

Record Record::slice(Eigen::Index first, Eigen::Index count) const {
  TimeAxis time = time_.slice(first, count);
  return {std::move(time), channels_, samples_.middleRows(first, count), title_};
}

Eigen::MatrixXd Record::release_samples() && {
  Eigen::MatrixXd samples = std::move(samples_);
  *this = Record();
  return samples;
}

Eigen::Index Record::missing(Eigen::Index channel) const {
  if (channel < 0 || channel >= channel_count()) {
    throw InvalidInput({.function = "Record::missing",
                        .argument = "channel",
                        .rule = fmt::format("must be in [0, {})", channel_count()),
                        .value = fmt::format("{}", channel)});
  }
  return samples_.col(channel).array().isNaN().count();
}

bool Record::has_missing() const { return samples_.hasNaN(); }

std::vector<Gap> Record::gaps() const {
  std::vector<Gap> found;
  if (time_.is_uniform()) {
    return found;
  }
  const double longest = kGapFactor * time_.median_step();
  for (Eigen::Index k = 0; k + 1 < time_.size(); ++k) {
    if (time_[k + 1] - time_[k] > longest) {
      found.push_back({.after = k, .begin = time_[k], .end = time_[k + 1]});
    }
  }
  return found;
}

}  // namespace alembert::signal
