#pragma once

#include "alembert/identify/equation_fit.hpp"
#include "study/schema/bound_keys.hpp"

namespace alembert::study {

/// The keys of [identify] with method = "output-error" beside its parameters and simulation_keys().
[[nodiscard]] const BoundKeys<identify::EquationFitOptions>& output_error_keys();

/// What [identify.parameters.NAME] says of the parameter itself, of the one it follows, and of what
/// is known beforehand.
[[nodiscard]] const BoundKeys<optimize::Parameter>& parameter_keys();
[[nodiscard]] const BoundKeys<optimize::Tie>& tie_keys();
[[nodiscard]] const BoundKeys<optimize::Prior>& prior_keys();

}  // namespace alembert::study
