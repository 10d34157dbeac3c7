#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/identify/output_error.hpp"

namespace alembert::identify {

/// ψ(z)/z of a loss for a residual of z standard deviations: the weight of its square.
[[nodiscard]] double loss_weight(Loss loss, double z);
/// dψ/dz.
[[nodiscard]] double loss_slope(Loss loss, double z);

/// The experiments with the weights of `experiment_weights` among those of the samples; samples of
/// weight 0 are missing.
[[nodiscard]] Experiments with_weights(const Experiments& data,
                                       const Eigen::VectorXd& experiment_weights);

/// Residuals times the weights of their samples.
[[nodiscard]] std::vector<Eigen::MatrixXd> weighted_residuals(
    const Experiments& data, std::vector<Eigen::MatrixXd> residuals);
/// Rms of each output of weighted_residuals().
[[nodiscard]] Eigen::VectorXd weighted_rms(const Experiments& data,
                                           const std::vector<Eigen::MatrixXd>& residuals);

/// Samples that lie further from the middle 98 % of their output in their experiment than three
/// times the width of these.
/// Their `residual` is the distance from the middle.
[[nodiscard]] std::vector<Outlier> gross_samples(const Experiments& data);

/// Of the gross samples those that a prediction from the others misses by most of their distance
/// from the middle, and by 20 standard deviations of the others.
[[nodiscard]] std::vector<Outlier> missed_samples(const Experiments& data,
                                                  const std::vector<Eigen::MatrixXd>& outputs,
                                                  const std::vector<Outlier>& gross);

/// What the last search of a result held against its model: the data with its weights and without
/// its outliers.
[[nodiscard]] Experiments fitted_data(const Experiments& data, const OutputErrorOptions& options,
                                      const OutputErrorResult& result);

/// The experiments with these samples missing.
[[nodiscard]] Experiments without(Experiments data, const std::vector<Outlier>& outliers);

/// Standard deviation of the residuals of each output by the median of their sizes, each times the
/// weight of its sample; never so small that rounding counts.
[[nodiscard]] Eigen::VectorXd residual_scales(const Experiments& data,
                                              const std::vector<Eigen::MatrixXd>& outputs);

/// The weights by which a loss becomes a sum of squares at these outputs, beside those of the data:
/// √(ψ(z)/z), z = residual/scale.
[[nodiscard]] std::vector<Eigen::MatrixXd> loss_weights(const Experiments& data,
                                                        const std::vector<Eigen::MatrixXd>& outputs,
                                                        const Eigen::VectorXd& scales, Loss loss);

/// Samples more than five scales off the outputs, the farthest first.
[[nodiscard]] std::vector<Outlier> far_samples(const Experiments& data,
                                               const std::vector<Eigen::MatrixXd>& outputs,
                                               const Eigen::VectorXd& scales);

/// Records to which least squares give the covariance of an estimate with a loss: each output with
/// the residual s ψ(z)/mean ψ'(z).
[[nodiscard]] Experiments pseudo_observations(const Experiments& data,
                                              const std::vector<Eigen::MatrixXd>& outputs,
                                              const Eigen::VectorXd& scales, Loss loss);

}  // namespace alembert::identify
