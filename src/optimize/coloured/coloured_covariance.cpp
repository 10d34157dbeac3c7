#include "alembert/optimize/coloured_covariance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/linear_algebra.hpp"
#include "alembert/core/not_a_number.hpp"
#include "alembert/optimize/detail/coloured_of_first.hpp"
#include "alembert/optimize/student.hpp"
#include "alembert/signal/cosine_transform.hpp"
#include "optimize/coloured/band_sums.hpp"
#include "optimize/coloured/check_blocks.hpp"
#include "optimize/coloured/cross_terms.hpp"
#include "optimize/coloured/freedom.hpp"
#include "optimize/coloured/noise_atoms.hpp"
#include "optimize/coloured/peaks.hpp"
#include "optimize/coloured/sine_bins.hpp"

namespace alembert::optimize {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// All that the steps share.
struct ColouredProblem {
  CosineBands bands;
  NoiseAtoms atoms;
  MatrixXd back;  // W
  std::vector<CosineBlock> blocks;
  std::vector<BandSums> sums = {};       // by rising channel
  std::vector<ChannelNoise> noise = {};  // likewise, also below
  std::vector<double> slow_shares = {};
  std::vector<double> slow_evidences = {};
  std::vector<double> peak_heights = {};
  std::vector<LocalRatio> local = {};
  std::vector<PeakBase> bases = {};
  // Jᵀ R J of the noise of known shape, for Q in place of J; empty if the residuals hold none.
  MatrixXd shape_scores = {};
};

VectorXd without_gaps(const VectorXd& residual) {
  return residual.array().isNaN().select(0.0, residual);
}

Index longest_block(const std::vector<ColouredBlock>& blocks) {
  Index longest = 0;
  for (const ColouredBlock& block : blocks) longest = std::max(longest, block.residual.size());
  return longest;
}

std::vector<CosineBlock> transformed(const std::vector<ColouredBlock>& blocks,
                                     const std::vector<MatrixXd>& columns, const NoiseShape& shape,
                                     const CosineBands& bands) {
  std::vector<CosineBlock> result;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const VectorXd& residual = blocks[i].residual;
    result.push_back({.columns = signal::cosine_transform(columns[i]),
                      .residual = signal::cosine_transform(without_gaps(residual)),
                      .bands = bands.of_bins(residual.size()),
                      .sine_columns = {},
                      .sine_bands = {},
                      .shape = shape.spectra.empty() ? VectorXd() : shape.spectra[i],
                      .present = static_cast<double>(present_samples(residual)) /
                                 static_cast<double>(residual.size()),
                      .channel = blocks[i].channel,
                      .experiment = blocks[i].experiment});
  }
  return result;
}

ColouredProblem prepared(const std::vector<ColouredBlock>& blocks,
                         const OrthonormalColumns& columns, const NoiseShape& shape) {
  const CosineBands bands(longest_block(blocks));
  ColouredProblem problem{.bands = bands,
                          .atoms = noise_atoms(bands),
                          .back = columns.back,
                          .blocks = transformed(blocks, columns.blocks, shape, bands)};
  std::set<int> channels;
  for (const ColouredBlock& block : blocks) channels.insert(block.channel);
  problem.sums = band_sums(problem.blocks, channels, bands, columns.back);
  if (columns.prior.rows() > 0) {
    // A prior is a residual of variance 1.
    problem.sums.front().fixed = to_packed(columns.prior.transpose() * columns.prior);
  }
  return problem;
}

// Time constants that the record is too short for, samples.
double slow_limit(const CosineBands& bands) { return static_cast<double>(bands.longest()) / 9.0; }

// Share of c_i with τ_i >= N/9.
double slow_share(const ChannelNoise& noise, const NoiseAtoms& atoms, double limit) {
  const VectorXd slow = (atoms.time_constants.array() >= limit).select(noise.weights, 0.0);
  return slow.sum() / noise.weights.sum();
}

std::vector<VectorXd> records_of(const std::vector<ColouredBlock>& blocks, int channel) {
  std::vector<VectorXd> records;
  for (const ColouredBlock& block : blocks) {
    if (block.channel == channel) records.push_back(without_gaps(block.residual));
  }
  return records;
}

