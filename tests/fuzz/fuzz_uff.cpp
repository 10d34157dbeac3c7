#include <cstddef>
#include <cstdint>
#include <string_view>

#include "alembert/core/error.hpp"
#include "alembert/io/uff.hpp"
#include "alembert/io/uff_geometry.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view content(reinterpret_cast<const char*>(data), size);
  try {
    static_cast<void>(alembert::io::parse_uff(content, "fuzz"));
  } catch (const alembert::DataError&) {
    // A broken file.
  }
  // Not after the first: functions that can be read may still not make records, and must say so.
  try {
    static_cast<void>(alembert::io::parse_uff_records(content, "fuzz"));
  } catch (const alembert::DataError&) {
    // A broken file, or one without time responses.
  }
  try {
    static_cast<void>(alembert::io::parse_uff_geometry(content, "fuzz"));
  } catch (const alembert::DataError&) {
    // A broken file, or one without nodes.
  }
  return 0;
}
