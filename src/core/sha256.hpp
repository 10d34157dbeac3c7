#pragma once

#include <array>
#include <string>
#include <string_view>

namespace alembert {

using Sha256 = std::array<unsigned char, 32>;

/// SHA-256 of a text [FIPS180-4].
[[nodiscard]] Sha256 sha256_bytes(std::string_view text);
/// The same as 64 hexadecimal digits: names of cached files, and their check.
[[nodiscard]] std::string sha256(std::string_view text);

/// The hash of a text that only those can compute who know the key, HMAC-SHA-256 [RFC2104].
/// @param key at most 64 bytes.
[[nodiscard]] Sha256 hmac_sha256(std::string_view key, std::string_view text);

[[nodiscard]] std::string hexadecimal(const Sha256& hash);

}  // namespace alembert