// The noise with its part of known shape, if that explains the residuals better than atoms alone
// and than autoregressive noise: Whittle's cost, ln N for the size and for each coefficient of the
// latter.
void try_shape(const std::vector<ColouredBlock>& blocks, const ColouredOptions& options,
               ColouredProblem& problem) {
  const std::vector<ChannelNoise> shaped = fit_noise(problem.sums, problem.atoms, options, true);
  double over_atoms = -std::log(problem.sums.front().bins.sum());
  double over_regression = over_atoms;
  for (std::size_t c = 0; c < problem.sums.size(); ++c) {
    const BandSums& sums = problem.sums[c];
    const double cost = whittle_cost(sums.bins, shaped[c].restored, shaped[c].spectrum);
    over_atoms += whittle_cost(sums.bins, shaped[c].restored, problem.noise[c].spectrum) - cost;
    over_regression += regression_base(records_of(blocks, sums.channel), problem.bands, sums,
                                       shaped[c], options.peak_order)
                           .cost -
                       cost;
  }
  if (!(over_atoms > 0.0 && over_regression > 0.0)) return;
  problem.noise = shaped;
  problem.shape_scores =
      shaped.front().size * (problem.back.transpose() * options.shape.scores() * problem.back);
}

// S_b without the noise of known shape, which enters by its scores.
std::vector<ChannelNoise> without_shape(const ColouredProblem& problem) {
  std::vector<ChannelNoise> noise = problem.noise;
  if (problem.shape_scores.size() == 0) return noise;
  for (std::size_t c = 0; c < noise.size(); ++c) {
    const VectorXd atoms = problem.atoms.spectra * noise[c].weights;
    const VectorXd both = atoms + noise[c].size * problem.sums[c].shape;
    // Peaks above both belong to both.
    noise[c].spectrum = noise[c].spectrum.cwiseProduct(atoms).cwiseQuotient(both);
  }
  return noise;
}

void fit_peaks(const std::vector<ColouredBlock>& blocks, const ColouredOptions& options,
               ColouredProblem& problem) {
  for (std::size_t c = 0; c < problem.sums.size(); ++c) {
    const BandSums& sums = problem.sums[c];
    problem.local.push_back(local_ratio(problem.bands, sums.bins));
    const double height = highest_peak(problem.local[c], sums.bins, problem.noise[c]);
    problem.peak_heights.push_back(height);
    problem.bases.emplace_back();
    if (!options.peaks || height <= options.peak_threshold) continue;
    if (problem.shape_scores.size() > 0) {
      problem.bases[c] = {.used = true, .spectrum = problem.noise[c].spectrum};
      continue;
    }
    problem.bases[c] = peak_base(records_of(blocks, sums.channel), problem.bands, sums,
                                 problem.noise[c], options.peak_order);
  }
  const auto used = [](const PeakBase& base) { return base.used; };
  if (std::any_of(problem.bases.begin(), problem.bases.end(), used)) {
    follow_peaks(problem.sums, problem.local, problem.bases, problem.noise);
  }
}

// 1/ν_j = Σ_c (V_c/V)²/ν_cj: Satterthwaite's rule, V_c the part of V_jj from channel c.
VectorXd joint_freedom(const ColouredProblem& problem, const MatrixXd& weighted, double factor) {
  VectorXd total = VectorXd::Zero(problem.back.rows());
  VectorXd squares = total;
  const VectorXd& fixed = problem.sums.front().fixed;
  if (fixed.size() > 0) {
    // What a prior adds is known.
    const MatrixXd half = problem.back * from_packed(fixed, problem.back.cols());
    total = half.cwiseProduct(problem.back).rowwise().sum();
  }
  if (problem.shape_scores.size() > 0) {
    // So is the shape, but for its size, which rests on all bands.
    const MatrixXd half = problem.back * problem.shape_scores;
    total += half.cwiseProduct(problem.back).rowwise().sum();
  }
  const std::vector<ChannelNoise> without = without_shape(problem);
  for (std::size_t c = 0; c < problem.sums.size(); ++c) {
    const BandSums& sums = problem.sums[c];
    const ChannelNoise& noise = without[c];
    const VectorXd part = sums.sensitivity.transpose() * noise.spectrum;
    const VectorXd freedom = problem.bases[c].used
                                 ? freedom_of_peaks(sums, noise, problem.bases[c], problem.local[c])
                                 : freedom_of_atoms(sums, noise, problem.atoms, weighted, factor);
    total += part;
    // A channel that does not see a parameter has no freedom for it, 0/0.
    squares += (part.array() > 0.0).select(part.cwiseAbs2().cwiseQuotient(freedom), 0.0).matrix();
  }
  return total.cwiseAbs2().cwiseQuotient(squares);
}

