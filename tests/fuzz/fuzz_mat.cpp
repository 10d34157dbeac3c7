#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "alembert/core/error.hpp"
#include "alembert/io/mat.hpp"

namespace {

constexpr std::size_t kHeader = 128;
constexpr std::size_t kMemory = 64U << 20U;

void read(std::string_view content, const std::string& dataset) {
  try {
    static_cast<void>(alembert::io::parse_mat(content, "fuzz",
                                              {.dataset = dataset, .limits = {.memory = kMemory}}));
  } catch (const alembert::DataError&) {
    // A broken file.
  }
}

// The same elements behind a right checksum, which no fuzzer finds by itself.
std::string compressed(std::string_view content) {
  const std::string_view elements = content.substr(kHeader);
  uLongf size = compressBound(elements.size());
  std::string packed(size, '\0');
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
            reinterpret_cast<const Bytef*>(elements.data()), elements.size(), 1);
  packed.resize(size);
  const bool big_endian = content[126] == 'M';
  std::string tag(8, '\0');
  for (std::size_t i = 0; i < 4; ++i) {
    tag[big_endian ? 7 - i : 4 + i] = static_cast<char>(size >> (8 * i));
  }
  tag[big_endian ? 3 : 0] = 15;
  return std::string(content.substr(0, kHeader)) + tag + packed;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view content(reinterpret_cast<const char*>(data), size);
  read(content, "");
  read(content, "s");
  if (size > kHeader) {
    read(compressed(content), "");
  }
  return 0;
}
