#include "alembert/identify/band.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "alembert/core/error.hpp"
#include "alembert/signal/spectrum.hpp"
#include "alembert/signal/statistics.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kAboveNoise = 4.0;    // a response line stands this much above the floor
constexpr double kLowestFloor = 1e-7;  // of the peak: records without noise have a band too
constexpr Index kFewestSamples = 64;

// Density of the outputs by their spread, mean over outputs and experiments.
signal::Spectrum mean_density(const Experiments& data, Index segment) {
  signal::Spectrum mean;
  double count = 0.0;
  for (const Experiment& experiment : data) {
    signal::Spectrum spectrum = signal::power_spectral_density(experiment.output, experiment.step,
                                                               {.segment_samples = segment});
    if (mean.values.size() == 0) {
      mean.frequencies_hz = spectrum.frequencies_hz;
      mean.values = Eigen::MatrixXd::Zero(spectrum.values.rows(), 1);
    }
    for (Index c = 0; c < spectrum.values.cols(); ++c) {
      const double spread = signal::statistics(experiment.output.col(c)).standard_deviation;
      if (!spectrum.values.col(c).allFinite() || !(spread > 0.0)) continue;
      mean.values += spectrum.values.col(c) / (spread * spread);
      count += 1.0;
    }
  }
  mean.values /= std::max(1.0, count);
  return mean;
}

double median(VectorXd values) {
  const Index middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + middle, values.end());
  return values(middle);
}

}  // namespace

Band band_of(const Experiments& data) {
  check_experiments("band_of", data);
  Index samples = std::numeric_limits<Index>::max();
  for (const Experiment& experiment : data) samples = std::min(samples, experiment.samples());
  if (samples < kFewestSamples) {
    throw InvalidInput({.function = "band_of",
                        .item = "every experiment",
                        .rule = "must have at least 64 samples",
                        .value = std::to_string(samples)});
  }
  const int power = static_cast<int>(std::floor(std::log2(static_cast<double>(samples) / 4.0)));
  const signal::Spectrum spectrum = mean_density(data, Index{1} << power);
  const VectorXd density = spectrum.values.col(0);
  const Index lines = density.size();
  const double floor = std::max(median(density.tail(lines / 2)), kLowestFloor * density.maxCoeff());
  // The last of three neighbouring lines that stand above the floor.
  Index last = 3;
  for (Index k = 3; k < lines; ++k) {
    if (density.segment(k - 2, 3).minCoeff() > kAboveNoise * floor) last = k;
  }
  Band band;
  band.highest = 2.0 * std::numbers::pi * spectrum.frequencies_hz(last);
  band.decimation =
      std::max<Index>(1, static_cast<Index>(std::floor(1.0 / (band.highest * data.front().step))));
  return band;
}

}  // namespace alembert::identify