VectorXd roots_of_diagonal(const MatrixXd& back, const MatrixXd& middle) {
  const MatrixXd product = back * middle;
  return product.cwiseProduct(back).rowwise().sum().cwiseMax(0.0).cwiseSqrt();
}

void write_covariance(const ColouredProblem& problem, const ColouredOptions& options,
                      ColouredCovariance& result) {
  const bool shaped = problem.shape_scores.size() > 0;
  const std::vector<ChannelNoise> noise = without_shape(problem);
  MatrixXd middle = middle_matrix(problem.sums, noise);
  if (options.sine_bins) {
    middle = 0.5 * (middle + sine_middle(problem.blocks, problem.sums, noise));
  }
  if (shaped) {
    // The scores hold what channels have in common.
    middle += problem.shape_scores;
  } else if (options.cross_terms) {
    middle += cross_terms(problem.blocks, problem.bands, problem.sums, problem.noise);
  }
  const MatrixXd weighted = weighted_covariance(problem.sums, problem.noise);
  // cov θ̂ = G Jᵀ R J G = W (Qᵀ R Q) Wᵀ
  result.covariance = symmetrised(problem.back * middle * problem.back.transpose());
  result.deviations = roots_of_diagonal(problem.back, middle);
  result.attainable = roots_of_diagonal(problem.back, weighted);
  result.freedom = joint_freedom(problem, weighted, options.freedom_factor);
  result.shape_size = shaped ? problem.noise.front().size : 0.0;
}

void write_sizes(const ColouredProblem& problem, ColouredCovariance& result) {
  double squares = 0.0;
  for (std::size_t c = 0; c < problem.sums.size(); ++c) {
    const VectorXd& n = problem.sums[c].bins;
    const VectorXd& S = problem.noise[c].spectrum;
    squares += problem.sums[c].power.sum();
    result.samples += n.sum();
    // N_eff = (Σ n S)²/Σ n S²
    result.effective_samples += std::pow(n.dot(S), 2) / n.dot(S.cwiseAbs2());
  }
  const double left = result.samples - static_cast<double>(problem.back.cols());
  result.white = std::sqrt(squares / left) * problem.back.rowwise().norm();
}

void write_spectra(const ColouredProblem& problem, ColouredCovariance& result) {
  for (std::size_t c = 0; c < problem.sums.size(); ++c) {
    const BandSums& sums = problem.sums[c];
    result.spectra.push_back({.channel = sums.channel,
                              .frequency = problem.bands.frequency() / (2.0 * std::numbers::pi),
                              .residual = sums.power.cwiseQuotient(sums.bins),
                              .noise = problem.noise[c].spectrum,
                              .bins = sums.bins,
                              .slow_share = problem.slow_shares[c],
                              .slow_evidence = problem.slow_evidences[c],
                              .highest_peak = problem.peak_heights[c],
                              .peaks = problem.bases[c].used,
                              .order = problem.bases[c].order});
    result.slow_share = std::max(result.slow_share, problem.slow_shares[c]);
  }
}

// The largest share of slow noise among the channels whose residuals need it.
double needed_slow_share(const ColouredCovariance& result, const ColouredOptions& options) {
  double share = 0.0;
  for (const NoiseSpectrum& one : result.spectra) {
    if (one.slow_evidence > options.slow_evidence) share = std::max(share, one.slow_share);
  }
  return share;
}

Knowledge judged(double share, double freedom, const ColouredOptions& options) {
  if (share > options.unknown_share || freedom < options.unknown_freedom) return Knowledge::Unknown;
  return share > options.lower_limit_share ? Knowledge::LowerLimit : Knowledge::Known;
}

void write_knowledge(const ColouredOptions& options, ColouredCovariance& result) {
  const double share = needed_slow_share(result, options);
  for (const double freedom : result.freedom) {
    result.knowledge_of.push_back(judged(share, freedom, options));
    result.knowledge = std::max(result.knowledge, result.knowledge_of.back());
  }
}

// Parameters that J does not see have no deviation; the others keep theirs.
void write_unseen(const std::vector<bool>& unseen, ColouredCovariance& result) {
  for (std::size_t k = 0; k < unseen.size(); ++k) {
    if (!unseen[k]) continue;
    const auto j = static_cast<Index>(k);
    result.covariance.row(j).setConstant(kNaN);
    result.covariance.col(j).setConstant(kNaN);
    result.deviations(j) = result.white(j) = result.attainable(j) = kInfinite;
    result.freedom(j) = 1.0;
    result.knowledge_of[k] = Knowledge::Unknown;
    result.status = Status::NotIdentifiable;
    result.message =
        "columns of the jacobian depend on each other: parameters in the direction that they do "
        "not see have no deviation; fix or tie one";
  }
  for (std::size_t k = 0; k < unseen.size(); ++k) {
    const auto j = static_cast<Index>(k);
    if (unseen[k]) result.covariance(j, j) = kInfinite;
  }
}

