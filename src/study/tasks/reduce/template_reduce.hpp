#pragma once

#include <optional>
#include <string>

#include "alembert/study/detail/template.hpp"

namespace alembert::study {

/// The template of kind "reduce": a plate with a hole. @throws DataError with data, of which it has
/// no use.
[[nodiscard]] std::string reduce_template(const std::optional<TemplateData>& data);

}  // namespace alembert::study
