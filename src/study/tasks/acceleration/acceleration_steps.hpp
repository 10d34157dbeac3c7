#pragma once

#include "alembert/study/acceleration.hpp"

/// The steps of run_acceleration().
namespace alembert::study {

/// What is known of the parameters of one equation: entries of other equations are left out.
[[nodiscard]] std::vector<optimize::Parameter> entries_for(
    const identify::MotionEquation& equation, const std::vector<optimize::Parameter>& entries);

/// A record without the line that its sensor drifted by; about its middle the line is zero.
/// @param drift change over the record, m/s².
[[nodiscard]] identify::MotionRecord without_drift(const identify::MotionRecord& record,
                                                   double drift);

/// Diagnosis, regression, refinement and classical tests of one record.
[[nodiscard]] RecordOutcome examine_record(const AccelerationStudy& study, std::size_t index);

/// Ranks the equation and its alternatives on the first record, if there are alternatives.
void compare_equations(AccelerationOutcome& result);

/// The parameters over several records.
void judge_repeatability(AccelerationOutcome& result);

/// Adds what may surprise to the warnings.
void warn_about_motion(AccelerationOutcome& result);

}  // namespace alembert::study
