#pragma once

#include <fstream>
#include <string>

namespace alembert::test {

/// Peak of the resident memory of this process so far, in bytes; 0 where there is no /proc.
inline long long peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == "VmHWM:") {
      long long kilobytes = 0;
      status >> kilobytes;
      return 1024 * kilobytes;
    }
  }
  return 0;
}

/// How much the largest resident memory of this process grows from now on, in bytes. Linux only:
/// elsewhere it does not grow.
class MemoryPeak {
 public:
  MemoryPeak() {
    std::ofstream("/proc/self/clear_refs") << "5";  // sets the peak back to the present size
    before_ = peak_memory();
  }
  [[nodiscard]] long long growth() const { return peak_memory() - before_; }

 private:
  long long before_ = 0;
};

}  // namespace alembert::test
