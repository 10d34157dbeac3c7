#pragma once

#include <optional>
#include <string>

#include "alembert/study/detail/template.hpp"

namespace alembert::study {

/// The template of kind "monte-carlo-equations": an oscillator, simulated and identified.
/// @throws DataError with data, which have no place in it.
[[nodiscard]] std::string repeat_equations_template(const std::optional<TemplateData>& data);

/// The template of kind "monte-carlo-observe": a slider-crank, simulated and observed.
/// @throws DataError with data, which have no place in it.
[[nodiscard]] std::string repeat_observe_template(const std::optional<TemplateData>& data);

}  // namespace alembert::study