// Why there is nothing to compute; empty if there is.
std::string obstacle(const std::vector<ColouredBlock>& blocks, Index rank) {
  if (rank == 0) return "the jacobian is zero: no parameter moves the output";
  for (const ColouredBlock& block : blocks) {
    double squares = 0.0;
    for (const VectorXd& record : records_of(blocks, block.channel)) {
      squares += record.squaredNorm();
    }
    if (squares > 0.0) continue;
    return fmt::format("channel {} has no residual but zero: its noise cannot be told",
                       block.channel);
  }
  return {};
}

// Of the first columns; the others were fitted as well.
ColouredCovariance covariance_of(const std::vector<ColouredBlock>& blocks, Index asked,
                                 const ColouredOptions& options) {
  ColouredCovariance result;
  const OrthonormalColumns columns =
      orthonormal_columns(blocks, options.prior, options.rank_tolerance, asked);
  result.message = obstacle(blocks, columns.back.cols());
  if (!result.message.empty()) {
    result.status = Status::NotIdentifiable;
    return result;
  }
  ColouredProblem problem = prepared(blocks, columns, options.shape);
  if (options.sine_bins) add_sine_bins(columns.blocks, problem.blocks);
  problem.noise = fit_noise(problem.sums, problem.atoms, options);
  if (!options.shape.spectra.empty()) try_shape(blocks, options, problem);
  const double limit = slow_limit(problem.bands);
  for (std::size_t c = 0; c < problem.sums.size(); ++c) {
    const ChannelNoise& noise = problem.noise[c];
    problem.slow_shares.push_back(slow_share(noise, problem.atoms, limit));
  }
  fit_peaks(blocks, options, problem);
  for (std::size_t c = 0; c < problem.sums.size(); ++c) {
    problem.slow_evidences.push_back(slow_evidence(problem.sums[c], problem.atoms, problem.noise[c],
                                                   limit, problem.bases[c].used));
  }
  write_covariance(problem, options, result);
  write_sizes(problem, result);
  write_spectra(problem, result);
  write_knowledge(options, result);
  write_unseen(columns.unseen, result);
  return result;
}

}  // namespace

std::string_view to_string(Knowledge knowledge) { return name_of(knowledge); }

std::string doubt_of(const ColouredCovariance& found) {
  switch (found.knowledge) {
    case Knowledge::Known:
      break;
    case Knowledge::LowerLimit:
      return "the residuals are correlated over more than a tenth of the record: the standard "
             "deviations are a lower limit";
    case Knowledge::Unknown:
      return "the residuals are correlated over most of the record: the standard deviations cannot "
             "be known from it";
  }
  return {};
}

VectorXd ColouredCovariance::half_widths(double level) const {
  if (!(level > 0.0 && level < 1.0)) {
    throw InvalidInput({.function = "half_widths",
                        .argument = "level",
                        .rule = "must be in (0, 1)",
                        .value = fmt::format("{}", level)});
  }
  VectorXd result(deviations.size());
  for (Index j = 0; j < result.size(); ++j) {
    result(j) = student_quantile(0.5 * (1.0 + level), freedom(j)) * deviations(j);
  }
  return result;
}

ColouredCovariance coloured_covariance(const std::vector<ColouredBlock>& blocks,
                                       const ColouredOptions& options) {
  check_coloured_blocks(blocks, options.prior);
  check_coloured_options(options);
  check_noise_shape(blocks, options.shape);
  return covariance_of(blocks, blocks.front().jacobian.cols(), options);
}

ColouredCovariance coloured_of_first(const std::vector<ColouredBlock>& blocks, Index asked,
                                     const ColouredOptions& options) {
  constexpr auto kFunction = "coloured_of_first";
  check_coloured_blocks(blocks, options.prior);
  check_coloured_options(options);
  check::in_range(kFunction, "asked", static_cast<double>(asked), 1.0,
                  static_cast<double>(blocks.front().jacobian.cols()));
  check::size(kFunction, "shape.spectra", static_cast<long long>(options.shape.spectra.size()), 0);
  return covariance_of(blocks, asked, options);
}

}  // namespace alembert::optimize
