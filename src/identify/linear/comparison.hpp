#pragma once

#include <chrono>

#include "alembert/identify/linear.hpp"
#include "identify/linear/setup.hpp"

namespace alembert::identify {

/// Seconds since its making.
class StepClock {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Runs the methods of options.compare and fills result.comparison, the main method first.
void compare_methods(const LinearSetup& setup, LinearIdentification& result);

}  // namespace alembert::identify
