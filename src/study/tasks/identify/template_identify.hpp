#pragma once

#include <optional>
#include <string>

#include "alembert/study/detail/template.hpp"

namespace alembert::study {

/// The template of kind "identify". With data, columns in a unit of force are the inputs, columns
/// in a unit of motion the outputs; without, eight invented ones. @throws DataError
[[nodiscard]] std::string identify_template(const std::optional<TemplateData>& data);

}  // namespace alembert::study
