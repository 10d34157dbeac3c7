#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "alembert/signal/filter.hpp"
#include "alembert/signal/record.hpp"
#include "alembert/signal/spikes.hpp"

/// Records made ready for identification: even times, filters, another rate, a part of them.
namespace alembert::signal {

/// What is done, in the order of these fields; a record with gaps is cut to `from` and `to` first
/// of all.
struct ConditionOptions {
  /// What becomes of samples far beyond all others, by find_spikes().
  SpikeUse spikes = SpikeUse::Keep;
  /// Part of a step by which times may lie off an even grid and are taken for it; 0: times that
  /// are even within 1e-3 alone. At most 0.5.
  double jitter = 0.0;
  FilterOptions filter = {};  ///< without corners: none
  /// New step in s, by resample() with its defaults; none: as it is. Uneven times become even.
  std::optional<double> resample = {};
  /// Every so many samples stay, behind a low pass that keeps 0.9 of the new band; 1: all.
  Eigen::Index every = 1;
  double from = -std::numeric_limits<double>::infinity();  ///< s, on the axis of the record
  double to = std::numeric_limits<double>::infinity();     ///< s

  /// Whether there is anything to do.
  [[nodiscard]] bool any() const;
};

/// A record made ready.
struct Conditioned {
  Record record;
  std::vector<std::string> notes;  ///< what was taken for something else, in words
};

/// Makes a record ready.
/// @throws InvalidInput if an option is out of range; if the record needs even times for a step and
/// has none; if times lie farther off an even grid than jitter; if less than two samples are left.
[[nodiscard]] Conditioned condition(Record record, const ConditionOptions& options);

/// The largest distance of times from the even grid that fits them best, in parts of its step.
/// 0 for fewer than three samples and on a uniform axis.
[[nodiscard]] double largest_jitter(const TimeAxis& time);

}  // namespace alembert::signal
