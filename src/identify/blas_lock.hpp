#pragma once

#include <cblas.h>

#include <mutex>

namespace alembert::identify {

/// Held during every call of OpenBLAS, which is told to use one thread: where its threaded version
/// is installed too, the loader may take that one, and its results depend on the machine.
///
/// With Debian's serial OpenBLAS, called from several threads at once, runs of one study came out
/// with other digits now and then; with calls one at a time they did not.
class BlasLock {
 public:
  BlasLock() : guard_(mutex()) {}

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    static const bool single = (openblas_set_num_threads(1), true);
    (void)single;
    return one;
  }
  std::lock_guard<std::mutex> guard_;
};

}  // namespace alembert::identify
