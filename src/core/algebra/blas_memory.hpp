#pragma once

namespace alembert {

/// Makes sure, before a call of OpenBLAS, that there is memory for its buffers.
///
/// OpenBLAS takes a buffer of 128 MiB for each call that runs at the same time, keeps it for later
/// ones, and where the system gives none tries again for ever: a program without memory would hang
/// in it. So the memory is asked for here first, whenever more calls run at once than ever before.
class BlasMemory {
 public:
  /// @throws std::bad_alloc if there is none.
  BlasMemory();
  ~BlasMemory();
  BlasMemory(const BlasMemory&) = delete;
  BlasMemory& operator=(const BlasMemory&) = delete;
};

}  // namespace alembert
