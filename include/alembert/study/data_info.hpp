#pragma once

#include <optional>
#include <string>
#include <vector>

#include "alembert/signal/record.hpp"
#include "alembert/signal/statistics.hpp"

/// What is in a data file, at a glance.
namespace alembert::study {

/// A line that stands out of a spectrum.
struct SpectralPeak {
  double frequency_hz = 0.0;
  double amplitude = 0.0;  ///< of a sine at that frequency, in the channel's unit
};

/// One channel in figures.
struct ChannelInfo {
  signal::Channel channel;
  signal::ChannelStatistics figures;
  std::vector<SpectralPeak> peaks;  ///< at most three, highest first
  std::vector<double> bands_db;     ///< mean power in equal bands from 0 to half the rate, dB
                                    ///< below the highest; empty without a spectrum
  std::string spikes;               ///< samples far beyond all others, in words; "" without any
};

/// One record in figures.
struct RecordInfo {
  std::string title;
  Eigen::Index samples = 0;
  double begin = 0.0;          ///< s
  double end = 0.0;            ///< s, time of the last sample
  std::optional<double> step;  ///< s; none if times are uneven
  double median_step = 0.0;    ///< s
  std::vector<signal::Gap> gaps;
  std::vector<ChannelInfo> channels;
};

/// Describes a record. Spectra need an even step and 16 samples or more.
[[nodiscard]] RecordInfo describe(const signal::Record& record, int bands = 24);

}  // namespace alembert::study
