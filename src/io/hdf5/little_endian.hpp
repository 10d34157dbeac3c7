#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace alembert::io::hdf5 {

/// The number in so many bytes of a file, the lowest first; bytes behind the end are missing.
[[nodiscard]] inline std::uint64_t number(std::string_view bytes, std::size_t at,
                                          std::size_t length) {
  std::uint64_t value = 0;
  for (std::size_t k = std::min(length, bytes.size() - std::min(at, bytes.size())); k-- > 0;) {
    value = value << 8U | static_cast<unsigned char>(bytes[at + k]);
  }
  return value;
}

/// A length filled up to the next eight bytes.
[[nodiscard]] inline std::uint64_t padded(std::uint64_t length) { return (length + 7) / 8 * 8; }

}  // namespace alembert::io::hdf5
