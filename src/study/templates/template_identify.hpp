#pragma once

#include <optional>
#include <string>

#include "alembert/study/detail/template.hpp"
#include "study/templates/writer.hpp"

namespace alembert::study {

/// The template of kind "identify". With data, columns in a unit of force are the inputs, columns
/// in a unit of motion the outputs; without, eight invented ones. @throws DataError
[[nodiscard]] std::string identify_template(const std::optional<TemplateData>& data);

/// The keys of [data] that say which file it is; "record.csv" without data.
[[nodiscard]] TemplateWriter::Assignments file_assignments(const std::optional<TemplateData>& data);

/// The template of kind "output-error". With data, its first column that looks like an input is
/// the input, the first of the others the output. @throws DataError
[[nodiscard]] std::string output_error_template(const std::optional<TemplateData>& data);

/// A record that the template of kind "output-error" runs on, simulated with a fixed seed.
[[nodiscard]] signal::Record output_error_record();

/// The template of kind "acceleration". With data, the column that looks most like an acceleration.
/// @throws DataError
[[nodiscard]] std::string acceleration_template(const std::optional<TemplateData>& data);

/// A record that the template of kind "acceleration" runs on, simulated with a fixed seed.
[[nodiscard]] signal::Record acceleration_record();

/// The template of kind "observe", a slider-crank. With data, its first two columns are the
/// sensors. @throws DataError
[[nodiscard]] std::string observe_template(const std::optional<TemplateData>& data);

/// The template of kind "simulate-mechanism", the same slider-crank; it takes no data.
[[nodiscard]] std::string simulate_mechanism_template();

/// A record that the template of kind "observe" runs on, simulated with a fixed seed.
[[nodiscard]] signal::Record observe_record();

}  // namespace alembert::study
