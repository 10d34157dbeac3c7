#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/identify/verdict.hpp"
#include "identify/verdict/channel_checks.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;

// A growth by this factor from quarter to quarter that the forces do not share is an instability.
constexpr double kUnstableGrowth = 2.0;
// Of the spread of like channels: milli or kilo, and a bit for the places that they are at.
constexpr double kOddRatio = 300.0;

std::vector<JoinedChannel> joined(const Experiments& data, const std::vector<std::string>& names,
                                  bool is_input) {
  const Index count = is_input ? data.front().input.cols() : data.front().output.cols();
  std::vector<JoinedChannel> channels;
  for (Index c = 0; c < count; ++c) {
    JoinedChannel channel;
    const bool named = static_cast<std::size_t>(c) < names.size();
    channel.name = named ? names[static_cast<std::size_t>(c)]
                         : fmt::format("{} {}", is_input ? "input" : "output", c + 1);
    channel.is_input = is_input;
    for (const Experiment& experiment : data) {
      channel.pieces.emplace_back(is_input ? experiment.input.col(c) : experiment.output.col(c));
    }
    channels.push_back(std::move(channel));
  }
  return channels;
}

class Remarks {
 public:
  // Returns true if there was something to say.
  bool add(const std::string& channel, const std::string& text, bool fatal = false) {
    if (text.empty()) return false;
    list_.push_back({channel, text, fatal});
    return true;
  }
  [[nodiscard]] std::vector<DataRemark> take() { return std::move(list_); }

 private:
  std::vector<DataRemark> list_;
};

// Remarks that need one channel only; returns true if the channel carries a signal.
bool examine_channel(const JoinedChannel& channel, double step, bool smooth_forces,
                     Remarks& remarks) {
  const bool fatal = !channel.is_input;
  if (remarks.add(channel.name, dead_remark(channel), fatal)) return false;
  if (remarks.add(channel.name, constant_remark(channel), fatal)) return false;
  remarks.add(channel.name, offset_remark(channel));
  remarks.add(channel.name, clipping_remark(channel));
  if (!channel.is_input || smooth_forces) {
    remarks.add(channel.name, aliasing_remark(channel, step));
  }
  remarks.add(channel.name, short_record_remark(channel, step));
  return true;
}

void examine_pairs(const std::vector<JoinedChannel>& channels, Remarks& remarks) {
  for (std::size_t a = 0; a < channels.size(); ++a) {
    for (std::size_t b = a + 1; b < channels.size(); ++b) {
      if (!same_samples(channels[a], channels[b])) continue;
      remarks.add(channels[b].name,
                  fmt::format("holds the same samples as {}; one column was read twice, or one "
                              "sensor is wired to both",
                              channels[a].name),
                  true);
    }
  }
}

// Channels of one kind whose spread is far from the median of the others: likely another unit.
void examine_units(const std::vector<JoinedChannel>& channels, Remarks& remarks) {
  if (channels.size() < 2) return;
  std::vector<double> sizes;
  for (const JoinedChannel& channel : channels) sizes.push_back(spread(channel));
  std::vector<double> sorted = sizes;
  std::sort(sorted.begin(), sorted.end());
  const double median = sorted[(sorted.size() - 1) / 2];  // of two the smaller
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const double ratio = sizes[c] / median;
    if (!(median > 0.0) || !(sizes[c] > 0.0)) continue;
    if (ratio < kOddRatio && ratio > 1.0 / kOddRatio) continue;
    remarks.add(channels[c].name,
                fmt::format("spreads by {:.3g}, {:.2g} times that of the channels like it; "
                            "check its unit (mm against m, mV against V)",
                            sizes[c], ratio));
  }
}

void examine_growth(const std::vector<JoinedChannel>& inputs,
                    const std::vector<JoinedChannel>& outputs, Remarks& remarks) {
  double driven = 0.0;
  for (const JoinedChannel& input : inputs) driven = std::max(driven, growth(input));
  for (const JoinedChannel& output : outputs) {
    const double factor = growth(output);
    if (factor < kUnstableGrowth || factor < kUnstableGrowth * driven) continue;
    remarks.add(output.name,
                fmt::format("grows by a factor of {:.2g} from each quarter of the record to the "
                            "next while the forces do not: an unstable system, or a drift; "
                            "stabilise it, or cut the record before",
                            factor));
  }
}

// Each line of a periodic force gives a real and an imaginary part for every output.
void examine_excitation(const std::vector<JoinedChannel>& inputs, Index outputs, Index unknowns,
                        Remarks& remarks) {
  Index lines = 0;
  double size = 0.0;
  for (const JoinedChannel& input : inputs) {
    lines += active_lines(input);
    size = std::max(size, rms(input));
  }
  if (!(size > 0.0)) {
    remarks.add("", "no force moves; M, D and K cannot be found from free motion alone", true);
  } else if (2 * lines * outputs < unknowns) {
    remarks.add("",
                fmt::format("the forces hold {} spectral lines, which give at most {} equations "
                            "for {} unknowns; use a sweep, noise or more sines",
                            lines, 2 * lines * outputs, unknowns));
  }
}

void examine_length(const Experiments& data, Index unknowns, Remarks& remarks) {
  const Index samples = measured_samples(data);
  if (samples <= unknowns) {
    remarks.add(
        "",
        fmt::format("{} measured samples cannot fix {} unknowns; record longer", samples, unknowns),
        true);
  } else if (samples < 10 * unknowns) {
    remarks.add("", fmt::format("{} measured samples for {} unknowns are few; expect wide "
                                "intervals, or record longer",
                                samples, unknowns));
  }
}

}  // namespace

std::vector<DataRemark> examine(const Experiments& data,
                                const std::vector<std::string>& input_names,
                                const std::vector<std::string>& output_names, Index unknowns,
                                bool smooth_forces) {
  check_experiments("examine", data);
  const std::vector<JoinedChannel> inputs = joined(data, input_names, true);
  const std::vector<JoinedChannel> outputs = joined(data, output_names, false);
  const double step = data.front().step;
  Remarks remarks;
  for (const JoinedChannel& channel : inputs) {
    examine_channel(channel, step, smooth_forces, remarks);
  }
  for (const JoinedChannel& channel : outputs) {
    examine_channel(channel, step, smooth_forces, remarks);
  }
  examine_pairs(inputs, remarks);
  examine_pairs(outputs, remarks);
  examine_units(inputs, remarks);
  examine_units(outputs, remarks);
  examine_growth(inputs, outputs, remarks);
  examine_excitation(inputs, static_cast<Index>(outputs.size()), unknowns, remarks);
  examine_length(data, unknowns, remarks);
  return remarks.take();
}

}  // namespace alembert::identify
