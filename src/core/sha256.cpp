#include "core/sha256.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace alembert {

namespace {

using HashWords = std::array<std::uint32_t, 8>;

// The first 32 bits of the fractional parts of the square or cube roots of the first primes
// [FIPS180-4, 4.2.2 and 5.3.3]; long double has the 41 digits of mantissa that this needs.
template <std::size_t Count>
std::array<std::uint32_t, Count> root_fractions(bool cube) {
  std::array<std::uint32_t, Count> result{};
  std::size_t found = 0;
  for (unsigned candidate = 2; found < Count; ++candidate) {
    bool prime = true;
    for (unsigned divisor = 2; divisor * divisor <= candidate; ++divisor) {
      prime = prime && candidate % divisor != 0;
    }
    if (prime) {
      const auto value = static_cast<long double>(candidate);
      const long double root = cube ? std::cbrt(value) : std::sqrt(value);
      result[found++] = static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0L);
    }
  }
  return result;
}

std::uint32_t small_sigma(std::uint32_t x, int a, int b, int shift) {
  return std::rotr(x, a) ^ std::rotr(x, b) ^ (x >> static_cast<unsigned>(shift));
}

std::uint32_t large_sigma(std::uint32_t x, int a, int b, int c) {
  return std::rotr(x, a) ^ std::rotr(x, b) ^ std::rotr(x, c);
}

void add_block(const unsigned char* block, HashWords& hash) {
  static const auto kConstants = root_fractions<64>(true);
  std::array<std::uint32_t, 64> w{};
  for (std::size_t k = 0; k < 16; ++k) {
    for (std::size_t byte = 0; byte < 4; ++byte) {
      w[k] = (w[k] << 8U) | block[4 * k + byte];
    }
  }
  for (std::size_t k = 16; k < 64; ++k) {
    w[k] =
        w[k - 16] + small_sigma(w[k - 15], 7, 18, 3) + w[k - 7] + small_sigma(w[k - 2], 17, 19, 10);
  }
  auto [a, b, c, d, e, f, g, h] = hash;
  for (std::size_t k = 0; k < 64; ++k) {
    const std::uint32_t one =
        h + large_sigma(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + kConstants[k] + w[k];
    const std::uint32_t two = large_sigma(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + one;
    d = c;
    c = b;
    b = a;
    a = one + two;
  }
  const HashWords change{a, b, c, d, e, f, g, h};
  for (std::size_t k = 0; k < hash.size(); ++k) {
    hash[k] += change[k];
  }
}

}  // namespace

Sha256 sha256_bytes(std::string_view text) {
  HashWords hash = root_fractions<8>(false);
  std::string padded(text);
  padded += '\x80';
  padded.append((119 - text.size() % 64) % 64, '\0');
  const std::uint64_t bits = std::uint64_t{text.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) {
    padded += static_cast<char>((bits >> static_cast<unsigned>(shift)) & 0xFFU);
  }
  for (std::size_t at = 0; at < padded.size(); at += 64) {
    add_block(reinterpret_cast<const unsigned char*>(padded.data()) + at, hash);
  }
  Sha256 result{};
  for (std::size_t k = 0; k < result.size(); ++k) {
    result[k] = static_cast<unsigned char>(hash[k / 4] >> (24U - 8U * (k % 4)));
  }
  return result;
}

std::string hexadecimal(const Sha256& hash) {
  std::string text;
  for (const unsigned char byte : hash) text += fmt::format("{:02x}", byte);
  return text;
}

std::string sha256(std::string_view text) { return hexadecimal(sha256_bytes(text)); }

Sha256 hmac_sha256(std::string_view key, std::string_view text) {
  // H((K ^ opad) || H((K ^ ipad) || text)), K filled with zeros to a block of 64 bytes.
  const auto with_key = [&](unsigned char pad) {
    std::string block(64, static_cast<char>(pad));
    for (std::size_t k = 0; k < key.size(); ++k) block[k] = static_cast<char>(block[k] ^ key[k]);
    return block;
  };
  const Sha256 inner = sha256_bytes(with_key(0x36).append(text));
  return sha256_bytes(
      with_key(0x5C).append(reinterpret_cast<const char*>(inner.data()), inner.size()));
}

}  // namespace alembert
