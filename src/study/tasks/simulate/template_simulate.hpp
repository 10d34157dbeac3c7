#pragma once

#include <optional>
#include <string>

#include "alembert/study/detail/template.hpp"
#include "study/templates/writer.hpp"

namespace alembert::study {

/// The template of kind "simulate". With data, their complete channels drive a chain of masses.
/// @throws DataError
[[nodiscard]] std::string simulate_template(const std::optional<TemplateData>& data);

/// The same under another title, for a task that goes on from there.
[[nodiscard]] TemplateWriter response_template(const std::string& task, const std::string& title,
                                               const std::optional<TemplateData>& data);

/// The template of kind "simulate-flexible". @throws DataError with data, which has no use.
[[nodiscard]] std::string flexible_template(const std::optional<TemplateData>& data);

}  // namespace alembert::study
