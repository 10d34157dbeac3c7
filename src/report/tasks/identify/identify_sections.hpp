#pragma once

#include <string>
#include <vector>

#include "alembert/study/identify.hpp"
#include "report/page/vocabulary.hpp"
#include "report/parts/whiteness_words.hpp"

/// Sections of the report of [identify]; one without blocks is left out.
namespace alembert::report {

/// Status, what to trust, warnings and the key figures.
Section identify_verdict_section(const study::IdentifyResult& result);

/// M, D, K and other unknowns with their standard deviations, and what cannot be told apart.
Section identify_matrix_section(const study::IdentifyResult& result);

/// Modes with standard deviations, and their shapes.
Section identify_mode_section(const study::IdentifyResult& result);

/// Magnitude and phase of measured and model responses at the sensors, first experiment or all.
std::vector<Plot> identify_response_plots(const study::IdentifyResult& result);

/// Measured and predicted signals, residuals, their correlation and spectra.
Section identify_fit_section(const study::IdentifyResult& result);

/// The same for held-back data.
Section identify_validation_section(const study::IdentifyResult& result);

/// Start, refinement, comparison of methods.
Section identify_method_section(const study::IdentifyResult& result);

}  // namespace alembert::report
