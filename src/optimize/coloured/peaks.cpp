#include "optimize/coloured/peaks.hpp"

#include <algorithm>
#include <cmath>

#include "optimize/coloured/burg.hpp"

namespace alembert::optimize {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

// A channel that is only in short experiments leaves bands empty; J is zero there, so any finite
// number will do for the noise.
constexpr double kFewestBins = 1e-12;

}  // namespace

LocalRatio local_ratio(const CosineBands& bands, const VectorXd& bins) {
  LocalRatio local{.kernel = bands.triangle(8.0, 0.04), .bins = {}};
  local.bins = (local.kernel * bins).cwiseMax(kFewestBins);
  return local;
}

double highest_peak(const LocalRatio& local, const VectorXd& bins, const ChannelNoise& noise) {
  const VectorXd sum = local.kernel * noise.restored.cwiseQuotient(noise.spectrum);
  const VectorXd variance = (2.0 * local.kernel.cwiseAbs2() * bins).cwiseMax(kFewestBins);
  // z = (m - 1)/√(var m) with both multiplied by K n
  return ((sum - local.bins).array() / variance.array().sqrt()).maxCoeff();
}

RegressionBase regression_base(const std::vector<VectorXd>& records, const CosineBands& bands,
                               const BandSums& sums, const ChannelNoise& noise, int max_order) {
  const double samples = sums.bins.sum();
  const Index order = std::min(Index{max_order}, bands.longest() / 4);
  const AutoregressiveNoise regression = burg(records, samples, order);
  const VectorXd spectrum = regression.spectrum(bands.frequency());
  return {.spectrum = spectrum,
          .order = static_cast<int>(regression.order()),
          .cost = whittle_cost(sums.bins, noise.restored, spectrum) +
                  static_cast<double>(regression.order()) * std::log(samples)};
}

PeakBase peak_base(const std::vector<VectorXd>& records, const CosineBands& bands,
                   const BandSums& sums, const ChannelNoise& noise, int max_order) {
  const RegressionBase regression = regression_base(records, bands, sums, noise, max_order);
  // The atoms count as three parameters: few of them are ever above zero.
  const double atoms_cost =
      whittle_cost(sums.bins, noise.restored, noise.spectrum) + 3.0 * std::log(sums.bins.sum());
  if (regression.cost < atoms_cost) {
    return {.used = true, .spectrum = regression.spectrum, .order = regression.order};
  }
  return {.used = true, .spectrum = noise.spectrum, .order = 0};
}

void follow_peaks(const std::vector<BandSums>& sums, const std::vector<LocalRatio>& local,
                  const std::vector<PeakBase>& bases, std::vector<ChannelNoise>& noise) {
  for (std::size_t c = 0; c < noise.size(); ++c) {
    if (bases[c].used) noise[c].spectrum = bases[c].spectrum;
  }
  for (int pass = 0; pass < 6; ++pass) {
    restore_power(sums, noise);
    for (std::size_t c = 0; c < noise.size(); ++c) {
      if (!bases[c].used) continue;
      // m = (K u/base)/(K n)
      const VectorXd sum = local[c].kernel * noise[c].restored.cwiseQuotient(bases[c].spectrum);
      const VectorXd ratio = sum.cwiseQuotient(local[c].bins).cwiseMax(0.1);
      noise[c].spectrum = bases[c].spectrum.cwiseProduct(ratio);
    }
  }
}

}  // namespace alembert::optimize
