#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "alembert/io/read_limits.hpp"

namespace alembert::io {

/// Checks that a file can be read. @throws DataError as RegularFile.
void require_readable(const std::filesystem::path& file);

/// The bytes of a file. @throws DataError as RegularFile, or if they are more than the limit.
[[nodiscard]] std::string read_content(const std::filesystem::path& file,
                                       const ReadLimits& limits = {});

/// The first bytes of a file, at most so many. @throws DataError as RegularFile.
[[nodiscard]] std::string read_start(const std::filesystem::path& file, std::size_t most);

/// Gives the pages inside a block of memory back to the system, whatever the allocator will do with
/// the block. What was in it must not be read any more.
void give_back_pages(void* begin, std::size_t bytes);

/// The same for the first `count` bytes of a content, but for those `released` before; that number
/// is updated.
void release_front(std::string& content, std::size_t count, std::size_t& released);

/// Lets `write` fill a file beside the target (`.NAME.part-PID`), then renames it, so that nobody
/// sees half a file. On an exception the part is removed and the target left as it was.
/// @throws DataError if the folder does not exist, its name cannot be looked up, or the rename
///   fails.
void replace_file(const std::filesystem::path& file,
                  const std::function<void(const std::filesystem::path& part)>& write);

/// Replaces the content of a file. @throws DataError as replace_file, or if the disk is full.
void write_content(const std::filesystem::path& file, std::string_view content);

}  // namespace alembert::io
