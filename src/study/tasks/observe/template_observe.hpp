#pragma once

#include <optional>
#include <string>

#include "alembert/study/detail/template.hpp"
#include "study/templates/writer.hpp"

namespace alembert::study {

/// The template of kind "observe", a slider-crank. With data, its first two columns are the
/// sensors. @throws DataError
[[nodiscard]] std::string observe_template(const std::optional<TemplateData>& data);

/// The template of kind "simulate-mechanism", the same slider-crank. @throws DataError with data,
/// which it does not take.
[[nodiscard]] std::string simulate_mechanism_template(const std::optional<TemplateData>& data);

/// The slider-crank with its motion, sensors and observer, under this title (as TOML text).
void write_moving_crank(const std::string& title, TemplateWriter& writer);

/// A record that the template of kind "observe" runs on, simulated with a fixed seed.
[[nodiscard]] signal::Record observe_record();

}  // namespace alembert::study
