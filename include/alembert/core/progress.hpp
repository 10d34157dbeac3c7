#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace alembert {

/// Called as independent parts of a long run finish: how many of how many are done.
/// May be called from any thread, one call at a time.
using OnProgress = std::function<void(std::size_t done, std::size_t total)>;

/// A request to stop, set by the user (Ctrl-C, a callback) and read by long loops.
class StopFlag {
 public:
  void request() noexcept { stop_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool requested() const noexcept { return stop_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> stop_{false};
};

}  // namespace alembert
