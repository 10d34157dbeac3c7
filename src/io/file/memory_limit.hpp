#pragma once

#include <cstdint>
#include <filesystem>
#include <new>
#include <string>

#include "alembert/io/read_limits.hpp"

namespace alembert::io {

/// Bytes that the numbers of a file may take: the limit given, else half of the machine's memory.
[[nodiscard]] std::uintmax_t memory_limit(const ReadLimits& limits);

/// Checks a size before it is allocated: rows × columns × bytes of one.
/// @throws DataError naming the file, what is too large, and the limit.
void require_room(const std::string& file, const std::string& what, std::uintmax_t rows,
                  std::uintmax_t columns, std::uintmax_t bytes_of_one, const ReadLimits& limits);

/// Throws the DataError of a file for which there is no memory.
[[noreturn]] void fail_without_memory(const std::filesystem::path& file);

/// Runs a reader; where memory runs out after all, that is an error of this file.
template <typename Reader>
auto read_within_memory(const std::filesystem::path& file, const Reader& reader)
    -> decltype(reader()) {
  try {
    return reader();
  } catch (const std::bad_alloc&) {
    fail_without_memory(file);
  }
}

}  // namespace alembert::io
