#pragma once

#include <string>
#include <vector>

#include "alembert/identify/acceleration.hpp"

namespace alembert::identify {

/// "NAME: " before what concerns one of several records.
[[nodiscard]] std::string record_prefix(const AccelerationOptions& options, std::size_t records,
                                        std::size_t index);

/// What the fit of a record leaves to say, besides the findings of its diagnosis.
[[nodiscard]] std::vector<std::string> fit_warnings(const RecordFit& record);

/// Whether the static test speaks for another unit of the acceleration, in words, or "".
[[nodiscard]] std::string static_unit_question(const AccelerationOptions& options,
                                               const AccelerationFit& fit);

/// Parameters that scatter over the records.
[[nodiscard]] std::vector<std::string> repetition_warnings(const AccelerationFit& fit);

/// Adds what may surprise to the warnings: all of these, and the findings of the diagnosis.
void warn_about_acceleration(const AccelerationOptions& options, std::size_t records,
                             AccelerationFit& fit);

}  // namespace alembert::identify
