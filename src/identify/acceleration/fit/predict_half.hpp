#pragma once

#include "alembert/identify/acceleration.hpp"

namespace alembert::identify {

/// Fits the first half of a record from where the fit of the whole ended and simulates on. Nothing
/// for fewer than four cycles, or where the half cannot be fitted or simulated.
[[nodiscard]] std::optional<HalfPrediction> predict_half(const EquationOfMotion& equation,
                                                         const AccelerationRecord& record,
                                                         const AccelerationOptions& options,
                                                         const RecordFit& fit);

}  // namespace alembert::identify
