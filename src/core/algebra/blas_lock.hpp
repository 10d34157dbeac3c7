#pragma once

#include <mutex>

#include "core/algebra/blas_kernels.hpp"

namespace alembert {

/// Held during every call of OpenBLAS.
///
/// OpenBLAS is told to use one thread: independent runs have the cores, and its splitting of a
/// product would make the digits depend on the machine. Debian's serial version is not safe for
/// calls from several threads at once (runs of one study came out with other digits now and then);
/// where the loader takes that one, calls take turns.
class BlasLock {
 public:
  BlasLock() : guard_(mutex(), std::defer_lock) {
    static const bool serial = prepare_blas();
    if (serial) guard_.lock();
  }

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  std::unique_lock<std::mutex> guard_;
};

}  // namespace alembert
