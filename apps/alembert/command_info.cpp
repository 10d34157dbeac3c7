#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/printable.hpp"
#include "alembert/core/text.hpp"
#include "alembert/io/table.hpp"
#include "alembert/study/data_info.hpp"
#include "alembert/study/detail/console.hpp"
#include "commands.hpp"
#include "print.hpp"
#include "terminal/terminal.hpp"

namespace alembert::app {
namespace {

// Eight heights of a block, from 70 dB below the highest band up to it.
std::string sparkline(const std::vector<double>& bands_db) {
  static const std::vector<std::string> kBlocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string line;
  for (const double level : bands_db) {
    const double height = std::clamp(7.0 + level / 10.0, 0.0, 7.0);
    line += kBlocks[static_cast<std::size_t>(std::lround(std::isfinite(height) ? height : 0.0))];
  }
  return line;
}

// Samples counted 0, 1, 2, ... stand for the time that a file does not tell.
std::string time_words(const study::RecordInfo& record, bool time_known) {
  if (!time_known) {
    return fmt::format("{} samples; the file does not say when: give --step or --time",
                       record.samples);
  }
  std::string span =
      fmt::format("{} samples from {:.6g} s to {:.6g} s", record.samples, record.begin, record.end);
  if (record.samples < 2) {
    return span;
  }
  if (record.step) {
    return fmt::format("{}, step {:.6g} s ({:.6g} Hz)", span, *record.step, 1.0 / *record.step);
  }
  return fmt::format("{}, uneven, median step {:.6g} s", span, record.median_step);
}

void print_gaps(const std::vector<signal::Gap>& gaps) {
  constexpr std::size_t kMost = 3;
  for (std::size_t i = 0; i < std::min(kMost, gaps.size()); ++i) {
    say("  gap        {:.6g} s to {:.6g} s\n", gaps[i].begin, gaps[i].end);
  }
  if (gaps.size() > kMost) {
    say("  gap        {} more\n", gaps.size() - kMost);
  }
}

std::string peak_words(const std::vector<study::SpectralPeak>& peaks) {
  std::vector<std::string> words;
  words.reserve(peaks.size());
  for (const study::SpectralPeak& peak : peaks) {
    words.push_back(fmt::format("{:.4g}", peak.frequency_hz));
  }
  return words.empty() ? "-" : join(words, " ");
}

void print_record(const study::RecordInfo& record, bool time_known) {
  const std::string frequency = time_known ? "Hz" : "per sample";
  print_step("time", time_words(record, time_known));
  print_gaps(record.gaps);
  std::size_t name_width = 7;
  std::size_t unit_width = 4;
  bool any_spectrum = false;
  for (const study::ChannelInfo& channel : record.channels) {
    name_width = std::max(name_width, printable(channel.channel.name).size());
    unit_width = std::max(unit_width, printable(channel.channel.unit).size());
    any_spectrum = any_spectrum || !channel.bands_db.empty();
  }
  say("  {:<{}} {:<{}} {:>10} {:>10} {:>10} {:>7}", "channel", name_width, "unit", unit_width,
      "min", "max", "rms", "missing");
  say("{}\n", any_spectrum ? "  spectrum                 peaks " + frequency : "");
  for (const study::ChannelInfo& channel : record.channels) {
    say("  {:<{}} {:<{}} {:>10.4g} {:>10.4g} {:>10.4g} {:>7}", printable(channel.channel.name),
        name_width, printable(channel.channel.unit), unit_width, channel.figures.smallest,
        channel.figures.largest, channel.figures.rms, channel.figures.missing);
    if (!channel.bands_db.empty()) {
      say("  {} {}", sparkline(channel.bands_db), peak_words(channel.peaks));
    }
    say("\n");
  }
  for (const study::ChannelInfo& channel : record.channels) {
    if (channel.spikes.empty()) continue;
    say("  far beyond all others: {} = {}; no measurement? data.spikes = \"bridge\"\n",
        printable(channel.channel.name), channel.spikes);
  }
  if (any_spectrum) {
    say("  spectrum from 0 to {:.6g} {}, 10 dB a height\n", 0.5 / *record.step, frequency);
  }
}

// Reads the file; one that does not tell its times is shown all the same, sample by sample.
signal::Records read_leniently(const DataArguments& arguments, bool& time_known) {
  io::ReadOptions options{.time = arguments.time,
                          .step = arguments.step,
                          .channels = arguments.channels,
                          .dataset = arguments.dataset,
                          .limits = {.memory = bytes_of(arguments.memory)}};
  try {
    time_known = true;
    return io::read_records(arguments.file, options);
  } catch (const io::NoTimeAxis&) {
    time_known = false;
    options.step = 1.0;
    return io::read_records(arguments.file, options);
  }
}

}  // namespace

int info_command(const DataArguments& arguments, Session& session) {
  if (!session.machines.is_first()) {
    return kDone;
  }
  bool time_known = true;
  const signal::Records records = read_leniently(arguments, time_known);
  say("{}   {}\n", printable(arguments.file.string()),
      study::counted(static_cast<long long>(records.size()), "record"));
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records.size() > 1 || !records[i].title().empty()) {
      print_step(fmt::format("record {}", i + 1), records[i].title());
    }
    print_record(study::describe(records[i]), time_known);
  }
  return kDone;
}

}  // namespace alembert::app
