#include <cstddef>
#include <cstdint>
#include <string>

#include "alembert/core/error.hpp"
#include "alembert/study/study.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    alembert::study::check_text(std::string(reinterpret_cast<const char*>(data), size),
                                "fuzz.toml");
  } catch (const alembert::PlacedError&) {
    // A study or a file that breaks a rule.
  }
  return 0;
}
