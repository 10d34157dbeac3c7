#pragma once

// Columns that stand for a slip of the record, fitted to the residuals beside the parameters.

#include <Eigen/Core>
#include <vector>

#include "alembert/optimize/coloured_covariance.hpp"

namespace alembert::identify {

using ColouredBlocks = std::vector<optimize::ColouredBlock>;

/// From so many unknowns on, columns are not added: the cost is that of a covariance with them.
constexpr Eigen::Index kMostForAddedColumns = 40;

/// Whether there are few enough unknowns, and samples enough, to add so many columns.
[[nodiscard]] bool columns_can_be_added(const ColouredBlocks& blocks, int columns);

/// Takes what least squares explain of the residuals off them, by QR of columns with norm 1, and
/// returns the coefficients of the columns.
Eigen::VectorXd take_off_least_squares(ColouredBlocks& blocks);

/// v of all samples, block after block, less what the parameters explain of it: v - Q Qᵀ v, where
/// the columns of Q span those of J. Samples that are missing are zero in J and v.
class LeftByParameters {
 public:
  explicit LeftByParameters(const ColouredBlocks& blocks);

  [[nodiscard]] Eigen::VectorXd operator()(const Eigen::VectorXd& v) const;

 private:
  Eigen::VectorXd measured_;  // 1, or 0 for a sample that is missing
  Eigen::MatrixXd Q_;
};

/// Σ r² over the blocks of a channel (-1: all), without missing samples.
[[nodiscard]] double residual_power(const ColouredBlocks& blocks, int channel = -1);

/// ρ = Σ r_k r_{k-1}/Σ r_k² of each channel, 0 where it is below 0.2: there x_k - ρ x_{k-1} would
/// change a deviation by 4 % at most, 1 - ρ².
[[nodiscard]] Eigen::VectorXd lag_correlations(const ColouredBlocks& blocks, int channels);

/// Residuals and columns become x_k - ρ x_{k-1}: what is left of slow noise is nearly white then,
/// and least squares are nearly the best estimate (exactly so for noise e_k = ρ e_{k-1} + white).
void prewhiten(ColouredBlocks& blocks, const Eigen::VectorXd& rho);

}  // namespace alembert::identify
