#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "alembert/io/uff.hpp"

namespace alembert::io {

/// As parse_uff(content, file); after each dataset it calls release(n), which says that the first n
/// bytes will not be looked at any more.
[[nodiscard]] UffContent parse_uff(std::string_view content, const std::string& file,
                                   const std::function<void(std::size_t)>& release);

/// Parses a file; the bytes of a dataset are given back as soon as it is parsed.
[[nodiscard]] UffContent parse_uff_file(const std::filesystem::path& file,
                                        const ReadLimits& limits);

}  // namespace alembert::io
