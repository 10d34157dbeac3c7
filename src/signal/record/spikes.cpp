#include "alembert/signal/spikes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace alembert::signal {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr Index kFewestSamples = 16;
constexpr Index kSamplesPerSpike = 1000;
constexpr double kFarBeyond = 20.0;

Index most_spikes(Index samples) { return std::max<Index>(samples / kSamplesPerSpike, 1); }

// Whether the largest distance from the mean is so many times the others that there may be spikes.
// With K of N samples at D and the others below D/20 the mean square is D² (K/N + 1/400) at most.
bool may_have_spikes(const Eigen::Ref<const VectorXd>& values) {
  double sum = 0.0;
  Index count = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    sum += value;
    ++count;
  }
  if (count < kFewestSamples) return false;
  const double mean = sum / static_cast<double>(count);
  double squares = 0.0;
  double largest = 0.0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    const double square = (value - mean) * (value - mean);
    squares += square;
    largest = std::max(largest, square);
  }
  const double share = static_cast<double>(most_spikes(count)) / static_cast<double>(count);
  constexpr double kRounding = 2.0;  // the mean is off the median
  return kRounding * largest * (share + 1.0 / (kFarBeyond * kFarBeyond)) *
             static_cast<double>(count) >=
         squares;
}

double median_of(const Eigen::Ref<const VectorXd>& values, const std::vector<Index>& samples) {
  std::vector<double> finite;
  finite.reserve(samples.size());
  for (const Index k : samples) finite.push_back(values(k));
  const auto middle = finite.begin() + static_cast<std::ptrdiff_t>(finite.size() / 2);
  std::nth_element(finite.begin(), middle, finite.end());
  return *middle;
}

// Neighbours that differ are a pulse: something that lasts.
bool stand_alone(const Eigen::Ref<const VectorXd>& values, const std::vector<Index>& spikes) {
  for (std::size_t i = 1; i < spikes.size(); ++i) {
    if (spikes[i] == spikes[i - 1] + 1 && values(spikes[i]) != values(spikes[i - 1])) return false;
  }
  return true;
}

}  // namespace

std::vector<Index> find_spikes(const Eigen::Ref<const VectorXd>& values) {
  if (!may_have_spikes(values)) return {};
  std::vector<Index> samples;
  for (Index k = 0; k < values.size(); ++k) {
    if (std::isfinite(values(k))) samples.push_back(k);
  }
  const double median = median_of(values, samples);
  const auto distance = [&](Index k) { return std::abs(values(k) - median); };
  const Index most = most_spikes(static_cast<Index>(samples.size()));
  std::partial_sort(samples.begin(), samples.begin() + most + 1, samples.end(),
                    [&](Index a, Index b) { return distance(a) > distance(b); });
  std::size_t count = 0;
  for (std::size_t k = 1; k <= static_cast<std::size_t>(most); ++k) {
    const double next = distance(samples[k]);
    if (next > 0.0 && distance(samples[k - 1]) > kFarBeyond * next) count = k;
  }
  samples.resize(count);
  std::sort(samples.begin(), samples.end());
  return stand_alone(values, samples) ? samples : std::vector<Index>{};
}

std::string spike_words(const TimeAxis& time, const Eigen::Ref<const VectorXd>& values,
                        const std::vector<Index>& spikes) {
  if (spikes.empty()) return "";
  const std::string first =
      fmt::format("{:.6g} at {:.6g} s", values(spikes.front()), time[spikes.front()]);
  return spikes.size() == 1 ? first : fmt::format("{} and {} more", first, spikes.size() - 1);
}

}  // namespace alembert::signal
