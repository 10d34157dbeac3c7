#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>

#include "io/file/file_content.hpp"
#include "io/mat/library.hpp"

namespace alembert::io::mat {

namespace {

constexpr std::uintmax_t kHeader = 128;
constexpr std::uintmax_t kTag = 8;
constexpr std::uint32_t kMatrix = 14;
constexpr std::uint32_t kCompressed = 15;

std::uint32_t word(const char* bytes, bool big_endian) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    const int shift = 8 * (big_endian ? 3 - i : i);
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << shift;
  }
  return value;
}

}  // namespace

void check_version_5(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::uintmax_t size = size_of_file(file);
  std::array<char, kHeader> header{};
  stream.read(header.data(), static_cast<std::streamsize>(kHeader));
  const bool big_endian = header[126] == 'M' && header[127] == 'I';
  for (std::uintmax_t position = kHeader; position < size;) {
    const auto fail = [&](const std::string& reason) {
      throw DataError({.file = file.string(), .byte = static_cast<long long>(position)}, reason);
    };
    const std::uintmax_t left = size - position;
    std::array<char, kTag> tag{};
    stream.seekg(static_cast<std::streamoff>(position));
    if (left < kTag || !stream.read(tag.data(), static_cast<std::streamsize>(kTag))) {
      fail(fmt::format("{} bytes behind the last variable (truncated file?)", left));
    }
    const std::uint32_t type = word(tag.data(), big_endian);
    const std::uintmax_t bytes = word(tag.data() + 4, big_endian);
    if (type != kMatrix && type != kCompressed) {
      fail(fmt::format("expected a variable (element type 14 or 15), got type {}", type));
    }
    if (bytes > left - kTag) {
      fail(
          fmt::format("a variable of {} bytes, {} are left (truncated file?)", bytes, left - kTag));
    }
    position += kTag + bytes;
  }
}

}  // namespace alembert::io::mat
