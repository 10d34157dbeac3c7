#pragma once

#include <vector>

#include "alembert/identify/acceleration.hpp"

namespace alembert::identify {

/// What is known of the parameters of one equation: entries of other equations are left out.
[[nodiscard]] std::vector<optimize::Parameter> entries_for(
    const EquationOfMotion& equation, const std::vector<optimize::Parameter>& entries);

/// A record without the line that its sensor drifted by; about its middle the line is zero.
/// @param drift change over the record, m/s².
[[nodiscard]] AccelerationRecord without_drift(const AccelerationRecord& record, double drift);

/// Diagnosis, regression, refinement and classical tests of one record.
[[nodiscard]] RecordFit examine_record(const EquationOfMotion& equation,
                                       const AccelerationRecord& measured,
                                       const AccelerationOptions& options);

}  // namespace alembert::identify
