#pragma once

#include <filesystem>
#include <string>

#include "alembert/io/read_limits.hpp"

namespace alembert::study {

/// A study [reduce] of a mesh (.msh, .inp) that passes check_text() and runs. What is fixed and
/// where the masters are is guessed from the names of its sets, else from its shape; sizes beyond
/// 10 are taken for millimetres. Comments say so.
/// @param name of the mesh in the study.
/// @throws DataError if it is no mesh or cannot be read.
[[nodiscard]] std::string structure_template(const std::filesystem::path& mesh,
                                             const std::string& name,
                                             const io::ReadLimits& limits = {});

}  // namespace alembert::study
