#pragma once

#include <filesystem>
#include <string>

#include "reproductions/reproduce.hpp"

namespace alembert::reproductions {

/// A file of a public benchmark below options.data.
/// @throws InvalidInput if no folder is given, DataError if the file is not there.
[[nodiscard]] std::filesystem::path benchmark_file(const ReproduceOptions& options,
                                                   const std::string& reproduction,
                                                   const std::string& path);

}  // namespace alembert::reproductions
