#pragma once

#include <string>

#include "alembert/identify/acceleration.hpp"

namespace alembert::identify {

/// "NAME: " before what concerns one of several records.
[[nodiscard]] std::string record_prefix(const AccelerationOptions& options, std::size_t records,
                                        std::size_t index);

/// Adds what may surprise to the warnings.
void warn_about_acceleration(const AccelerationOptions& options, std::size_t records,
                             AccelerationFit& fit);

}  // namespace alembert::identify
