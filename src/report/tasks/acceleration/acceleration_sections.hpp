#pragma once

#include "alembert/study/acceleration.hpp"
#include "report/page/vocabulary.hpp"

/// Sections of the report of [identify] with method = "acceleration"; one without blocks is left
/// out. Plots show the first record. `tree` describes the result: tables take their cells from it.
namespace alembert::report {

/// Measured and fitted acceleration, residual, and the reconstructed motion.
Section motion_section(const study::AccelerationOutcome& result);
/// The parameters window by window.
Section window_section(const study::AccelerationOutcome& result);
/// Stiffness and damping against amplitude, by all methods on the same axes.
Section amplitude_section(const study::AccelerationOutcome& result);
/// Logarithmic decrement, envelope, static curve.
Section classical_section(const study::AccelerationOutcome& result,
                          const document::ResultTree& tree);
/// Other equations: information criteria and prediction.
Section comparison_section(const study::AccelerationOutcome& result,
                           const document::ResultTree& tree);
/// Several records.
Section repeatability_section(const study::AccelerationOutcome& result,
                              const document::ResultTree& tree);

/// The times of a record.
Eigen::VectorXd record_times(const identify::AccelerationRecord& record);

}  // namespace alembert::report
