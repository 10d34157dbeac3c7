#pragma once

#include <optional>
#include <string>

#include "alembert/study/detail/template.hpp"

namespace alembert::study {

/// The template of kind "acceleration". With data, the column that looks most like an acceleration.
/// @throws DataError
[[nodiscard]] std::string acceleration_template(const std::optional<TemplateData>& data);

/// A record that the template of kind "acceleration" runs on, simulated with a fixed seed.
[[nodiscard]] signal::Record acceleration_record();

}  // namespace alembert::study
