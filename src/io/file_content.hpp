#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace alembert::io {

/// Checks that a file can be read. @throws DataError if it is missing, a folder, or not readable.
void require_readable(const std::filesystem::path& file);

/// The bytes of a file. @throws DataError as require_readable.
[[nodiscard]] std::string read_content(const std::filesystem::path& file);

/// Lets `write` fill a file beside the target (`.NAME.part-PID`), then renames it, so that nobody
/// sees half a file. On an exception the part is removed and the target left as it was.
/// @throws DataError if the folder does not exist or the rename fails.
void replace_file(const std::filesystem::path& file,
                  const std::function<void(const std::filesystem::path& part)>& write);

/// Replaces the content of a file. @throws DataError as replace_file, or if the disk is full.
void write_content(const std::filesystem::path& file, std::string_view content);

}  // namespace alembert::io
