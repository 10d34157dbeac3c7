#pragma once

#include <filesystem>

#include "alembert/study/modes.hpp"

namespace alembert::study {

/// Writes a study of [simulate] whose model are the modes with a trusted scale, in modal
/// coordinates, and whose sensors are the responses. Observers take the same [model].
/// @pre has_modal_model(). @throws DataError if it cannot be written.
void write_modal_model(const ModesOutcome& result, const std::filesystem::path& file);

}  // namespace alembert::study
