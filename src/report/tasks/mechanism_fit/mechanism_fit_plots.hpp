#pragma once

#include <string>

#include "alembert/study/mechanism/mechanism_fit.hpp"
#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// Adds measured over simulated readings and their difference, for each motion sensor. `stem`
/// begins the ids.
void add_motion_plots(const study::MechanismFitOutcome& result,
                      const identify::Experiment& experiment,
                      const identify::EquationPrediction& prediction, const std::string& stem,
                      Section& section);

/// The forces that drive the mechanism.
[[nodiscard]] Plot measured_forces(const study::MechanismFitStudy& study);

}  // namespace alembert::report
