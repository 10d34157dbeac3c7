#pragma once

#include "alembert/identify/acceleration.hpp"

namespace alembert::identify {

/// Terms that the equation has not and the residuals of a refined record show: each of a short list
/// (dry friction, drag, square and cubic spring) is added to the equation by itself. See
/// docs/theory/acceleration.md.
/// @return those beyond what 999 of 1000 sound records show, all terms of the list together.
[[nodiscard]] std::vector<MissingTerm> missing_terms(const EquationOfMotion& equation,
                                                     const AccelerationRecord& record,
                                                     const RecordFit& fit);

}  // namespace alembert::identify
