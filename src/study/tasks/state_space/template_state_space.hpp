#pragma once

#include <optional>
#include <string>

#include "alembert/signal/record.hpp"
#include "alembert/study/detail/template.hpp"

namespace alembert::study {

/// A commented study of a state-space model; with data, for its columns.
/// @throws DataError if they do not suit.
[[nodiscard]] std::string state_space_template(const std::optional<TemplateData>& data);

/// A small simulated record to run it on.
[[nodiscard]] signal::Record state_space_record();

}  // namespace alembert::study
