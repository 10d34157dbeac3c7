#pragma once

#include <string>
#include <vector>

#include "alembert/study/output_error.hpp"
#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// Measured over simulated signals and their difference, for each output of the first experiment.
/// `stem` begins the ids.
std::vector<Plot> simulation_plots(const study::OutputErrorStudy& study,
                                   const study::MeasuredData& data,
                                   const identify::EquationPrediction& prediction,
                                   const std::string& stem);

/// The inputs of the first experiment, one plot for each unit.
std::vector<Plot> driving_plots(const study::OutputErrorStudy& study);

/// Autocorrelation of the residuals with the bounds of white noise.
Plot output_error_correlation(const study::OutputErrorOutcome& result);

/// Correlation of the residuals with the inputs; no curves if there are no inputs.
Plot output_error_input_correlation(const study::OutputErrorOutcome& result);

/// The profile-likelihood intervals: a table, and for each parameter the cost along it beside the
/// parabola of the standard deviation. A section without blocks if there are none.
/// `tree` describes the result.
Section output_error_profiles(const study::OutputErrorOutcome& result,
                              const document::ResultTree& tree);

}  // namespace alembert::report
