#include <cstddef>
#include <cstdint>
#include <string_view>

#include "alembert/core/error.hpp"
#include "alembert/io/uff.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    static_cast<void>(alembert::io::parse_uff({reinterpret_cast<const char*>(data), size}, "fuzz"));
  } catch (const alembert::DataError&) {
    // A broken file.
  }
  return 0;
}
