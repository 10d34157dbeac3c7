#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/core/status.hpp"

/// Covariance of a least-squares estimate whose residuals are coloured.
///
///   cov θ̂ = G Jᵀ R J G,   G = (JᵀJ)⁻¹,   R = cov e
///
/// R is estimated where J lives: in bands of the cosine transform, as a sum of falling spectra,
/// with what the fit took from the residuals given back. The recipe is our own;
/// docs/theory/deviations.md derives it and says how well it covers.
namespace alembert::optimize {

/// One channel of one experiment, in even time steps.
struct ColouredBlock {
  Eigen::MatrixXd jacobian;  ///< J, N x p: derivatives of the residual or the output (sign is free)
  /// r at the estimate, N. A NaN marks a missing sample: it and its row of J count as not there.
  Eigen::VectorXd residual;
  int channel = 0;     ///< each channel has a noise spectrum of its own, common to all experiments
  int experiment = 0;  ///< noise of different experiments is independent
};

/// Noise of a known shape and unknown size in all blocks, besides the noise of each channel: the
/// response to noise on a force, say. Its peaks may be sharper than a spectrum of the residuals
/// shows them, and it is the same noise in all channels.
struct NoiseShape {
  /// Of each block: variance of bin k of the cosine transform at size 1, k = 0 .. N-1. Empty: none.
  std::vector<Eigen::VectorXd> spectra;
  /// Jᵀ R J at size 1, p x p; asked for where the residuals hold such noise.
  std::function<Eigen::MatrixXd()> scores;
};

/// How the noise is estimated and judged. The defaults are the recipe.
struct ColouredOptions {
  /// Look for peaks, which the falling spectra cannot follow. False: falling spectra alone.
  bool peaks = true;
  /// A peak is one whose height over the falling spectra exceeds this many of its deviations.
  double peak_threshold = 5.0;
  /// Highest order of the autoregressive spectrum that peaks may stand on, 0 to 100.
  int peak_order = 12;
  /// Add the covariance between channels of one experiment, from the coherence of the residuals.
  bool cross_terms = true;
  /// Take the mean of Σ S_b H_b over cosine and over sine bins. Cosine bins alone are wrong near
  /// the ends of the record by what the noise mirrored there adds, sine bins by as much the other
  /// way. Matters where noise is resonant and J is large at an end.
  bool sine_bins = false;
  /// Derivatives of prior residuals of variance 1 such as (θ - mean)/deviation, one row each with p
  /// columns: they are part of the fit, G = (JᵀJ + ΠᵀΠ)⁻¹. Empty without priors.
  Eigen::MatrixXd prior = {};
  /// Noise that is taken to be there if it explains the residuals better, by Whittle's cost and ln
  /// N for each parameter, than the falling spectra and an autoregressive one.
  NoiseShape shape = {};
  /// Singular values of J (columns of norm 1) below this part of the largest count as zero.
  double rank_tolerance = 1e-10;
  /// The moment fit stops when no S_b moves by more than this part, or after `iterations`.
  double tolerance = 1e-4;
  int iterations = 150;  ///< of the moment fit, at most
  /// ν_P = freedom_factor P + 2, P the number of bands that a deviation rests on. Higher: shorter
  /// intervals.
  double freedom_factor = 4.0;
  /// Slow noise counts where the residuals need it: where 2 ln of the likelihood ratio against
  /// noise without it is above this. 1.64 is exceeded in 1 of 10 records that have none: the ratio
  /// is χ² of one degree, or 0 with probability 1/2, because a variance is not negative.
  double slow_evidence = 1.64;
  /// Above this share of slow noise a deviation is a lower limit ...
  double lower_limit_share = 0.65;
  /// ... above this one it cannot be known, ...
  double unknown_share = 0.9;
  /// ... nor can that of a parameter with fewer degrees of freedom. 0: do not judge by them.
  double unknown_freedom = 4.0;
};

/// What the deviations are worth.
enum class Knowledge {
  Known,       ///< noise forgets itself well within the record
  LowerLimit,  ///< correlated over more than a tenth of the record: a deviation is a lower limit
  Unknown      ///< the record is too short to tell the deviations
};
constexpr auto enum_names(Knowledge) {
  return std::to_array<EnumName<Knowledge>>({{Knowledge::Known, "known"},
                                             {Knowledge::LowerLimit, "lower-limit"},
                                             {Knowledge::Unknown, "unknown"}});
}

/// Name used in results: "known", "lower-limit", "unknown".
[[nodiscard]] std::string_view to_string(Knowledge knowledge);

/// Spectrum of the noise of one channel, one value per band. White noise of variance σ² has
/// S = σ² everywhere.
struct NoiseSpectrum {
  int channel = 0;
  Eigen::VectorXd frequency;  ///< middle of the band in cycles per sample, 0 to 1/2
  Eigen::VectorXd residual;   ///< mean square of the residuals per bin; NaN in empty bands
  Eigen::VectorXd noise;      ///< S_b, the estimate for the noise
  Eigen::VectorXd bins;       ///< n_b
  double slow_share = 0.0;    ///< share of the variance with time constants from N/9 on
  /// 2 ln of the likelihood ratio against noise without these time constants.
  double slow_evidence = 0.0;
  double highest_peak = 0.0;  ///< largest z of the local ratio over the falling spectra
  bool peaks = false;         ///< S_b follows the local ratio
  int order = 0;              ///< of the autoregressive spectrum below it; 0: the falling spectra
};

/// Covariance and what is known about it.
struct ColouredCovariance : Outcome {
  Eigen::MatrixXd covariance;              ///< V, p x p
  Eigen::VectorXd deviations;              ///< √V_jj
  Eigen::VectorXd freedom;                 ///< ν_j: the interval is θ_j ± t(ν_j) deviation_j
  Eigen::VectorXd white;                   ///< deviations if the noise were white
  Eigen::VectorXd attainable;              ///< deviations that weights by this noise would give
  double samples = 0.0;                    ///< N, without missing ones
  double effective_samples = 0.0;          ///< N_eff = Σ_channels (Σ n S)²/Σ n S²
  double slow_share = 0.0;                 ///< the largest of all channels
  double shape_size = 0.0;                 ///< variance of the noise of known shape; 0: none
  std::vector<Knowledge> knowledge_of;     ///< of each parameter
  Knowledge knowledge = Knowledge::Known;  ///< the worst of them
  std::vector<NoiseSpectrum> spectra;      ///< by rising channel

  /// Half widths t((1 + level)/2, ν_j) deviation_j.
  /// @throws InvalidInput unless 0 < level < 1.
  [[nodiscard]] Eigen::VectorXd half_widths(double level = 0.95) const;
};

/// What must be said about the deviations, in words: empty if they are known.
[[nodiscard]] std::string doubt_of(const ColouredCovariance& found);

/// Covariance of the estimate that these residuals belong to. Every parameter that was fitted has
/// its column in J, start values of windows too: low bands look empty otherwise.
/// The status is NotIdentifiable if the columns of J depend on each other, and then the deviations
/// of the parameters in that direction are infinite and the others have theirs; or if a channel has
/// no residual but zero, and then there are no deviations.
/// @throws InvalidInput if there is no block, sizes disagree (also of a shape), two blocks are of
/// the same channel and experiment, J is not finite, a residual is infinite, samples are fewer than
/// p + 1, or an option is out of its range.
[[nodiscard]] ColouredCovariance coloured_covariance(const std::vector<ColouredBlock>& blocks,
                                                     const ColouredOptions& options = {});

}  // namespace alembert::optimize
