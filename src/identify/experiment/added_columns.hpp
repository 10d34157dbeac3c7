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

/// The least-squares coefficients of all columns, by QR of columns with norm 1.
[[nodiscard]] Eigen::VectorXd least_squares_of(const ColouredBlocks& blocks);

/// The blocks with what these coefficients leave for residuals.
[[nodiscard]] ColouredBlocks left_by(const ColouredBlocks& blocks, const Eigen::VectorXd& found);

/// Σ r² over the blocks of a channel (-1: all), without missing samples.
[[nodiscard]] double residual_power(const ColouredBlocks& blocks, int channel = -1);

/// ρ = Σ r_k r_{k-1}/Σ r_k² of each channel, 0 where it is below 0.2: there x_k - ρ x_{k-1} would
/// change a deviation by 4 % at most, 1 - ρ².
[[nodiscard]] Eigen::VectorXd lag_correlations(const ColouredBlocks& blocks, int channels);

/// x_k - ρ x_{k-1} of residuals and columns: what is left of slow noise is nearly white then, and
/// least squares are nearly the best estimate (exactly so for noise e_k = ρ e_{k-1} + white).
[[nodiscard]] ColouredBlocks prewhitened(const ColouredBlocks& blocks, const Eigen::VectorXd& rho);

}  // namespace alembert::identify
