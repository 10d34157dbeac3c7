#pragma once

#include <filesystem>
#include <string>

#include "alembert/io/read_limits.hpp"

namespace alembert::io {

/// The text of a regular file. @throws DataError if there is no such file, it may not be read, is a
/// folder, a device, a pipe or a socket (which are not waited for), or is larger than the limit.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& file,
                                         const ReadLimits& limits = {});

}  // namespace alembert::io
