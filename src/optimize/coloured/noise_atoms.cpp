#include "optimize/coloured/noise_atoms.hpp"

#include <algorithm>
#include <cmath>

#include "core/algebra/blas.hpp"
#include "optimize/coloured/band_traces.hpp"

namespace alembert::optimize {

namespace {

using Eigen::ArrayXd;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Enough for the cost to settle to a hundredth.
constexpr int kPasses = 200;
// Bands, of one bin each, in which noise with the time constants N/9 and N/20 differs: half of
// their power lies below the bins 9/π and 20/π. What is above, a resonance say, must not speak for
// either.
constexpr Index kLowBands = 31;

VectorXd time_constants_below(double limit) {
  std::vector<double> values{0.0};
  for (double tau = 0.5; tau < limit; tau *= 2.0) values.push_back(tau);
  return VectorXd::Map(values.data(), static_cast<Index>(values.size()));
}

// Multiplies each c_i by the root of what its band powers ask for over what they have:
//   c_i ← c_i √( Σ_b u_b L_ib/S_b² / Σ_b n_b L_ib/S_b )
void improve_weights(const VectorXd& bins, const MatrixXd& L, const VectorXd& shape,
                     ChannelNoise& noise) {
  const ArrayXd inverse = noise.spectrum.array().inverse();
  const VectorXd wanted = L.transpose() * (noise.restored.array() * inverse.square()).matrix();
  const VectorXd present = L.transpose() * (bins.array() * inverse).matrix();
  noise.weights.array() *= (wanted.array() / present.array()).sqrt();
  noise.spectrum = L * noise.weights;
  if (noise.size > 0.0) noise.spectrum += noise.size * shape;
}

// The same for the size of the noise of known shape, over all channels.
void improve_size(const std::vector<BandSums>& sums, std::vector<ChannelNoise>& noise) {
  double wanted = 0.0;
  double present = 0.0;
  for (std::size_t c = 0; c < sums.size(); ++c) {
    const ArrayXd weighted = sums[c].shape.array() / noise[c].spectrum.array();
    wanted += (noise[c].restored.array() * weighted / noise[c].spectrum.array()).sum();
    present += (sums[c].bins.array() * weighted).sum();
  }
  const double size = noise.front().size * std::sqrt(wanted / present);
  for (std::size_t c = 0; c < sums.size(); ++c) {
    noise[c].spectrum += (size - noise[c].size) * sums[c].shape;
    noise[c].size = size;
  }
}

// All parts explain the same share of the power.
std::vector<ChannelNoise> equal_weights(const std::vector<BandSums>& sums, const MatrixXd& L,
                                        bool shaped) {
  std::vector<ChannelNoise> noise(sums.size());
  const double parts = static_cast<double>(L.cols()) + (shaped ? 1.0 : 0.0);
  double power = 0.0;
  double shape = 0.0;
  for (const BandSums& one : sums) {
    power += one.power.sum();
    shape += one.bins.dot(one.shape);
  }
  for (std::size_t c = 0; c < sums.size(); ++c) {
    const double level = sums[c].power.sum() / sums[c].bins.sum();
    noise[c].weights = VectorXd::Constant(L.cols(), level / parts);
    noise[c].spectrum = L * noise[c].weights;
    if (!shaped) continue;
    noise[c].size = power / shape / parts;
    noise[c].spectrum += noise[c].size * sums[c].shape;
  }
  return noise;
}

// What the fit explains of each band if the noise of a channel is one atom: tr(H_b M_ci) with
// M_ci = Σ_b' L_ib' H_b' of channel c. In the fit S is a sum of atoms, so that tr(H_b V) of all
// bands is one small product; each pass over the H_b themselves reads all of them from memory.
struct ExplainedByAtoms {
  std::vector<MatrixXd> of_atoms;  // of each channel: bands x atoms of all channels, then the shape
  std::vector<VectorXd> of_fixed;  // of each channel: tr(H_b fixed); empty without priors
};

// The same by the traces of all pairs of bands, tr(H_b M_ci) = Σ_b' tr(H_b H_b') L_ib'.
ExplainedByAtoms explained_by_traces(const std::vector<BandSums>& sums, const MatrixXd& L) {
  const Index count = L.cols();
  const Index of_all = count * static_cast<Index>(sums.size());
  ExplainedByAtoms result;
  for (const BandSums& sum : sums) {
    MatrixXd traces = MatrixXd::Zero(L.rows(), of_all + 1);
    for (std::size_t c = 0; c < sums.size(); ++c) {
      traces.middleCols(static_cast<Index>(c) * count, count) = product(sum.traces[c], L);
      traces.col(of_all) += sum.traces[c] * sums[c].shape;
    }
    result.of_atoms.push_back(std::move(traces));
    const VectorXd& fixed = sums.front().fixed;
    if (fixed.size() > 0) {
      result.of_fixed.push_back(traces_with(sum, from_packed(fixed, sum.rank)));
    }
  }
  return result;
}

ExplainedByAtoms explained_by_atoms(const std::vector<BandSums>& sums, const MatrixXd& L) {
  if (!sums.front().rows.empty()) return explained_by_traces(sums, L);
  const Index count = L.cols();
  const Index of_all = count * static_cast<Index>(sums.size());
  MatrixXd atoms = MatrixXd::Zero(sums.front().squares.rows(), of_all + 1);
  for (std::size_t c = 0; c < sums.size(); ++c) {
    atoms.middleCols(static_cast<Index>(c) * count, count) = product(sums[c].squares, L);
    atoms.col(of_all) += sums[c].squares * sums[c].shape;
  }
  ExplainedByAtoms result;
  for (const BandSums& sum : sums) {
    MatrixXd traces = MatrixXd::Zero(L.rows(), atoms.cols());
    add_transposed_product(sum.squares, atoms, traces);
    result.of_atoms.push_back(std::move(traces));
    const VectorXd& fixed = sums.front().fixed;
    if (fixed.size() > 0) result.of_fixed.emplace_back(sum.squares.transpose() * fixed);
  }
  return result;
}

// E q_b = n_b S_b - 2 S_b h_b + tr(H_b V), because r = (I - Q Qᵀ) e
void write_restored(const BandSums& sums, const VectorXd& explained, ChannelNoise& noise) {
  noise.restored =
      (sums.power + 2.0 * noise.spectrum.cwiseProduct(sums.taken) - explained).cwiseMax(0.0);
}

void restore_power_of_atoms(const std::vector<BandSums>& sums, const ExplainedByAtoms& explained,
                            std::vector<ChannelNoise>& noise) {
  const Index count = noise.front().weights.size();
  VectorXd weights(count * static_cast<Index>(noise.size()) + 1);
  weights(weights.size() - 1) = noise.front().size;
  for (std::size_t c = 0; c < noise.size(); ++c) {
    weights.segment(static_cast<Index>(c) * count, count) = noise[c].weights;
  }
  for (std::size_t c = 0; c < sums.size(); ++c) {
    VectorXd traces = explained.of_atoms[c] * weights;
    if (!explained.of_fixed.empty()) traces += explained.of_fixed[c];
    write_restored(sums[c], traces, noise[c]);
  }
}

// Whittle's cost of the best sum of these spectra.
double fitted_cost(const VectorXd& bins, const VectorXd& restored, const MatrixXd& L) {
  ChannelNoise noise;
  noise.restored = restored;
  const double level = restored.sum() / bins.sum() / L.mean();
  noise.weights = VectorXd::Constant(L.cols(), level / static_cast<double>(L.cols()));
  noise.spectrum = L * noise.weights;
  for (int pass = 0; pass < kPasses; ++pass) improve_weights(bins, L, {}, noise);
  return whittle_cost(bins, restored, noise.spectrum);
}

}  // namespace

NoiseAtoms noise_atoms(const CosineBands& bands) {
  NoiseAtoms atoms;
  atoms.time_constants = time_constants_below(static_cast<double>(bands.longest()) / 4.0);
  atoms.spectra = MatrixXd::Ones(bands.count(), atoms.time_constants.size());
  const ArrayXd cosine = bands.frequency().array().cos();
  for (Index i = 1; i < atoms.time_constants.size(); ++i) {
    const double a = std::exp(-1.0 / atoms.time_constants(i));
    // L_i = (1-a)²/(1 - 2a cos ω + a²)
    const ArrayXd L = (1.0 - a) * (1.0 - a) / (1.0 - 2.0 * a * cosine + a * a);
    atoms.spectra.col(i) = (L / L.mean()).matrix();
  }
  return atoms;
}

MatrixXd middle_matrix(const std::vector<BandSums>& sums, const std::vector<ChannelNoise>& noise) {
  const Index r = sums.front().rank;
  if (!sums.front().rows.empty()) {
    MatrixXd V = MatrixXd::Zero(r, r);
    for (std::size_t c = 0; c < sums.size(); ++c) {
      V += weighted_squares(sums[c], noise[c].spectrum);
      if (sums[c].fixed.size() > 0) V += from_packed(sums[c].fixed, r);
    }
    return V;
  }
  VectorXd V = VectorXd::Zero(sums.front().squares.rows());
  for (std::size_t c = 0; c < sums.size(); ++c) {
    V.noalias() += sums[c].squares * noise[c].spectrum;
    if (sums[c].fixed.size() > 0) V += sums[c].fixed;
  }
  return from_packed(V, r);
}

void restore_power(const std::vector<BandSums>& sums, std::vector<ChannelNoise>& noise) {
  if (!sums.front().rows.empty()) {
    const VectorXd& fixed = sums.front().fixed;
    for (std::size_t c = 0; c < sums.size(); ++c) {
      VectorXd explained = VectorXd::Zero(sums[c].bins.size());
      for (std::size_t d = 0; d < sums.size(); ++d) {
        explained += sums[c].traces[d] * noise[d].spectrum;
      }
      if (fixed.size() > 0) explained += traces_with(sums[c], from_packed(fixed, sums[c].rank));
      write_restored(sums[c], explained, noise[c]);
    }
    return;
  }
  const VectorXd V = to_packed(middle_matrix(sums, noise));
  for (std::size_t c = 0; c < sums.size(); ++c) {
    write_restored(sums[c], sums[c].squares.transpose() * V, noise[c]);
  }
}

std::vector<ChannelNoise> fit_noise(const std::vector<BandSums>& sums, const NoiseAtoms& atoms,
                                    const ColouredOptions& options, bool shaped) {
  std::vector<ChannelNoise> noise = equal_weights(sums, atoms.spectra, shaped);
  const ExplainedByAtoms explained = explained_by_atoms(sums, atoms.spectra);
  for (int iteration = 0; iteration < options.iterations; ++iteration) {
    restore_power_of_atoms(sums, explained, noise);
    std::vector<ArrayXd> before;
    for (const ChannelNoise& one : noise) before.emplace_back(one.spectrum.array());
    for (int pass = 0; pass < 4; ++pass) {
      for (std::size_t c = 0; c < sums.size(); ++c) {
        improve_weights(sums[c].bins, atoms.spectra, sums[c].shape, noise[c]);
      }
      if (shaped) improve_size(sums, noise);
    }
    double moved = 0.0;
    for (std::size_t c = 0; c < sums.size(); ++c) {
      moved = std::max(moved, (noise[c].spectrum.array() / before[c] - 1.0).abs().maxCoeff());
    }
    if (moved < options.tolerance) break;
  }
  restore_power_of_atoms(sums, explained, noise);
  return noise;
}

double whittle_cost(const VectorXd& bins, const VectorXd& restored, const VectorXd& spectrum) {
  return bins.dot(spectrum.array().log().matrix()) + restored.cwiseQuotient(spectrum).sum();
}

double slow_evidence(const BandSums& sums, const NoiseAtoms& atoms, const ChannelNoise& noise,
                     double limit, bool low_bands) {
  const Index count = sums.bins.size();
  const Index bands = low_bands ? std::min(kLowBands, count) : count;
  const VectorXd bins = sums.bins.head(bands);
  const VectorXd restored = noise.restored.head(bands);
  const Index quick = (atoms.time_constants.array() < limit).count();  // they rise
  const double with_slow = fitted_cost(bins, restored, atoms.spectra.topRows(bands));
  const double without = fitted_cost(bins, restored, atoms.spectra.topLeftCorner(bands, quick));
  return std::max(0.0, without - with_slow);
}

}  // namespace alembert::optimize
