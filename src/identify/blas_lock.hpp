#pragma once

#include <mutex>

namespace alembert::identify {

/// Held during every call of OpenBLAS.
///
/// With Debian's serial OpenBLAS, called from several threads at once, runs of one study came out
/// with other digits now and then; with calls one at a time they did not.
class BlasLock {
 public:
  BlasLock() : guard_(mutex()) {}

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  std::lock_guard<std::mutex> guard_;
};

}  // namespace alembert::identify
