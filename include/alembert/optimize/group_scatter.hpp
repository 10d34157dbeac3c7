#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/optimize/coloured_covariance.hpp"

/// Whether parts of the data (experiments, windows) disagree about the parameters by more than
/// their noise, and what deviations follow from the scatter between them. A model that misses
/// something misses it differently in each part: the residuals of one part do not show that, the
/// others do. docs/theory/deviations.md, section 11.
namespace alembert::optimize {

/// A part of the data whose noise does not reach into the others.
struct ScoreGroup {
  /// A_g = J_gᵀ J_g, p x p. What only this group has, such as start states, is eliminated.
  Eigen::MatrixXd information;
  Eigen::VectorXd score;  ///< s_g = J_gᵀ r_g at the estimate
  Eigen::MatrixXd noise;  ///< C_g = cov(J_gᵀ e_g) by the noise alone
};

/// Deviations by the scatter between groups.
struct GroupScatter {
  Eigen::Index groups = 0;
  Eigen::VectorXd deviations;  ///< of the delete-a-group jackknife, made linear at the estimate
  Eigen::VectorXd freedom;     ///< at most groups - 1; fewer where few groups tell a parameter
  Eigen::VectorXd ratio;       ///< F_j: square of the deviation over what the noise alone gives
  /// Probability that noise alone makes one of the ratios as large (p times the least of all).
  double probability = 1.0;
};

/// With A = Σ A_g + ΠᵀΠ and v_g = (A - A_g)⁻¹ s_g, by how far the estimate moves without group g,
///
///   deviation_j² = (B-1)/B Σ_g v_gj²
///
/// The ratio holds it against the deviation by the noise; it is of the F distribution if the noise
/// is all there is. A direction that one group alone tells takes no part.
/// @param groups B of them, at least two. @param deviations by the noise, p.
/// @param freedom of these deviations. @param prior Π, or empty.
/// @throws InvalidInput if there are fewer than two groups, sizes disagree, or A is singular.
[[nodiscard]] GroupScatter group_scatter(const std::vector<ScoreGroup>& groups,
                                         const Eigen::VectorXd& deviations,
                                         const Eigen::VectorXd& freedom,
                                         const Eigen::MatrixXd& prior = {});

/// Neighbouring samples of an experiment with start states of their own, or all of it.
struct DataPiece {
  int experiment = 0;
  Eigen::Index first = 0;
  Eigen::Index count = 0;
};

/// Joins pieces to at most `most` groups of neighbours that tell about equally much.
/// @param parameters p: the first columns of J. The others are start states of single pieces.
/// @param pieces in the order of time, experiment by experiment.
[[nodiscard]] std::vector<ScoreGroup> score_groups(const std::vector<ColouredBlock>& blocks,
                                                   Eigen::Index parameters,
                                                   const std::vector<DataPiece>& pieces,
                                                   const std::vector<NoiseSpectrum>& noise,
                                                   Eigen::Index most = 10);

/// One piece for each experiment.
[[nodiscard]] std::vector<DataPiece> whole_experiments(const std::vector<ColouredBlock>& blocks);

/// Compares the groups of at least four pieces. Where noise alone makes as large a scatter in less
/// than a quarter of all records, a parameter gets the deviation of the scatter with its degrees of
/// freedom, if its interval is the longer one; correlations stay.
/// @param parameters p, as for score_groups(); the others keep what they have. @param prior Π with
/// p columns, or empty.
/// @returns what was found; no groups if there are too few pieces.
GroupScatter allow_for_scatter(const std::vector<ColouredBlock>& blocks, Eigen::Index parameters,
                               const std::vector<DataPiece>& pieces, const Eigen::MatrixXd& prior,
                               ColouredCovariance& found);

}  // namespace alembert::optimize
