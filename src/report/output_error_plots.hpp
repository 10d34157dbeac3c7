#pragma once

#include <string>
#include <vector>

#include "alembert/report/document.hpp"
#include "alembert/study/output_error.hpp"

namespace alembert::report {

/// Measured over simulated signals and their difference, for each output of the first experiment.
/// `stem` begins the ids.
std::vector<Plot> simulation_plots(const study::OutputErrorStudy& study,
                                   const study::MeasuredData& data,
                                   const identify::EquationPrediction& prediction,
                                   const std::string& stem);

/// Autocorrelation of the residuals with the bounds of white noise.
Plot output_error_correlation(const study::OutputErrorOutcome& result);

}  // namespace alembert::report
