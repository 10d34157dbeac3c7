#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "alembert/model/planar/mechanism.hpp"

/// Mechanisms in the words of studies.
namespace alembert::study {

/// The mechanism of a TOML text: its tables [mechanism] and, where there are sensors,
/// [data.sensors]. Anything else in the text is left alone, so that a study will do.
/// @param file the name that errors carry.
/// @throws StudyError with the place of the first rule that is broken.
[[nodiscard]] std::shared_ptr<const model::planar::Mechanism> mechanism_of_text(
    const std::string& text, const std::filesystem::path& file = "mechanism.toml");

/// The same from a file.
[[nodiscard]] std::shared_ptr<const model::planar::Mechanism> mechanism_of_file(
    const std::filesystem::path& file);

}  // namespace alembert::study
