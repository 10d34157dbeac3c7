#pragma once

#include <mutex>

#include "core/algebra/blas_kernels.hpp"
#include "core/algebra/blas_memory.hpp"

namespace alembert {

/// Held during every call of OpenBLAS. @throws std::bad_alloc if there is no memory for it.
///
/// Debian's serial version is not safe for calls from several threads at once (runs of one study
/// came out with other digits now and then); where the loader takes that one, calls take turns.
class BlasLock {
 public:
  BlasLock() : guard_(mutex(), std::defer_lock) {
    static const bool serial = blas_is_serial();
    if (serial) guard_.lock();
  }

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  std::unique_lock<std::mutex> guard_;
  BlasMemory memory_;
};

}  // namespace alembert
