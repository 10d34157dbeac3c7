#pragma once

#include <string>

#include "alembert/core/linear_algebra.hpp"
#include "alembert/document/result_tree.hpp"
#include "alembert/identify/verdict.hpp"
#include "alembert/study/measured_data.hpp"

/// What several tasks say alike of matrices, of data and of how well these are met.
namespace alembert::study {

/// Adds the definiteness of a matrix, its extreme eigenvalues and its condition.
void describe_definiteness(const Definiteness& found, document::ResultTree& matrix);

/// Adds fit, rms and whiteness of the residuals of one output.
void describe_residual(const identify::ResidualVerdict& verdict, document::ResultTree& output);

/// A list of the experiments: source, start, step and samples; with the file of the prediction
/// where that is `written`, named after `stem`.
[[nodiscard]] document::ResultTree described_experiments(const MeasuredData& data,
                                                         const std::string& stem, bool written);

}  // namespace alembert::study
