#pragma once

#include <cstdint>
#include <string_view>

namespace alembert::study {

inline constexpr std::uint64_t kHashStart = 0xcbf29ce484222325U;

/// FNV-1a, 64 bits: short, and the same on every machine, unlike std::hash. `start` goes on with
/// an earlier text.
[[nodiscard]] inline std::uint64_t fnv_hash(std::string_view text,
                                            std::uint64_t start = kHashStart) noexcept {
  std::uint64_t value = start;
  for (const char c : text) {
    value ^= static_cast<unsigned char>(c);
    value *= 0x100000001b3U;
  }
  return value;
}

}  // namespace alembert::study
