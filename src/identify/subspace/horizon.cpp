#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/signal/spectrum.hpp"
#include "identify/subspace/steps.hpp"

namespace alembert::identify::realisation {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

constexpr double kPeriods = 1.25;
constexpr double kPowerShare = 0.99;
constexpr double kColumnsPerRow = 2.5;
constexpr Index kMostRows = 1600;
constexpr Index kMostSamples = 65536;  // that the spectrum looks at
constexpr Index kFewestBlocks = 10;

// Frequency in Hz below which a spectrum has its power, noise floor taken off; 0 if it has none.
double upper_frequency(const VectorXd& frequencies, const VectorXd& density) {
  std::vector<double> high(density.begin() + density.size() / 2, density.end());
  std::nth_element(high.begin(), high.begin() + static_cast<long>(high.size() / 2), high.end());
  const VectorXd power = (density.array() - high[high.size() / 2]).cwiseMax(0.0);
  const double whole = power.sum();
  double sum = 0.0;
  for (Index i = 0; i < power.size(); ++i) {
    sum += power(i);
    if (whole > 0.0 && sum >= kPowerShare * whole) return frequencies(i);
  }
  return 0.0;
}

// The largest horizon with `columns_per_row` times as many Hankel columns as rows.
Index longest_horizon(const std::vector<Sequence>& parts, Index channels, double columns_per_row) {
  Index horizon = 0;
  while (true) {
    const auto rows = static_cast<double>(2 * (horizon + 1) * channels);
    if (static_cast<double>(hankel_columns(parts, horizon + 1)) < columns_per_row * rows) break;
    ++horizon;
  }
  return horizon;
}

}  // namespace

double fastest_frequency(const Experiments& data) {
  const auto longest = std::max_element(
      data.begin(), data.end(),
      [](const Experiment& a, const Experiment& b) { return a.samples() < b.samples(); });
  const Index samples = std::min(longest->samples(), kMostSamples);
  if (samples < 32) return 0.0;
  const signal::Spectrum spectrum =
      signal::power_spectral_density(longest->output.topRows(samples), longest->step);
  double fastest = 0.0;
  for (Index c = 0; c < spectrum.values.cols(); ++c) {
    fastest = std::max(fastest, upper_frequency(spectrum.frequencies_hz, spectrum.values.col(c)));
  }
  return fastest;
}

Index suitable_horizon(const Experiments& data, const std::vector<Sequence>& parts,
                       const SubspaceOptions& options, Index least_order) {
  const Index outputs = data.front().output.cols();
  const Index channels = data.front().input.cols() + outputs;
  // Γ without its last block must have the rank of the order.
  const Index needed = std::max<Index>(2, (least_order + outputs - 1) / outputs + 1);
  const Index possible = longest_horizon(parts, channels, 1.0);
  if (possible < needed) {
    throw InvalidInput(
        {.function = "subspace",
         .rule = fmt::format("the records are too short: {} block rows of past and of future are "
                             "needed for order {}, {} channels and {} samples allow {}",
                             needed, least_order, channels, measured_samples(data) / outputs,
                             possible)});
  }
  const double frequency = fastest_frequency(data);
  const double step = data.front().step * static_cast<double>(options.stride);
  const double periods = frequency > 0.0 ? kPeriods / (frequency * step) : 0.0;
  const Index wished =
      std::max({2 * needed, kFewestBlocks, static_cast<Index>(std::ceil(std::min(periods, 1e6)))});
  const Index affordable = std::min(longest_horizon(parts, channels, kColumnsPerRow),
                                    std::max<Index>(1, kMostRows / (2 * channels)));
  return std::clamp(std::min(wished, affordable), needed, possible);
}

}  // namespace alembert::identify::realisation
