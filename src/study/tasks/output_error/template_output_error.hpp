#pragma once

#include <optional>
#include <string>

#include "alembert/study/detail/template.hpp"

namespace alembert::study {

/// The template of kind "output-error". With data, its first column that looks like an input is
/// the input, the first of the others the output. @throws DataError
[[nodiscard]] std::string output_error_template(const std::optional<TemplateData>& data);

/// The template of kind "free-starts": records that begin anyhow, with outliers. @throws DataError
[[nodiscard]] std::string free_starts_template(const std::optional<TemplateData>& data);

/// A record that both templates run on, simulated with a fixed seed.
[[nodiscard]] signal::Record output_error_record();

}  // namespace alembert::study
