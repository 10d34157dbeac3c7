#pragma once

#include <optional>
#include <string>

#include "alembert/signal/record.hpp"
#include "alembert/study/detail/template.hpp"

namespace alembert::study {

/// A commented study of an arm on a motor; with data, its first angle and torque are the sensors.
/// @throws DataError if there are none.
[[nodiscard]] std::string mechanism_fit_template(const std::optional<TemplateData>& data);

/// A small simulated record to run it on.
[[nodiscard]] signal::Record mechanism_fit_record();

}  // namespace alembert::study
