#pragma once

#include <vector>

#include "alembert/optimize/coloured_covariance.hpp"

namespace alembert::optimize {

/// @throws InvalidInput as coloured_covariance() documents.
void check_coloured_blocks(const std::vector<ColouredBlock>& blocks, const Eigen::MatrixXd& prior);
void check_coloured_options(const ColouredOptions& options);
void check_noise_shape(const std::vector<ColouredBlock>& blocks, const NoiseShape& shape);

/// Number of residuals that are not NaN.
[[nodiscard]] Eigen::Index present_samples(const Eigen::VectorXd& residual);

}  // namespace alembert::optimize
