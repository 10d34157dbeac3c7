#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/core/verdict.hpp"
#include "alembert/identify/experiment.hpp"

/// What residuals say of single experiments and of how these begin. Samples with weights count with
/// these: noise that they announce is no surprise.
namespace alembert::identify {

/// Experiments that fit worse than the others: their residuals are three times those of the
/// median experiment. Bad if their own fit is negative where others are good.
/// @param residuals one matrix for each experiment; NaN where a sample is missing.
void judge_experiments(const std::vector<std::string>& names, const Experiments& data,
                       const std::vector<Eigen::MatrixXd>& residuals, Evidence& evidence);

/// Experiments whose first samples, a fiftieth of all and at least ten, are missed by twice the
/// noise: they do not begin as the model assumes.
/// @param noise standard deviation of each output.
/// @param free_start the states at the first sample were fitted: the model is at fault there.
void judge_beginnings(const std::vector<Eigen::MatrixXd>& residuals, const Eigen::VectorXd& noise,
                      Evidence& evidence, bool free_start = false);

/// Outliers: residuals beyond five standard deviations, by the median of their sizes, that hold a
/// tenth of the residual power. They weigh on least squares, and no test of colour sees them.
/// Outputs that are followed to a ten-thousandth are left out: what remains there is no noise.
void judge_outliers(const std::vector<std::string>& names, const Experiments& data,
                    const std::vector<Eigen::MatrixXd>& residuals, Evidence& evidence,
                    const std::string& further_advice = "");

}  // namespace alembert::identify
