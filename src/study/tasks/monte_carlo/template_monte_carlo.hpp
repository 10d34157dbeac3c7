#pragma once

#include <optional>
#include <string>

#include "alembert/study/detail/template.hpp"

namespace alembert::study {

/// The template of kind "monte-carlo": that of "simulate", identified many times. @throws DataError
[[nodiscard]] std::string monte_carlo_template(const std::optional<TemplateData>& data);

}  // namespace alembert::study
