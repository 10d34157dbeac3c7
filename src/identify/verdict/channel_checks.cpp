#include "identify/verdict/channel_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "alembert/signal/fft.hpp"
#include "alembert/signal/spectrum.hpp"
#include "alembert/signal/statistics.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr Index kFewestForSpectrum = 64;

signal::ChannelStatistics statistics_of(const JoinedChannel& channel) {
  Index size = 0;
  for (const VectorXd& piece : channel.pieces) size += piece.size();
  VectorXd all(size);
  Index filled = 0;
  for (const VectorXd& piece : channel.pieces) {
    all.segment(filled, piece.size()) = piece;
    filled += piece.size();
  }
  return signal::statistics(all);
}

const VectorXd& longest_piece(const JoinedChannel& channel) {
  return *std::max_element(
      channel.pieces.begin(), channel.pieces.end(),
      [](const VectorXd& a, const VectorXd& b) { return a.size() < b.size(); });
}

// Density of the longest piece; no values if it is too short or has no whole segment.
signal::Spectrum density(const JoinedChannel& channel, double step) {
  const VectorXd& piece = longest_piece(channel);
  if (piece.size() < kFewestForSpectrum) return {};
  signal::Spectrum spectrum = signal::power_spectral_density(piece, step);
  if (spectrum.averaging.front().segments == 0 || !spectrum.values.allFinite()) return {};
  return spectrum;
}

// Samples in runs of at least three at the largest value.
Index samples_at_top(const VectorXd& values, double top) {
  Index total = 0;
  Index run = 0;
  for (Index k = 0; k <= values.size(); ++k) {
    if (k < values.size() && values(k) == top) {
      ++run;
      continue;
    }
    if (run >= 3) total += run;
    run = 0;
  }
  return total;
}

// Samples stuck at the largest value of `sign` times the channel. A coarse but whole signal also
// rests at its highest level, about twice as long as at the next one; a cut one far longer.
Index stuck_samples(const JoinedChannel& channel, double sign) {
  std::map<double, Index, std::greater<>> levels;
  for (const VectorXd& piece : channel.pieces) {
    for (const double value : piece) {
      if (!std::isnan(value)) ++levels[sign * value];
    }
  }
  if (levels.size() < 8) return 0;  // a switching signal
  Index stuck = 0;
  for (const VectorXd& piece : channel.pieces) {
    stuck += samples_at_top(sign * piece, levels.begin()->first);
  }
  return stuck >= 5 && stuck > 4 * std::next(levels.begin())->second ? stuck : 0;
}

}  // namespace

double rms(const JoinedChannel& channel) {
  const double value = statistics_of(channel).rms;
  return std::isnan(value) ? 0.0 : value;
}

double spread(const JoinedChannel& channel) {
  const double value = statistics_of(channel).standard_deviation;
  return std::isnan(value) ? 0.0 : value;
}

std::string dead_remark(const JoinedChannel& channel) {
  const signal::ChannelStatistics numbers = statistics_of(channel);
  if (numbers.count == 0) return "has no sample at all; leave it out or repair the file";
  if (numbers.largest != 0.0 || numbers.smallest != 0.0) return "";
  return channel.is_input ? "is zero throughout, so its force tells nothing; leave it out"
                          : "is zero throughout; check the cable, or leave it out";
}

std::string constant_remark(const JoinedChannel& channel) {
  const signal::ChannelStatistics numbers = statistics_of(channel);
  if (numbers.count < 2 || numbers.largest == 0.0) return "";
  // A spread at the rounding of the mean is no signal.
  if (numbers.standard_deviation > 1e-12 * std::abs(numbers.mean)) return "";
  return fmt::format("is constant at {:.6g}; {}", numbers.mean,
                     channel.is_input ? "a constant force does not excite, leave it out or vary it"
                                      : "check the sensor, or leave it out");
}

std::string offset_remark(const JoinedChannel& channel) {
  const signal::ChannelStatistics numbers = statistics_of(channel);
  if (channel.is_input || numbers.count < 2 || !(numbers.standard_deviation > 0.0)) return "";
  const double ratio = std::abs(numbers.mean) / numbers.standard_deviation;
  if (ratio < 10.0) return "";
  return fmt::format("has a mean of {:.4g}, {:.0f} times its spread; take the offset off first",
                     numbers.mean, ratio);
}

std::string clipping_remark(const JoinedChannel& channel) {
  const Index stuck = stuck_samples(channel, 1.0) + stuck_samples(channel, -1.0);
  if (channel.is_input || stuck == 0) return "";
  return fmt::format(
      "is clipped: {} samples stay at its largest or smallest value; widen the range, or mark "
      "them as missing",
      stuck);
}

std::string aliasing_remark(const JoinedChannel& channel, double step) {
  const signal::Spectrum spectrum = density(channel, step);
  const Index lines = spectrum.values.rows();
  if (lines < 20) return "";
  const Index top = std::max<Index>(2, lines / 20);
  const double end = spectrum.values.col(0).segment(lines - 1 - top, top).mean();
  const double peak = spectrum.values.col(0).maxCoeff();
  if (!(peak > 0.0) || end < peak / 30.0) return "";
  return fmt::format(
      "does not fall towards the Nyquist frequency {:.4g} Hz (density there {:.1f} % of its "
      "peak): {}; filter before sampling or sample faster",
      0.5 / step, 100.0 * end / peak,
      channel.is_input ? "a force that is held between samples (choose that hold), or aliasing"
                       : "aliasing, or noise alone");
}

std::string short_record_remark(const JoinedChannel& channel, double step) {
  const VectorXd& piece = longest_piece(channel);
  if (channel.is_input || piece.size() < kFewestForSpectrum || piece.hasNaN()) return "";
  const VectorXd centred = piece.array() - piece.mean();
  Index peak = 0;
  const double largest = signal::rfft(centred).cwiseAbs2().maxCoeff(&peak);
  if (!(largest > 0.0) || peak >= 3) return "";
  const double duration = static_cast<double>(piece.size()) * step;
  return fmt::format(
      "moves mostly below {:.3g} Hz, fewer than 3 periods in {:.4g} s; record longer, or take a "
      "drift off",
      3.0 / duration, duration);
}

bool same_samples(const JoinedChannel& a, const JoinedChannel& b) {
  const double size = std::max(rms(a), rms(b));
  if (size == 0.0) return false;
  for (std::size_t e = 0; e < a.pieces.size(); ++e) {
    for (Index k = 0; k < a.pieces[e].size(); ++k) {
      const double difference = std::abs(a.pieces[e](k) - b.pieces[e](k));
      if (difference > 1e-9 * size) return false;
    }
  }
  return true;
}

double growth(const JoinedChannel& channel) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const VectorXd& piece : channel.pieces) {
    const Index quarter = piece.size() / 4;
    if (quarter < 8) continue;
    const auto level = [&](Index q) {
      return signal::statistics(piece.segment(q * quarter, quarter)).rms;
    };
    smallest = std::min({smallest, level(3) / level(2), level(2) / level(1)});
  }
  return std::isfinite(smallest) ? smallest : 0.0;
}

Index active_lines(const JoinedChannel& channel) {
  Index count = 0;
  for (const VectorXd& piece : channel.pieces) {
    if (piece.size() < 8) continue;
    const VectorXd tapered = (piece.array() - piece.mean()) * signal::window(piece.size()).array();
    const VectorXd power = signal::rfft(tapered).cwiseAbs2();
    if (power.maxCoeff() > 0.0) count += (power.array() > 1e-4 * power.maxCoeff()).count();
  }
  return count;
}

}  // namespace alembert::identify
