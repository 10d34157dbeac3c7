#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "alembert/core/error.hpp"
#include "alembert/io/hdf5.hpp"
#include "alembert/io/mat.hpp"

namespace {

constexpr std::size_t kMemory = 64U << 20U;

// A file in memory.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size)
      : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
    complete_ = write(descriptor_, data, size) == static_cast<ssize_t>(size);
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
  bool complete_ = false;
};

}  // namespace

// The libraries of HDF5 and matio read in a process of their own: whatever becomes of them there,
// this process gets numbers or a DataError, in bounded time and memory.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const MemoryFile file(data, size);
  if (!file.complete()) return 0;
  const alembert::io::ReadLimits limits{.memory = kMemory};
  const bool mat = size > 127 && data[0] == 'M';
  try {
    static_cast<void>(mat ? alembert::io::read_mat(file.path(), {.limits = limits})
                          : alembert::io::read_hdf5(file.path(), {.limits = limits}));
  } catch (const alembert::DataError&) {
    // A broken file.
  }
  return 0;
}
