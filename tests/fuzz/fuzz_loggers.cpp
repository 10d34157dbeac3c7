#include <cstddef>
#include <cstdint>
#include <string_view>

#include "alembert/core/error.hpp"
#include "alembert/io/lvm.hpp"
#include "alembert/io/npy.hpp"
#include "alembert/io/tdms.hpp"
#include "alembert/io/wav.hpp"

namespace {

using namespace alembert::io;

constexpr std::size_t kMemory = 64U << 20U;

// By the mark that each format begins with; what has none is read as text of LabVIEW.
void read_by_mark(std::string_view content) {
  const ReadOptions options{.limits = {.memory = kMemory}};
  if (content.starts_with("TDSm")) {
    static_cast<void>(parse_tdms(content, "f", options));
  } else if (content.starts_with("RIFF")) {
    static_cast<void>(parse_wav(content, "f", options));
  } else if (content.starts_with("\x93NUMPY") || content.starts_with("PK")) {
    static_cast<void>(parse_npy(content, "f", options));
  } else {
    static_cast<void>(parse_lvm(content, "f", options));
  }
}

}  // namespace

// Files as loggers write them: TDMS, WAV, NumPy, LabVIEW. All are read by our own code.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    read_by_mark({reinterpret_cast<const char*>(data), size});
  } catch (const alembert::DataError&) {
    // A broken file.
  }
  return 0;
}
